"""The history: explicit, append-only, and always in a form that a strict provider accepts."""

from collections.abc import Iterable, Sequence

from hackamore.core.messages import Message, ToolCall, ToolResult

INTERRUPTED = "Interrupted before it finished; nothing is known of what it did."


class History:
    """The conversation so far. Calls whose results are missing are answered when it goes on."""

    def __init__(self, messages: Iterable[Message] = ()) -> None:
        self._messages: list[Message] = list(messages)

    @property
    def messages(self) -> Sequence[Message]:
        """All messages, oldest first."""
        return tuple(self._messages)

    def add(self, message: Message) -> None:
        """Append a message; calls left open before it are closed as interrupted."""
        if message.role != "tool":
            self.close_open_calls()
        self._messages.append(message)

    def add_results(self, results: Iterable[ToolResult]) -> None:
        """Append the results of the last message's calls."""
        parts = tuple(results)
        if parts:
            self._messages.append(Message("tool", parts))

    def close_open_calls(self, words: str = INTERRUPTED) -> None:
        """Answer every call that has no result with `words`: none is separated from its result."""
        self.add_results(
            ToolResult(call.id, call.name, words, is_error=True) for call in self._open()
        )

    def _open(self) -> list[ToolCall]:
        answered: set[str] = set()
        for message in reversed(self._messages):
            answered.update(result.call_id for result in message.results())
            if message.calls:
                return [call for call in message.calls if call.id not in answered]
        return []
