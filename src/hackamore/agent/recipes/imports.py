"""Adds imports of the standard library that a rewritten Python file uses and forgot. Pure."""

import ast
import builtins
import sys
from collections.abc import Iterator
from typing import Final

_MEMBERS: Final = {
    "collections": ("Counter", "OrderedDict", "defaultdict", "deque", "namedtuple"),
    "dataclasses": ("dataclass", "field", "replace"),
    "datetime": ("date", "datetime", "timedelta", "timezone"),
    "decimal": ("Decimal", "ROUND_HALF_EVEN", "ROUND_HALF_UP"),
    "enum": ("Enum", "IntEnum"),
    "functools": ("cached_property", "lru_cache", "partial", "reduce", "wraps"),
    "itertools": ("accumulate", "chain", "groupby", "islice", "product"),
    "pathlib": ("Path",),
    "typing": ("Any", "Optional"),
}
_HOMES: Final = {name: module for module, names in _MEMBERS.items() for name in names}


def with_missing_imports(text: str, tree: ast.Module) -> str:
    """Return the file with an import for each name that only the standard library can mean.

    Args:
        text: The file.
        tree: The same, parsed.
    """
    missing = sorted(_used(tree) - _bound(tree) - set(dir(builtins)))
    lines = [line for line in (_import_line(name, tree) for name in missing) if line]
    if not lines:
        return text
    at = _first_line_for_imports(tree)
    old = text.splitlines()
    return "\n".join([*old[:at], *lines, *old[at:]]) + "\n"


def _import_line(name: str, tree: ast.Module) -> str:
    if name in _HOMES and not _used_as_module(name, tree):
        return f"from {_HOMES[name]} import {name}"
    return f"import {name}" if name in sys.stdlib_module_names else ""


def _used_as_module(name: str, tree: ast.Module) -> bool:
    """Whether ``datetime.timedelta`` and the like show that the module is meant."""
    members = _MEMBERS.get(name, ())
    return any(
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == name
        and node.attr in members
        for node in ast.walk(tree)
    )


def _used(tree: ast.Module) -> set[str]:
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def _bound(tree: ast.Module) -> set[str]:
    return {name for node in ast.walk(tree) for name in _names_bound_by(node)}


def _names_bound_by(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node binds, in whatever scope."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.arg(arg=name):
            yield name
        case ast.alias(name=name, asname=other):
            yield other or name.split(".")[0]
        case ast.ExceptHandler(name=str(name)):
            yield name
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case _:
            return


def _first_line_for_imports(tree: ast.Module) -> int:
    """Return the line after the docstring and the imports from ``__future__``."""
    at = 0
    for node in tree.body:
        future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not (future or text):
            break
        at = node.end_lineno or at
    return at
