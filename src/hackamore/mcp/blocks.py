"""Blocks of content as servers send them, reduced to what they say: then the SDK takes them. Pure.

Notes beside the content (annotations, icons, sizes) are often slightly wrong, and are not used.
"""

import json
from collections.abc import Mapping
from typing import Any, Final, TypeAlias, cast

Block: TypeAlias = dict[str, Any]

RAW_BLOCK: Final = "hackamore/raw"
"""In a text block's ``_meta``: the block of an unknown kind that it stands for."""

_NEEDED: Final[Mapping[str, tuple[str, ...]]] = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource_link": ("uri", "name"),
}
_BESIDE_LINKS: Final = ("title", "description", "mimeType")


def plain_block(raw: object) -> Block:
    """Return a block that the SDK accepts; what is none is kept aside in a block of text."""
    if isinstance(raw, str):
        return {"type": "text", "text": raw}
    block = _reduced(cast(Block, raw)) if isinstance(raw, dict) else None
    if block is not None:
        return block
    text = json.dumps(raw, ensure_ascii=False)
    return {"type": "text", "text": text, "_meta": {RAW_BLOCK: raw}}


def _reduced(raw: Block) -> Block | None:
    """Return what `raw` says; None when something that it needs is missing or of a wrong kind."""
    kind = raw.get("type")
    if not isinstance(kind, str):
        return None
    if kind == "resource":
        inner = raw.get("resource")
        resource = _resource(cast(Block, inner)) if isinstance(inner, dict) else None
        return None if resource is None else {"type": kind, "resource": resource}
    needed = _texts(raw, _NEEDED.get(kind, ()))
    if kind not in _NEEDED or len(needed) < len(_NEEDED[kind]):
        return None
    beside = _texts(raw, _BESIDE_LINKS) if kind == "resource_link" else {}
    return {"type": kind, **needed, **beside}


def _resource(inner: Block) -> Block | None:
    found = _texts(inner, ("uri", "text", "mimeType"))
    if "text" not in found:
        found |= _texts(inner, ("blob",))
    return found if "uri" in found and ("text" in found or "blob" in found) else None


def _texts(block: Block, names: tuple[str, ...]) -> Block:
    return {name: block[name] for name in names if isinstance(block.get(name), str)}
