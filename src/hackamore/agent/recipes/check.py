"""Whether a rewritten file is worth a test run. Pure."""

import ast
import re
from collections.abc import Iterator
from typing import Final

from hackamore.agent.recipes.imports import with_missing_imports
from hackamore.agent.recipes.paths import language

_SCRIPT_NAME: Final = re.compile(
    r"\b(?:function\*?|class|interface|type|enum|const|let|var)\s+(\w+)|\bexports\.(\w+)\s*="
)


class Unfit(Exception):
    """The candidate is not worth a try; the message says why."""


def checked(path: str, original: str, candidate: str) -> str:
    """Return the candidate, ready to be written.

    Raises:
        Unfit: It does not parse, changes nothing, or loses a definition.
    """
    text = f"{candidate.rstrip()}\n"
    if language(path) == "python":
        return _checked_python(original, text)
    return _checked_script(original, text)


def fingerprint(path: str, text: str) -> str:
    """Return what two files have in common when they mean the same code."""
    if language(path) == "python":
        try:
            return ast.dump(ast.parse(text))
        except (SyntaxError, ValueError):
            return text
    return re.sub(r"\s+", " ", text)


def _checked_python(original: str, text: str) -> str:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError) as error:
        raise Unfit(f"it does not parse: {error}") from error
    try:
        before = ast.parse(original)
    except (SyntaxError, ValueError):
        return with_missing_imports(text, tree)
    _compare(before, tree)
    return with_missing_imports(text, tree)


def _compare(before: ast.Module, after: ast.Module) -> None:
    """Refuse a file that changes nothing, loses a name, or hides one that it imports."""
    if ast.dump(before) == ast.dump(after):
        raise Unfit("it changes nothing")
    old, new = set(_names(before)), set(_names(after))
    if old - new:
        raise Unfit(f"it loses {', '.join(sorted(old - new))}")
    hidden = _imported(before) & (new - old)
    if hidden:
        raise Unfit(f"it defines anew what it imports: {', '.join(sorted(hidden))}")


def _imported(tree: ast.Module) -> set[str]:
    """Return the names that the file imports from elsewhere."""
    return {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def _names(scope: ast.AST, prefix: str = "") -> Iterator[str]:
    """Yield the qualified names of functions, classes and their members, and of constants."""
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield prefix + node.name
            if isinstance(node, ast.ClassDef):
                yield from _names(node, f"{prefix}{node.name}.")
        elif isinstance(node, ast.Assign):
            yield from (prefix + item.id for item in node.targets if isinstance(item, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield prefix + node.target.id


def _checked_script(original: str, text: str) -> str:
    if fingerprint("", original) == fingerprint("", text):
        raise Unfit("it changes nothing")
    lost = _script_names(original) - _script_names(text)
    if lost:
        raise Unfit(f"it loses {', '.join(sorted(lost))}")
    return text


def _script_names(text: str) -> set[str]:
    """Return the names that lines without indentation define or export."""
    lines = (line for line in text.splitlines() if line[:1].strip())
    return {one or other for line in lines for one, other in _SCRIPT_NAME.findall(line)}
