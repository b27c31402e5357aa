"""Words of servers as data: whatever cannot be seen is taken out before a model reads them.

Characters that show as nothing can carry orders to a model which the person never sees (tag
characters U+E0000…, zero-width joiners between letters, direction marks, terminal escapes).
"""

import re
import unicodedata
from typing import Final

_ESCAPES: Final = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_].*?(?:\x07|\x1b\\|\Z)|[@-_])|\x9b[0-?]*[ -/]*[@-~]",
    re.DOTALL,
)
_KEPT_CONTROLS: Final = frozenset("\n\t")
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Co", "Cs", "Cn"})
_JOINED_EMOJI: Final = re.compile("(?<=[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f])\u200d")
_JOINER_MARK: Final = "\ue0ff"
_VARIATION: Final = re.compile("[\ufe00-\ufe0e\U000e0100-\U000e01ef\u115f\u1160\u3164\uffa0\u034f]")


def visible(text: str) -> str:
    """Return `text` without terminal escapes and invisible characters."""
    if text.isascii() and text.isprintable():
        return text
    plain = _ESCAPES.sub("", text.replace("\r\n", "\n").replace(_JOINER_MARK, ""))
    plain = _VARIATION.sub("", _JOINED_EMOJI.sub(_JOINER_MARK, plain))
    kept = "".join(filter(_shows, plain))
    return kept.replace(_JOINER_MARK, "\u200d")


def hides_something(text: str) -> bool:
    """Return whether `visible` would take something out."""
    return visible(text) != text.replace("\r\n", "\n")


def _shows(character: str) -> bool:
    return (
        character in _KEPT_CONTROLS
        or character == _JOINER_MARK
        or unicodedata.category(character) not in _INVISIBLE
    )
