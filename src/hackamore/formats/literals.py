"""Reads arguments as models write them in a call: JSON, Python literals, or bare words.

The text is cut into tokens and written anew as JSON, which is then read strictly. Nothing is
evaluated, so no text can do harm or cost more than its length.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from hackamore.core.json import JSON
from hackamore.formats.strict_json import parse_json

_MARKS: Final = r"()\[\]{},:=\uFF08\uFF09\uFF0C\uFF1A\uFF1D"
_TOKEN: Final = re.compile(
    rf"""
      (?P<string>[rR]?(?:
          \"\"\"(?:[^"\\]++|\\.|"(?!""))*+\"\"\"
        | '''(?:[^'\\]++|\\.|'(?!''))*+'''
        | "(?:[^"\\\n]++|\\.)*+"
        | '(?:[^'\\\n]++|\\.)*+'
      ))
    | (?P<mark>[{_MARKS}])
    | (?P<word>[^\s"'{_MARKS}][^\s{_MARKS}]*+)
    | (?P<space>\s+)
    """,
    re.VERBOSE | re.DOTALL,
)
_ASCII: Final = str.maketrans("\uff08\uff09\uff0c\uff1a\uff1d", "(),:=")
_ESCAPE: Final = re.compile(
    r"\\(?:(u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2}))"
    r"|(\n)|(.))",
    re.DOTALL,
)
_PLAIN: Final = {
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    "a": "\a",
    **{character: character for character in "\\/\"'"},
}
_WORDS: Final = {"True": "true", "False": "false", "None": "null"}
_PREFIXED: Final = re.compile(r"""[A-Za-z]{1,2}(["']).*\1""", re.DOTALL)
"""Strings of a kind that is not read, such as f"…"."""

_LAST_CHARACTER: Final = 0x10FFFF
_HALVES: Final = range(0xD800, 0xE000)


class Token(NamedTuple):
    """A piece of the text: a string, a mark (always ASCII) or a word, and where it stands."""

    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Item:
    """One argument.

    Attributes:
        name: Its name; "" when it has none.
        value: The value; for bare words, the words as they were written.
        bare: Whether it was written without quotes or brackets.
    """

    name: str
    value: JSON
    bare: bool = False


def read_items(text: str) -> Sequence[Item]:
    """Return the arguments that stand, with commas between them, in `text`.

    Raises:
        ValueError: It cannot be read; the words say why.
    """
    parts = _parted(_tokens(text))
    if parts and not parts[-1]:
        parts.pop()
    return [_item(part, text) for part in parts]


def read_json(text: str) -> JSON:
    """Return the value of `text`, which is JSON or, failing that, a Python literal.

    Raises:
        ValueError: It is neither; the words say what is wrong with the JSON.
    """
    try:
        return parse_json(text)
    except ValueError as error:
        try:
            return _structure(_tokens(text))
        except ValueError:
            raise error from None


def _tokens(text: str) -> Sequence[Token]:
    tokens: list[Token] = []
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise ValueError(f"there is a quote too many or too few near {text[at : at + 30]!r}")
        kind, piece = str(found.lastgroup), found.group()
        if kind != "space":
            piece = piece.translate(_ASCII) if kind == "mark" else piece
            tokens.append(Token(kind, piece, at, found.end()))
        at = found.end()
    return tokens


def _parted(tokens: Sequence[Token]) -> list[list[Token]]:
    """Part `tokens` at the commas that are in no bracket."""
    parts: list[list[Token]] = [[]] if tokens else []
    depth = 0
    for token in tokens:
        mark = token.text if token.kind == "mark" else ""
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(mark, 0)
        if depth == 0 and mark == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _item(tokens: Sequence[Token], text: str) -> Item:
    if not tokens:
        raise ValueError("there is a comma with nothing before it")
    name = ""
    if len(tokens) > 1 and tokens[0].kind == "word" and tokens[1][:2] == ("mark", "="):
        name, tokens = tokens[0].text, tokens[2:]
    if tokens and all(token.kind == "word" for token in tokens):
        return Item(name, _bare(text[tokens[0].start : tokens[-1].end]), bare=True)
    return Item(name, _structure(tokens))


def _bare(words: str) -> str:
    if '"' in words or _PREFIXED.fullmatch(words):
        raise ValueError(f"there is a quote in the middle of {words[:30]!r}")
    return words


def _structure(tokens: Sequence[Token]) -> JSON:
    """Return the value of `tokens`, written anew as JSON."""
    written: list[str] = []
    for token in tokens:
        if token.kind == "string":
            written.append(json.dumps(_string(token.text)))
        elif token.kind == "word":
            written.append(_WORDS.get(token.text, token.text))
        else:
            if token.text in "]}" and written and written[-1] == ",":
                written.pop()
            written.append(token.text)
    return parse_json(" ".join(written))


def _string(token: str) -> str:
    body = token.lstrip("rR")
    length = 3 if body[:3] in {'"""', "'''"} else 1
    inner = body[length:-length]
    return inner if body != token else _ESCAPE.sub(_unescaped, inner)


def _unescaped(found: re.Match[str]) -> str:
    pair, four, eight, two, line_break, plain = found.groups()
    if pair:
        return str(json.loads(f'"\\{pair}"'))
    if line_break:
        return ""
    if plain:
        if plain not in _PLAIN:
            raise ValueError(f"\\{plain} is no escape; write \\\\{plain} for a backslash")
        return _PLAIN[plain]
    return _character(int(four or eight or two, 16))


def _character(code: int) -> str:
    if code > _LAST_CHARACTER or code in _HALVES:
        raise ValueError(f"there is no character {code:x}")
    return chr(code)
