"""The text of a test file that a small model wrote: cut, cleaned and put together. Pure."""

import ast
from collections.abc import Collection, Iterator
from pathlib import PurePosixPath
from typing import Final

from hackamore.agent.recipes.imports import with_missing_imports

_MOST_CUTS: Final = 40
_SOURCE_ROOTS: Final = frozenset({"src", "lib"})


def whole(text: str) -> str:
    """Return the text up to its last complete statement."""
    lines = text.splitlines()
    for _cut in range(_MOST_CUTS):
        tree = _tree("\n".join(lines))
        if tree is not None:
            return "\n".join(lines) + "\n" if tree.body else ""
        lines = lines[:-1]
    return ""


def tidied(text: str, left_out: Collection[str] = ()) -> str:
    """Return a file of imports that are used, and of tests that can fail.

    Statements that are neither definitions nor plain assignments are dropped, and so is a
    function whose name was defined before.

    Args:
        text: Code that parses.
        left_out: Names of tests that are dropped as well.
    """
    tree = ast.parse(text)
    body = "\n\n\n".join(_kept(text, tree, left_out))
    names = {node.id for node in ast.walk(ast.parse(body)) if isinstance(node, ast.Name)}
    imports = "\n".join(dict.fromkeys(_imports(tree, names)))
    joined = f"{imports}\n\n\n{body}\n".lstrip()
    return with_missing_imports(joined, ast.parse(joined))


def names_of_tests(text: str) -> tuple[str, ...]:
    """Return the names of the test functions."""
    tree = ast.parse(text)
    return tuple(
        node.name for node in tree.body if isinstance(node, ast.FunctionDef) and _is_test(node)
    )


def head(path: str, code: str, files: Collection[str]) -> str:
    """Return how a test file for `path` begins: all public names are imported.

    Empty when there are none.
    """
    names = ", ".join(sorted(set(_public(ast.parse(code)))))
    imports = f"import pytest\nfrom {module_name(path, files)} import {names}\n\n\n"
    return imports if names else ""


def module_name(path: str, files: Collection[str]) -> str:
    """Return what to import for a file: from the outermost package on, or below ``src``."""
    file = PurePosixPath(path)
    parts = list(file.with_suffix("").parts)
    if parts[-1] == "__init__":
        parts.pop()
    while len(parts) > 1 and parts[0] in _SOURCE_ROOTS and f"{parts[0]}/__init__.py" not in files:
        parts = parts[1:]
    return ".".join(parts)


def new_path(path: str, files: Collection[str]) -> str:
    """Return where the tests go: with the other tests, under a name that no file has."""
    folders = [PurePosixPath(file).parent for file in files if _is_test_file(file)]
    folder = min(folders, key=lambda one: len(one.parts), default=PurePosixPath("tests"))
    taken = {PurePosixPath(file).name for file in files}
    stem = _stem(path)
    names = (f"test_{stem}.py", f"test_{stem}_generated.py")
    more = (f"test_{stem}_generated_{number}.py" for number in range(2, len(taken) + 3))
    return str(folder / next(name for name in (*names, *more) if name not in taken))


def _stem(path: str) -> str:
    file = PurePosixPath(path)
    return (file.parent.name or "package") if file.stem == "__init__" else file.stem


def _is_test_file(path: str) -> bool:
    name = PurePosixPath(path).name
    return name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py"))


def _public(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names = [name]
            case ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                names = [name]
            case ast.Assign(targets=targets):
                names = [target.id for target in targets if isinstance(target, ast.Name)]
            case _:
                names = []
        yield from (name for name in names if not name.startswith("_") and name != "main")


def _kept(text: str, tree: ast.Module, left_out: Collection[str]) -> Iterator[str]:
    """Yield the source of the statements that stay."""
    lines, seen = text.splitlines(), set(left_out)
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name):
                stays = name not in seen and (not name.startswith("test") or _is_test(node))
                seen.add(name)
            case ast.ClassDef():
                stays = not node.name.startswith("Test")
            case _:
                stays = isinstance(node, ast.Assign)
        if stays:
            yield "\n".join(lines[_first_line(node) - 1 : node.end_lineno])


def _is_test(node: ast.FunctionDef) -> bool:
    """Whether it is a test that can fail: it asserts something, or expects an exception."""
    if not node.name.startswith("test"):
        return False
    return any(
        isinstance(part, ast.Assert) or (isinstance(part, ast.Attribute) and part.attr == "raises")
        for part in ast.walk(node)
    )


def _first_line(node: ast.stmt) -> int:
    decorators = (
        node.decorator_list
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        else list[ast.expr]()
    )
    return min([node.lineno, *(one.lineno for one in decorators)])


def _imports(tree: ast.Module, used: Collection[str]) -> Iterator[str]:
    """Yield the imports at the top, with only the names that are used."""
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            node.names = [one for one in node.names if _name_of(one) in used]
            if node.names:
                yield ast.unparse(node)


def _name_of(alias: ast.alias) -> str:
    return alias.asname or alias.name.split(".")[0]


def _tree(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None
