"""The history stays valid for strict providers."""

import pytest

from hackamore.agent.history import History
from hackamore.core.messages import Message, Text, ToolCall, ToolResult, user


def _asks(*ids: str) -> Message:
    return Message("assistant", (Text("…"), *(ToolCall(name, "t", {}) for name in ids)))


@pytest.mark.req("AGT-05")
def test_a_call_left_open_is_answered_as_interrupted_when_the_talk_goes_on() -> None:
    history = History([user("go"), _asks("a", "b"), Message("tool", (ToolResult("a", "t", "A"),))])
    history.add(user("and now?"))
    roles = [message.role for message in history.messages]
    assert roles == ["user", "assistant", "tool", "tool", "user"]
    (result,) = history.messages[3].results()
    assert result.call_id == "b"
    assert result.is_error


@pytest.mark.req("AGT-05")
def test_answered_calls_are_left_alone() -> None:
    history = History([_asks("a")])
    history.add_results([ToolResult("a", "t", "A")])
    history.add(user("thanks"))
    assert len(history.messages) == 3


@pytest.mark.req("AGT-05")
def test_earlier_messages_cannot_be_changed_from_outside() -> None:
    history = History([user("one")])
    seen = history.messages
    history.add(user("two"))
    assert [message.text for message in seen] == ["one"]
