"""Servers that speak OpenAI's chat protocol with a word of their own: reasoning beside the text.

DeepSeek, vLLM, llama.cpp, LM Studio and others stream ``reasoning_content`` (or ``reasoning``) in
the delta; `ChatOpenAI` takes only what OpenAI itself specifies. Nothing else is changed here.
"""

from collections.abc import Mapping
from typing import Any, Final, cast

from langchain_core.outputs import ChatGenerationChunk
from langchain_openai import ChatOpenAI

_NAMES: Final = ("reasoning_content", "reasoning")


class OpenAICompatible(ChatOpenAI):
    """`ChatOpenAI` that keeps the reasoning of other servers as ``reasoning_content``."""

    def _convert_chunk_to_generation_chunk(
        self,
        chunk: dict[str, Any],
        default_chunk_class: type,
        base_generation_info: dict[str, Any] | None,
    ) -> ChatGenerationChunk | None:
        converted = super()._convert_chunk_to_generation_chunk(  # pyright: ignore[reportUnknownMemberType] - untyped dicts there
            chunk, default_chunk_class, base_generation_info
        )
        reasoning = _reasoning(chunk)
        if converted is not None and reasoning:
            converted.message.additional_kwargs["reasoning_content"] = reasoning
        return converted


def _reasoning(chunk: Mapping[str, Any]) -> str:
    choices = cast(list[dict[str, Any]], chunk.get("choices") or [{}])
    delta = cast(dict[str, Any], choices[0].get("delta") or {})
    found = (delta.get(name) for name in _NAMES)
    return next((text for text in found if isinstance(text, str) and text), "")
