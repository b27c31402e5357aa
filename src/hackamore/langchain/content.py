"""What a tool gives back, as LangChain's content blocks; and such blocks as ours."""

import base64
import binascii
from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias, TypeGuard

from hackamore.core.content import (
    Audio,
    BlobResource,
    Content,
    ResourceLink,
    TextResource,
    UnknownContent,
)
from hackamore.core.messages import Image, Text
from hackamore.core.tools import ToolOutput
from hackamore.core.visible import visible_json

Block: TypeAlias = dict[str, Any]
"""A LangChain content block."""

_BYTES: Final = "application/octet-stream"
_LONGEST_NOTE: Final = 2000
_SILENT_ERROR: Final = "The tool failed and did not say why."


def message_content(output: ToolOutput) -> str | list[str | Block]:
    """Return `output` as the content of a message: plain text where it is one text.

    Data is written out as JSON when there are no words beside it.
    """
    parts = output.content or ((Text(output.text),) if output.text else ())
    if not any(map(_has_words, parts)):
        parts = _with_words(output, parts)
    match parts:
        case ():
            return ""
        case (Text(text=text),):
            return text
        case _:
            return [block(part) for part in parts]


def block(part: Content) -> Block:  # one line for each kind of content
    """Return `part` as a content block; what is unknown as a readable note."""
    match part:
        case Text(text=text) | TextResource(text=text):
            return {"type": "text", "text": text}
        case Image(media_type=media_type, data=data):
            return {"type": "image", "base64": _encoded(data), "mime_type": media_type}
        case Audio(media_type=media_type, data=data):
            return {"type": "audio", "base64": _encoded(data), "mime_type": media_type}
        case ResourceLink():
            return _link(part)
        case BlobResource(uri=uri, data=data, media_type=media_type):
            kind = media_type or _BYTES
            name = {"filename": uri.rstrip("/").rsplit("/", 1)[-1]}
            return {"type": "file", "base64": _encoded(data), "mime_type": kind, "extras": name}
        case UnknownContent(raw=raw):
            note = visible_json(raw)[:_LONGEST_NOTE]
            return {"type": "text", "text": f"[content of a kind that is not known here: {note}]"}


def parts_of(content: object) -> tuple[Content, ...]:
    """Return the content of a LangChain message as ours; what is unknown as it came."""
    if isinstance(content, str):
        return (Text(content),) if content else ()
    return tuple(map(_part, content)) if _is_list(content) else ()


def text_of(parts: Iterable[Content]) -> str:
    """Return the words of `parts`, and short notes in place of what is no text."""
    return "\n".join(_as_text(parts))


def _has_words(part: Content) -> bool:
    return isinstance(part, Text | TextResource) and bool(part.text.strip())


def _with_words(output: ToolOutput, parts: tuple[Content, ...]) -> tuple[Content, ...]:
    """Return the wordless `parts` with what words there are to say."""
    if output.structured is not None:
        return (
            Text(visible_json(output.structured)),
            *(part for part in parts if not isinstance(part, Text)),
        )
    return (Text(_SILENT_ERROR),) if output.is_error and not parts else parts


def _link(link: ResourceLink) -> Block:
    said = {"name": link.name, "description": link.description}
    extras = {name: words for name, words in said.items() if words}
    kind = {"mime_type": link.media_type} if link.media_type else {}
    return {"type": "file", "url": link.uri, **kind, "extras": extras}


def _part(found: object) -> Content:
    if isinstance(found, str):
        return Text(found)
    if not _is_block(found):
        return UnknownContent({"value": str(found)})
    match found:
        case {"type": "text", "text": str(text)}:
            return Text(text)
        case {"type": "file", "url": str(uri)}:
            return ResourceLink(uri, _extra(found, "name") or uri)
        case {"type": "image" | "audio" | "file", "base64": str(encoded)}:
            return _decoded(found, encoded)
        case _:
            return UnknownContent(found)


def _decoded(found: Block, encoded: str) -> Content:
    try:
        data = base64.b64decode(encoded, validate=True)
    except binascii.Error:
        return UnknownContent(found)
    media_type = str(found.get("mime_type", _BYTES))
    match found["type"]:
        case "image":
            return Image(media_type, data)
        case "audio":
            return Audio(media_type, data)
        case _:
            return BlobResource(_extra(found, "filename"), data, media_type)


def _extra(found: Block, name: str) -> str:
    extras = found.get("extras")
    return str(extras.get(name, "")) if _is_block(extras) else ""


def _as_text(parts: Iterable[Content]) -> Iterator[str]:
    for part in parts:
        match part:
            case Text(text=text) | TextResource(text=text):
                yield text
            case Image(media_type=kind) | Audio(media_type=kind):
                yield f"[{kind}]"
            case ResourceLink(uri=uri) | BlobResource(uri=uri):
                yield f"[{uri}]"
            case UnknownContent():
                yield str(block(part)["text"])


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _is_list(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def _is_block(value: object) -> TypeGuard[Block]:
    return isinstance(value, dict)
