"""What chunks of different providers say."""

from typing import Any, cast

import pytest
from langchain_core.messages import AIMessageChunk
from langchain_core.messages.tool import tool_call_chunk

from hackamore.core.model import CallPiece, ModelEvent, TextPiece, ThinkingPiece, UsageReport
from hackamore.langchain.pieces import finish_reason, pieces_of


def _pieces(**fields: Any) -> list[ModelEvent]:
    build = cast(Any, AIMessageChunk)
    return list(pieces_of(build(**{"content": "", **fields})))


@pytest.mark.req("FMT-01", "AGT-02")
@pytest.mark.parametrize(
    ("content", "pieces"),
    [
        ("hi", [TextPiece("hi")]),
        ("", []),
        ([{"type": "text", "text": "hi"}], [TextPiece("hi")]),
        ([{"type": "thinking", "thinking": "hm"}], [ThinkingPiece("hm")]),
        (
            [{"type": "thinking", "thinking": [{"type": "text", "text": "h"}, {"text": "m"}]}],
            [ThinkingPiece("hm")],
        ),
        ([{"type": "reasoning", "reasoning": "hm"}], [ThinkingPiece("hm")]),
        ([{"type": "tool_use", "id": "1"}, {"type": "image"}], []),
    ],
)
def test_text_and_thoughts_are_told_apart(content: Any, pieces: list[ModelEvent]) -> None:
    assert _pieces(content=content) == pieces


@pytest.mark.req("FMT-01")
def test_reasoning_beside_the_text_calls_and_usage_come_as_they_are() -> None:
    chunk = tool_call_chunk(name="t", args='{"a": ', id="c1", index=0)
    usage = {"input_tokens": 3, "output_tokens": 2, "total_tokens": 5}
    assert _pieces(
        additional_kwargs={"reasoning_content": "hm"},
        tool_call_chunks=[chunk],
        usage_metadata=usage,
    ) == [ThinkingPiece("hm"), CallPiece(0, "c1", "t", '{"a": '), UsageReport(3, 2, 0)]


@pytest.mark.req("FMT-03")
@pytest.mark.parametrize(
    ("metadata", "reason"),
    [
        ({"finish_reason": "stop"}, "stop"),
        ({"stop_reason": "tool_use"}, "tool_calls"),
        ({"finish_reason": "MAX_TOKENS"}, "length"),
        ({"done_reason": "length"}, "length"),
        ({"finish_reason": "SAFETY"}, "filter"),
        ({"finish_reason": "something new"}, "stop"),
        ({}, None),
    ],
)
def test_why_an_answer_ended_is_known_by_every_providers_word(
    metadata: dict[str, str], reason: str | None
) -> None:
    assert finish_reason(AIMessageChunk(content="", response_metadata=metadata)) == reason
