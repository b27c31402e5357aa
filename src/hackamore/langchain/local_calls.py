"""Calls of a local model: what it may call, and the call that ends its answer."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from langchain_core.messages import AIMessage, BaseMessage

from hackamore.core.generator import CallGrammar, CallShape

_OPENING: Final = "<tool_call>"
_CLOSING: Final = "</tool_call>"


def grammar_for(tools: Sequence[Mapping[str, Any]], choice: object) -> CallGrammar | None:
    """Return the form of the answer; None when nothing is offered.

    Args:
        tools: As OpenAI writes them.
        choice: A tool's name, ``any``, ``required`` or True: a call must come; ``none``: none may.
    """
    if not tools:
        return None
    functions = [tool["function"] for tool in tools]
    wanted = _wanted(choice)
    shapes = tuple(CallShape(one["name"], one.get("parameters") or {}) for one in functions)
    named = tuple(shape for shape in shapes if shape.name == wanted)
    if wanted == "none":
        return CallGrammar()
    return CallGrammar(named or shapes, bool(named) or wanted in ("any", "required", True))


def _wanted(choice: object) -> object:
    """Return the name that OpenAI's long form holds, or the choice as it is."""
    if isinstance(choice, Mapping):
        return cast(Any, choice)["function"]["name"]
    return choice


def made_already(name: str, arguments: object, messages: Sequence[BaseMessage]) -> bool:
    """Whether the same call was made since the person last spoke."""
    for message in reversed(messages):
        if message.type == "human":
            return False
        if isinstance(message, AIMessage) and any(
            (call["name"], call["args"]) == (name, arguments) for call in message.tool_calls
        ):
            return True
    return False


class CallText:
    """Parts an answer into the words to show and the call after them."""

    def __init__(self) -> None:
        self._held = ""
        self._in_call = False

    def feed(self, text: str) -> str:
        """Take some of the answer; return what is surely words."""
        self._held += text
        if self._in_call:
            return ""
        at = self._held.find(_OPENING)
        self._in_call = at >= 0
        return self._give(at if self._in_call else len(self._held) - _begun(self._held))

    def close(self) -> str:
        """Return the last words when the answer ends without a call."""
        return "" if self._in_call else self._give(len(self._held))

    def call(self) -> tuple[str, dict[str, Any]] | None:
        """Return the name and arguments of the call, when it is there and whole."""
        text = self._held.strip()
        if not self._in_call or not text.endswith(_CLOSING):
            return None
        found = json.loads(text.removeprefix(_OPENING).removesuffix(_CLOSING))
        return found["name"], found["arguments"]

    @property
    def cut_off(self) -> str:
        """What stands there of a call that is not whole."""
        return self._held if self._in_call and self.call() is None else ""

    def _give(self, size: int) -> str:
        words, self._held = self._held[:size], self._held[size:]
        return words


def _begun(text: str) -> int:
    """Return how many characters at the end may be the beginning of a call."""
    sizes: Iterator[int] = (
        size for size in range(len(_OPENING) - 1, 0, -1) if text.endswith(_OPENING[:size])
    )
    return next(sizes, 0)
