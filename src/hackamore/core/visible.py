"""Words from outside as data: whatever cannot be seen is taken out before a model reads them.

Characters that show as nothing can carry orders to a model which the person never sees (tag
characters U+E0000…, zero-width joiners between letters, direction marks, terminal escapes).
"""

import json
import re
import unicodedata
from typing import Final

_ESCAPES: Final = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_].*?(?:\x07|\x1b\\|\Z)|[@-_])|\x9b[0-?]*[ -/]*[@-~]",
    re.DOTALL,
)
_PLAIN: Final = re.compile("[\n\t -~]*")
_LINE_ENDS: Final = re.compile("\r\n|[\u2028\u2029]")
_KEPT_CONTROLS: Final = frozenset("\n\t")
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
_JOINED_EMOJI: Final = re.compile("(?<=[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f])\u200d")
_JOINED_LETTERS: Final = re.compile("(?<=[\u0600-\u1fff])[\u200c\u200d](?=[\u0600-\u1fff])")
_JOINER_MARK: Final = "\ue0ff"
_VARIATION: Final = re.compile("[\ufe00-\ufe0e\U000e0100-\U000e01ef\u115f\u1160\u3164\uffa0\u034f]")


def visible(text: str) -> str:
    """Return `text` without terminal escapes and invisible characters, with plain line ends."""
    if _PLAIN.fullmatch(text):
        return text
    plain = _ESCAPES.sub("", _LINE_ENDS.sub("\n", text).replace(_JOINER_MARK, ""))
    plain = _VARIATION.sub("", _JOINED_EMOJI.sub(_JOINER_MARK, plain))
    kept = "".join(filter(_shows, plain))
    return kept.replace(_JOINER_MARK, "\u200d")


def hides_something(text: str) -> bool:
    """Return whether `visible` would take something out."""
    return visible(text) != _LINE_ENDS.sub("\n", text)


def name_hides_something(text: str) -> bool:
    """Return whether a name or a value, which must stay as it is, holds what cannot be seen.

    Line ends, and joiners between letters of scripts that are written with them, are no secret.
    """
    bare = _JOINED_LETTERS.sub("", text.replace("\r", ""))
    return visible(bare) != bare


def visible_json(value: object) -> str:
    """Return `value` as JSON in which what cannot be seen is written as an escape."""
    written = json.dumps(value, ensure_ascii=False, default=str)
    if visible(written) == written:
        return written
    return "".join(one if visible(one) == one else json.dumps(one)[1:-1] for one in written)


def _shows(character: str) -> bool:
    return (
        character in _KEPT_CONTROLS
        or character == _JOINER_MARK
        or unicodedata.category(character) not in _INVISIBLE
    )
