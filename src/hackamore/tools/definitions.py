"""Definitions of a source file by plain means: Python by its parser, others by how they look."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

_Looks: TypeAlias = tuple[tuple[str, re.Pattern[str]], ...]

_LONGEST_LINE: Final = 400
_FUNCTIONS: Final = ("function", "method", "macro")
_NO_NAMES: Final = frozenset(
    ("if", "for", "while", "switch", "catch", "return", "else", "new", "throw", "sizeof", "using")
)


@dataclass(frozen=True, slots=True)
class Definition:
    """One name. `line` counts from 1; `depth` is how many definitions it stands in."""

    kind: str
    name: str
    line: int
    depth: int = 0


def definitions_of(path: str, text: str) -> tuple[Definition, ...] | None:
    """Return what a file defines, in order; None when its language is not known."""
    ending = path.rpartition(".")[2].lower()
    if ending in ("py", "pyi"):
        return _python(text)
    looks = _LOOKS.get(ending)
    return None if looks is None else tuple(_by_looks(text, looks))


def _python(text: str) -> tuple[Definition, ...]:
    try:
        return tuple(_in_body(ast.parse(text).body, 0))
    except (SyntaxError, ValueError, RecursionError):
        return tuple(_by_looks(text, _PYTHON))


def _in_body(body: list[ast.stmt], depth: int) -> Iterator[Definition]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield Definition("class", node.name, node.lineno, depth)
            yield from _in_body(node.body, depth + 1)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Definition("method" if depth else "function", node.name, node.lineno, depth)


def _by_looks(text: str, looks: _Looks) -> Iterator[Definition]:
    """Yield lines that look like definitions; what stands further right belongs to the one above.

    What stands in a function is local to it, and left out.
    """
    around: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        found = _look(line, looks)
        if found is None:
            continue
        indent = len(line) - len(line.lstrip())
        while around and around[-1][0] >= indent:
            around.pop()
        if around and around[-1][1] in _FUNCTIONS:
            continue
        kind, name = found
        yield Definition(kind, name, number, len(around))
        around.append((indent, kind))


def _look(line: str, looks: _Looks) -> tuple[str, str] | None:
    if len(line) > _LONGEST_LINE:
        return None
    for kind, pattern in looks:
        found = pattern.match(line)
        if found and found.group(1) not in _NO_NAMES:
            return kind, found.group(1)
    return None


def _looks(*pairs: tuple[str, str]) -> _Looks:
    return tuple((kind, re.compile(r"\s*" + pattern)) for kind, pattern in pairs)


_PYTHON: Final = _looks(("class", r"class (\w+)"), ("function", r"(?:async )?def (\w+)"))
_SCRIPT: Final = _looks(
    ("class", r"(?:export )?(?:default )?(?:declare )?(?:abstract )?class (\w+)"),
    ("interface", r"(?:export )?(?:declare )?interface (\w+)"),
    ("type", r"(?:export )?(?:declare )?type (\w+)[ <]"),
    ("enum", r"(?:export )?(?:declare )?(?:const )?enum (\w+)"),
    ("namespace", r"(?:export )?(?:declare )?namespace ([\w.]+)"),
    ("function", r"(?:export )?(?:default )?(?:declare )?(?:async )?function\*? ?(\w+)"),
    ("function", r"(?:export )?const (\w+) ?(?::[^=]*)?= ?(?:async ?)?(?:\([^)]*\)|\w+)[^=]*=>"),
    ("method", r"(?:(?:public|private|protected|static|async|get|set) )*#?(\w+) ?\([^;]*\{$"),
)
_GO: Final = _looks(
    ("method", r"func \([^)]*\) (\w+)"),
    ("function", r"func (\w+)"),
    ("struct", r"type (\w+)(?:\[[^]]*\])? struct"),
    ("interface", r"type (\w+)(?:\[[^]]*\])? interface"),
    ("type", r"type (\w+) "),
)
_RUST_SEEN: Final = r"(?:pub(?:\([^)]*\))? )?"
_RUST: Final = _looks(
    ("function", _RUST_SEEN + r"(?:const )?(?:async )?(?:unsafe )?(?:extern \"\w+\" )?fn (\w+)"),
    ("struct", _RUST_SEEN + r"struct (\w+)"),
    ("enum", _RUST_SEEN + r"enum (\w+)"),
    ("trait", _RUST_SEEN + r"(?:unsafe )?trait (\w+)"),
    ("type", _RUST_SEEN + r"type (\w+)"),
    ("module", _RUST_SEEN + r"mod (\w+)"),
    ("macro", r"macro_rules! (\w+)"),
    ("implementation", r"(?:unsafe )?impl(?:<[^>]*>)? (.+?) ?\{"),
)
_MODIFIED: Final = (
    r"(?:(?:public|private|protected|internal|static|final|abstract|sealed|partial|override"
    r"|virtual|async|open|data|inner|suspend|inline|readonly|synchronized|default|native) )*"
)
_BRACES: Final = _looks(
    ("class", _MODIFIED + r"(?:enum )?class (\w+)"),
    ("interface", _MODIFIED + r"(?:fun )?interface (\w+)"),
    ("struct", _MODIFIED + r"(?:record )?struct (\w+)"),
    ("enum", _MODIFIED + r"enum (\w+)"),
    ("record", _MODIFIED + r"record (\w+)"),
    ("protocol", _MODIFIED + r"protocol (\w+)"),
    ("extension", _MODIFIED + r"extension (\w+)"),
    ("object", _MODIFIED + r"(?:companion )?object (\w+)"),
    ("namespace", r"namespace ([\w.]+)"),
    ("function", _MODIFIED + r"(?:func|fun) (?:<[^>]*> )?(?:\w+\.)?(\w+)"),
    ("method", _MODIFIED + r"(?!return |else |throw |new |await )[\w<>\[\],.?]+ (\w+) ?\([^;]*$"),
)
_C: Final = _looks(
    ("macro", r"# ?define (\w+)\("),
    ("namespace", r"(?:inline )?namespace ([\w:]+)"),
    ("class", r"(?:template ?<.*> ?)?class (\w+)(?! ?;)"),
    ("struct", r"(?:typedef )?struct (\w+)(?: ?[:{].*)?$"),
    ("union", r"(?:typedef )?union (\w+)(?: ?\{.*)?$"),
    ("enum", r"(?:typedef )?enum (?:class |struct )?(\w+)"),
    (
        "function",
        r"(?!return |else |throw |new )[\w:<>,*&]+[ *&]+(?:\w+ [ *&]*)*([\w:~]+) ?\([^;]*$",
    ),
)
_RUBY: Final = _looks(
    ("class", r"class ([\w:]+)"),
    ("module", r"module ([\w:]+)"),
    ("method", r"def (?:self\.)?([\w?!=]+)"),
)
_PHP_SEEN: Final = r"(?:(?:public|private|protected|static|final|abstract|readonly) )*"
_PHP: Final = _looks(
    ("class", _PHP_SEEN + r"class (\w+)"),
    ("interface", r"interface (\w+)"),
    ("trait", r"trait (\w+)"),
    ("enum", r"enum (\w+)"),
    ("function", _PHP_SEEN + r"function &?(\w+)"),
)
_LOOKS: Final = {
    **dict.fromkeys(("js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"), _SCRIPT),
    **dict.fromkeys(("java", "kt", "kts", "cs", "swift", "scala"), _BRACES),
    **dict.fromkeys(("c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx"), _C),
    "go": _GO,
    "rs": _RUST,
    "rb": _RUBY,
    "php": _PHP,
}
