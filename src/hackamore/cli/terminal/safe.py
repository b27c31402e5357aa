"""Text from outside on a terminal: what could steer the terminal is made visible instead.

Model answers, file content and command output may hold escape sequences (which can rewrite what
stands on the screen) and characters that reverse the direction of text.
"""

import re
from typing import Final

_STEERING: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
_CONTROL_PICTURES: Final = 0x2400
_DELETE: Final = 0x7F
_DELETE_PICTURE: Final = "\u2421"
_SPACE: Final = 0x20


def visible(text: str) -> str:
    """Return `text` with everything that steers a terminal replaced by a picture of it."""
    return _STEERING.sub(_picture, text.replace("\r\n", "\n"))


def _picture(found: re.Match[str]) -> str:
    code = ord(found.group())
    if code < _SPACE:
        return chr(_CONTROL_PICTURES + code)
    return _DELETE_PICTURE if code == _DELETE else f"<U+{code:04X}>"
