"""What a server answered to a call, as a core `ToolOutput`."""

import base64
import binascii
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final, cast

import mcp_types as types

from hackamore.core.content import (
    Audio,
    BlobResource,
    Content,
    ResourceLink,
    TextResource,
    UnknownContent,
)
from hackamore.core.json import JSON, JSONObject
from hackamore.core.messages import Image, Text
from hackamore.core.tools import ToolOutput
from hackamore.mcp.blocks import RAW_BLOCK
from hackamore.mcp.tolerance import RAW_STRUCTURE
from hackamore.mcp.visible import visible, visible_json

_DATA_URL: Final = re.compile(r"\s*data:[^,]{0,200};base64,", re.IGNORECASE)
_WORDS: Final = ("text", "uri", "name", "description", "media_type")
_LONGEST_UNKNOWN: Final = 2_000
_NOTHING: Final = "(The tool returned nothing.)"


def output_of(result: types.CallToolResult) -> ToolOutput:
    """Return what `result` tells: words for the model, parts for whoever can show them.

    What cannot be seen is taken out of the words, in the parts too; the structured data, which are
    for programs, stay as they came.
    """
    failed = bool(result.is_error)
    if (words := _words_alone(result)) is not None:
        return ToolOutput(words or _NOTHING, is_error=failed, content=(Text(words),))
    content = tuple(_seen(_part(block)) for block in result.content)
    structured = _structured(result)
    text = _text(content, structured)
    return ToolOutput(text or _NOTHING, is_error=failed, structured=structured, content=content)


def _words_alone(result: types.CallToolResult) -> str | None:
    """Return what a result says when it is one text and nothing else, as nearly all are."""
    if len(result.content) != 1 or result.structured_content is not None or result.meta:
        return None
    (block,) = result.content
    if not isinstance(block, types.TextContent) or block.meta:
        return None
    return visible(block.text)


def resource_parts(
    contents: Iterable[types.TextResourceContents | types.BlobResourceContents],
) -> tuple[Content, ...]:
    """Return what a resource holds."""
    return tuple(_resource(one) for one in contents)


def part_of(block: types.ContentBlock) -> Content:
    """Return one block of content, of a result or of a prompt."""
    return _part(block)


def describe(part: Content) -> str:
    """Return a part in words that can be seen, for readers that take only words."""
    match _seen(part):
        case Text(text=text):
            return text
        case TextResource(uri=uri, text=text):
            return f"[resource {uri}]\n{text}"
        case Image(media_type=kind, data=data) | Audio(media_type=kind, data=data):
            return f"[{kind}, {len(data)} bytes]"
        case BlobResource(uri=uri, data=data, media_type=kind):
            return f"[resource {uri}: {kind or 'bytes'}, {len(data)} bytes]"
        case ResourceLink(uri=uri, name=name):
            return f"[link to the resource {name}: {uri}]"
        case UnknownContent(raw=raw):
            return f"[content of an unknown kind: {visible_json(raw)[:_LONGEST_UNKNOWN]}]"


def _seen(part: Content) -> Content:
    """Return a part without what cannot be seen; one of an unknown kind stays as it came."""
    if isinstance(part, UnknownContent):
        return part
    words = {name: getattr(part, name) for name in _WORDS if hasattr(part, name)}
    changed = {name: visible(text) for name, text in words.items() if text}
    return (
        replace(part, **changed) if any(words[name] != changed[name] for name in changed) else part
    )


def _text(content: tuple[Content, ...], structured: JSON) -> str:
    """Return the words; structured data stand in where there are no others."""
    words = [describe(part) for part in content]
    has_words = any(isinstance(part, Text) and part.text.strip() for part in content)
    if structured is not None and not has_words:
        words.append(visible_json(structured))
    return "\n".join(words)


def _structured(result: types.CallToolResult) -> JSON:
    set_aside = cast(JSONObject, result.meta or {}).get(RAW_STRUCTURE)
    return set_aside if set_aside is not None else cast(JSON, result.structured_content)


def _part(block: types.ContentBlock) -> Content:
    match block:
        case types.TextContent():
            raw: Any = (block.meta or {}).get(RAW_BLOCK)
            return Text(block.text) if raw is None else UnknownContent(_as_object(raw))
        case types.ImageContent() | types.AudioContent():
            data = _decoded(block.data)
            if data is None:
                return UnknownContent({"type": block.type, "mimeType": block.mime_type})
            kind = Image if isinstance(block, types.ImageContent) else Audio
            return kind(block.mime_type, data)
        case types.ResourceLink():
            name = block.title or block.name
            return ResourceLink(block.uri, name, block.description or "", block.mime_type)
        case types.EmbeddedResource():
            return _resource(block.resource)


def _resource(resource: types.TextResourceContents | types.BlobResourceContents) -> Content:
    if isinstance(resource, types.TextResourceContents):
        return TextResource(resource.uri, resource.text, resource.mime_type)
    data = _decoded(resource.blob)
    if data is None:
        return UnknownContent({"type": "resource", "uri": resource.uri})
    return BlobResource(resource.uri, data, resource.mime_type)


def _decoded(text: str) -> bytes | None:
    """Return the bytes of base64 text, however it is written; None if it is none.

    It may be URL-safe or not, padded or not, in lines, or a ``data:`` URL.
    """
    bare = _DATA_URL.sub("", text, count=1)
    plain = "".join(bare.split()).translate(str.maketrans("-_", "+/")).rstrip("=")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def _as_object(raw: object) -> JSONObject:
    return cast(JSONObject, raw) if isinstance(raw, dict) else {"value": cast(JSON, raw)}
