"""From a body's bytes to its text, by what the server, the bytes and the page say of it."""

import codecs
import re
from email.message import Message
from typing import Final

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_META: Final = re.compile(
    rb"<meta[^>]{0,300}?charset\s*=\s*[\"']?\s*([\w:.-]{1,40})", re.IGNORECASE
)
_META_WITHIN: Final = 4096
_OTHERWISE_READ: Final = {
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "latin-1": "cp1252",
    "us-ascii": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
}
_HTML: Final = ("text/html", "application/xhtml+xml")
_TEXT: Final = re.compile(
    r"text/.*|application/(.*\+)?(json|xml|yaml|toml|javascript|ecmascript|sql|graphql)"
    r"|application/x-(yaml|sh|httpd-php|ndjson)|application/(ndjson|jsonl)|image/svg\+xml"
)


def media_type_of(content_type: str) -> tuple[str, str | None]:
    """Return the media type in lower case, and the charset that a header names, if it does."""
    message = Message()
    message["content-type"] = content_type
    named = message.get_content_charset() if content_type else None
    return (message.get_content_type() if content_type.strip() else ""), named


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
    if b"\0" in body and not (named or "").startswith(("utf-16", "utf-32")):
        return None
    return _decoded(body, named)


def _meta_charset(body: bytes) -> str | None:
    found = _META.search(body[:_META_WITHIN])
    return found.group(1).decode("ascii", "replace").lower() if found else None


def _decoded(body: bytes, named: str | None) -> str:
    name = (named or "utf-8").strip("\"' ").lower()
    try:
        return body.decode(_OTHERWISE_READ.get(name, name), "replace")
    except (LookupError, ValueError):
        return body.decode("utf-8", "replace")
