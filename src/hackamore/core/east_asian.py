"""Whether text that could be decoded as an East Asian encoding is plausible in it.

Other single-byte text can often be read so too, but as rare characters, and one by one.
"""

from itertools import pairwise
from typing import Final

_COMMON: Final = 0.6
_TOGETHER: Final = 0.5
_GB2312_TRAILS: Final = range(0xA1, 0xFF)
_GB2312_LEADS: Final = frozenset((0xA1, 0xA3, *range(0xB0, 0xD8)))
_JIS_LEADS: Final = frozenset((*range(0x81, 0x84), *range(0x88, 0x98)))
_HANGUL: Final = range(0xAC00, 0xD7A4)
_MOSTLY: Final = 0.95
_ENOUGH_HANGUL: Final = 8


def is_chinese(text: str) -> bool:
    """Tell whether most of what is not ASCII is in GB 2312's first level, or punctuation."""
    others = _others(text)
    common = sum(_is_common_chinese(char) for char in others)
    return common >= len(others) * _COMMON


def is_japanese(text: str) -> bool:
    """Tell whether most of what is not ASCII are kana and JIS level 1, standing together.

    The apostrophe and the s of Western text are a common character, too, but a lone one.
    """
    others = _others(text)
    common = sum(_is_common_japanese(char) for char in others)
    return common >= len(others) * _COMMON and _neighbours(text) >= len(others) * _TOGETHER


def is_korean(text: str) -> bool:
    """Tell whether nearly all that is not ASCII is Hangul, and not just a little.

    Chinese shares a part of the codes of Hangul, and strays from it within some characters.
    """
    others = _others(text)
    hangul = sum(ord(char) in _HANGUL for char in others)
    return hangul >= max(_ENOUGH_HANGUL, len(others) * _MOSTLY)


def _others(text: str) -> list[str]:
    return [char for char in text if not char.isascii()]


def _neighbours(text: str) -> int:
    """Count the characters beyond ASCII that follow another one."""
    return sum(not one.isascii() and not two.isascii() for one, two in pairwise(text))


def _is_common_chinese(char: str) -> bool:
    code = char.encode("gbk")
    return code[0] in _GB2312_LEADS and code[-1] in _GB2312_TRAILS


def _is_common_japanese(char: str) -> bool:
    code = char.encode("cp932")
    return len(code) > 1 and code[0] in _JIS_LEADS
