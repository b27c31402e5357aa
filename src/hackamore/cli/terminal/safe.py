"""Text from outside on a terminal: what could steer the terminal is made visible instead.

Model answers, file content and command output may hold escape sequences (which can rewrite what
stands on the screen), characters that reverse the direction of text, and characters that show as
nothing and can carry words that only a model reads.
"""

import re
from typing import Final

_STEERING: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e"
    "\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    "|(?<![^\x00-\u05ff\u2000-\u206f])[\u200c\u200d]"  # joiners belong into emoji and some scripts
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
