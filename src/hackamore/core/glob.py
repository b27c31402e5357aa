"""Glob patterns of resource descriptors: ``**`` spans folders, ``*`` and ``?`` do not.

A pattern is matched from the root, also when it is one name; a leading ``./`` says nothing.
"""

import re
from functools import lru_cache

from hackamore.core.errors import UsageError


def matches(pattern: str, path: str) -> bool:
    """Return whether `path` (relative, with ``/``) is meant by `pattern`.

    Raises:
        UsageError: ``**`` stands inside a segment.
    """
    return _compiled(pattern).fullmatch(path.removeprefix("./")) is not None


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    segments = pattern.removeprefix("./").rstrip("/").split("/")
    for segment in segments:
        if "**" in segment and segment != "**":
            raise UsageError(
                f"The pattern {pattern!r} has ** inside a name.",
                hint=f"Write {segment.replace('**', '**/*', 1)!r}: ** stands alone for folders.",
            )
    return re.compile("".join(_parts(segments)), re.DOTALL)


def _parts(segments: list[str]) -> list[str]:
    """Translate segments to one expression; ``**/`` may be nothing, a last ``/**`` is all below."""
    parts: list[str] = []
    last = len(segments) - 1
    for index, segment in enumerate(segments):
        if segment == "**":
            parts.append(".+" if index == last else "(?:[^/]+/)*")
        else:
            parts.append(_segment(segment) + ("" if index == last else "/"))
    return parts


_TOKEN = re.compile(r"\[(!?)([^\]]+)\]|\*|\?|[^*?\[]+|\[")


def _segment(segment: str) -> str:
    return "".join(_token(found) for found in _TOKEN.finditer(segment))


def _token(found: re.Match[str]) -> str:
    text = found.group()
    if text == "*":
        return "[^/]*"
    if text == "?":
        return "[^/]"
    if found.group(2):
        inside = found.group(2).replace("\\", "\\\\").replace("^", "\\^").replace("[", "\\[")
        return f"(?!/)[{'^' if found.group(1) else ''}{inside}]"
    return re.escape(text)
