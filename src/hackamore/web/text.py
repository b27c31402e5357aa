"""From a body's bytes to its text, by what the server, the bytes and the page say of it."""

import codecs
import re
from typing import Final

from hackamore.web.charsets import codec_of

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_META: Final = re.compile(
    rb"<meta[^>]{0,300}?charset\s*=\s*[\"']?\s*([\w:.-]{1,40})", re.IGNORECASE
)
_META_WITHIN: Final = 4096
_CHARSET: Final = re.compile(r";\s*charset\s*=\s*[\"']?\s*([\w:.+-]{1,40})", re.IGNORECASE)
_LONGEST_TYPE: Final = 1000
_HTML: Final = ("text/html", "application/xhtml+xml")
_TEXT: Final = re.compile(
    r"text/.*|application/(.*\+)?(json|xml|yaml|toml|javascript|ecmascript|sql|graphql)"
    r"|application/x-(yaml|sh|httpd-php|ndjson)|application/(ndjson|jsonl)|image/svg\+xml"
)


def media_type_of(content_type: str) -> tuple[str, str | None]:
    """Return the media type in lower case, and the charset that a header names, if it does."""
    written = content_type[:_LONGEST_TYPE]
    kind = written.partition(";")[0].strip().lower()
    found = _CHARSET.search(written)
    named = found.group(1).lower() if found else None
    return (kind if "/" in kind or not written.strip() else "text/plain"), named


def is_html(media_type: str) -> bool:
    """Return whether a body of this type is a page to be made Markdown of."""
    return media_type in _HTML


def text_of(body: bytes, media_type: str, charset: str | None) -> str | None:
    """Return a body as text, or None when it is none."""
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(encoding, "replace")
    if media_type and not _TEXT.fullmatch(media_type) and not is_html(media_type):
        return None
    named = charset or (_meta_charset(body) if is_html(media_type) else None)
    codec = codec_of(named or "")
    if b"\0" in body and not (codec or "").startswith("utf-16"):
        return None
    return body.decode(codec, "replace") if codec else _guessed(body)


def _meta_charset(body: bytes) -> str | None:
    found = _META.search(body[:_META_WITHIN])
    return found.group(1).decode("ascii", "replace").lower() if found else None


def _guessed(body: bytes) -> str:
    """Read what names no charset: as UTF-8, or as Windows' Latin where it cannot be that."""
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        cut = error.reason == "unexpected end of data"
        return body.decode("utf-8" if cut else "cp1252", "replace")
