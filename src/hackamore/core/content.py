"""Content: what the result of a tool may hold besides plain words."""

from dataclasses import dataclass
from typing import TypeAlias

from hackamore.core.json import JSONObject
from hackamore.core.messages import Image, Text


@dataclass(frozen=True, slots=True)
class Audio:
    """A sound.

    Attributes:
        media_type: For example ``audio/wav``.
        data: The bytes of the file.
    """

    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class ResourceLink:
    """Points at a resource that can be read through its server.

    Attributes:
        uri: Never opened by ourselves.
        name: For people.
        description: For people; may be empty.
        media_type: When the server says it.
    """

    uri: str
    name: str
    description: str = ""
    media_type: str | None = None


@dataclass(frozen=True, slots=True)
class TextResource:
    """A resource that came along as text."""

    uri: str
    text: str
    media_type: str | None = None


@dataclass(frozen=True, slots=True)
class BlobResource:
    """A resource that came along as bytes."""

    uri: str
    data: bytes
    media_type: str | None = None


@dataclass(frozen=True, slots=True)
class UnknownContent:
    """Something of a kind that is not known here, as it came."""

    raw: JSONObject


Content: TypeAlias = (
    Text | Image | Audio | ResourceLink | TextResource | BlobResource | UnknownContent
)
"""One part of a tool's result."""
