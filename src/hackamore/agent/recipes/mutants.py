"""Small changes that break a Python file, for asking whether its tests would notice. Pure.

A change is one line that says something else, so that it can be shown, and made anew in a running
program without touching the file.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from typing import Final, TypeVar

MOST: Final = 8

_Item = TypeVar("_Item")
_OPPOSITES: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_OTHER_SIGNS: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """The file with one line changed.

    Attributes:
        line: Counted from 1.
        text: What stands there instead.
    """

    line: int
    text: str

    def applied(self, code: str) -> str:
        """Return the changed file."""
        lines = code.split("\n")
        lines[self.line - 1] = self.text
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Change:
    """Other code for one node; `place` is the function that it stands in."""

    place: str
    kind: str
    node: ast.expr | ast.stmt
    instead: str


def mutants(code: str, most: int = MOST) -> tuple[Mutant, ...]:
    """Return at most `most` broken versions, spread over the functions and the kinds of change.

    Code that does not parse, or holds nothing to change, has none.
    """
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError):
        return ()
    places: dict[str, dict[str, list[_Change]]] = {}
    for change in _changes(tree, ""):
        places.setdefault(change.place, {}).setdefault(change.kind, []).append(change)
    spread = _in_turn(_in_turn(kinds.values()) for kinds in places.values())
    made = (_mutant(code, change) for change in spread)
    right = (mutant for mutant in made if mutant and _differs(tree, mutant.applied(code)))
    return tuple(islice(dict.fromkeys(right), most))


def _changes(node: ast.AST, place: str) -> Iterator[_Change]:
    """Yield the changes in a node and all below it."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        place = f"{place}.{node.name}"
    for kind, target, instead in _changes_of(node):
        yield _Change(place, kind, target, instead)
    for child in _children(node):
        yield from _changes(child, place)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what is below a node and runs; f-strings have no positions to go by."""
    match node:
        case ast.JoinedStr():
            return
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
            return
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from node.body
        case ast.AnnAssign():
            yield from [node.value] if node.value else []
        case _:
            yield from ast.iter_child_nodes(node)


def _changes_of(node: ast.AST) -> Iterator[tuple[str, ast.expr | ast.stmt, str]]:
    """Yield (kind, node, other code) for the node itself."""
    match node:
        case ast.Compare(ops=[operator]):
            other = ast.Compare(node.left, [_OPPOSITES[type(operator)]()], node.comparators)
            yield "comparison", node, ast.unparse(other)
        case ast.BinOp(op=operator) if type(operator) in _OTHER_SIGNS:
            sign = _OTHER_SIGNS[type(operator)]()
            yield "sign", node, f"({ast.unparse(ast.BinOp(node.left, sign, node.right))})"
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            yield "number", node, repr(value + 1)
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            yield "result", node, "return None"
        case ast.If(test=test) | ast.IfExp(test=test) if not isinstance(test, ast.Compare):
            yield "condition", test, f"(not ({ast.unparse(test)}))"
        case ast.BoolOp(op=operator):
            joint = ast.Or() if isinstance(operator, ast.And) else ast.And()
            yield "junction", node, f"({ast.unparse(ast.BoolOp(joint, node.values))})"
        case _:
            return


def _mutant(code: str, change: _Change) -> Mutant | None:
    """Return the changed line; None when the node goes over several lines."""
    node = change.node
    if node.lineno != node.end_lineno or node.end_col_offset is None or "\n" in change.instead:
        return None
    line = code.split("\n")[node.lineno - 1].encode()
    head, tail = line[: node.col_offset], line[node.end_col_offset :]
    return Mutant(node.lineno, (head + change.instead.encode() + tail).decode())


def _differs(tree: ast.Module, code: str) -> bool:
    """Whether the code parses and means something else."""
    try:
        return ast.dump(ast.parse(code)) != ast.dump(tree)
    except (SyntaxError, ValueError):
        return False


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _in_turn(rows: Iterable[Iterable[_Item]]) -> Iterator[_Item]:
    """Yield the first of each row, then the second of each, and so on."""
    columns = zip_longest(*rows)
    return (item for item in chain.from_iterable(columns) if item is not None)
