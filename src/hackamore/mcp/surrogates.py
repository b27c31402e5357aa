"""Halves of surrogate pairs in JSON: what is left when a text was cut in the middle of an emoji.

JSON can write such a half as an escape, and some serialisers do; Unicode knows no such character.
Pure.
"""

import re
from typing import Final

_MAYBE: Final = re.compile(rb"\\u[dD][89a-fA-F]")
_ESCAPE: Final = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
_FIRST_HALF: Final = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}")
_LONGEST_PAIR: Final = len(rb"\ud83d\ude00")
_LONGEST_HELD: Final = 4096


def without_halves(json: bytes) -> bytes:
    """Return a JSON text in which the replacement character stands for each half of a pair."""
    if _MAYBE.search(json) is None:
        return json
    return _ESCAPE.sub(lambda escape: rb"\ufffd" if escape[1] else escape[0], json)


def open_end(json: bytes) -> int:
    """Return where an escape begins that may go on after the end of `json`; its length if none.

    A line end closes all: no JSON text has one within.
    """
    place = json.find(b"\\", max(len(json) - _LONGEST_PAIR + 1, 0))
    if place < 0 or b"\n" in json[place:] or b"\r" in json[place:]:
        return len(json)
    if _FIRST_HALF.fullmatch(json, max(place - _LONGEST_PAIR // 2, 0), place):
        place -= _LONGEST_PAIR // 2
    run = place - len(json[:place].rstrip(b"\\"))
    return place - run if run < _LONGEST_HELD else len(json)
