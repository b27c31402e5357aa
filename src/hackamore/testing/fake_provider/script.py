"""What the fake provider will say: the answers of a script file, checked key by key."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, cast

from hackamore.core.errors import UsageError
from hackamore.core.json import JSON

_NUMBERS: Final = frozenset({"retry_after", "delay", "chunk_delay"})
_WHOLES: Final = frozenset({"status", "chunk"})
_FLAGS: Final = frozenset({"stall", "cut", "usage"})


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of the provider, to one request.

    Attributes:
        text: The answer's words.
        reasoning: Streamed beside the text, before it.
        calls: Native tool calls: ``name``, ``arguments`` (an object, or a string that is sent as it
            is) and perhaps ``id``.
        status: An HTTP status of 400 or more answers with an error instead.
        error: The error's words.
        retry_after: Seconds, sent as ``Retry-After`` with an error.
        delay: Seconds before the first byte.
        chunk_delay: Seconds before each chunk.
        chunk: Characters in one chunk.
        finish: The finish reason; by default what fits.
        stall: Stop before the end and stay silent.
        cut: Close the connection before the end.
        usage: Whether to report tokens.
    """

    text: str = ""
    reasoning: str = ""
    calls: Sequence[Mapping[str, JSON]] = field(default_factory=list[Mapping[str, JSON]])
    status: int = 200
    error: str = "the fake provider was told to fail"
    retry_after: float | None = None
    delay: float = 0.0
    chunk_delay: float = 0.0
    chunk: int = 8
    finish: str | None = None
    stall: bool = False
    cut: bool = False
    usage: bool = True


@dataclass(frozen=True, slots=True)
class Script:
    """Answers in their order; `repeat_last` gives the last one for ever."""

    answers: tuple[Answer, ...]
    repeat_last: bool = False


def load_script(path: Path) -> Script:
    """Read a script: a JSON list of answers, or an object with ``answers`` and ``repeat_last``.

    In a file whose name ends with ``.jsonl``, each line is an answer.

    Raises:
        UsageError: The file cannot be read, or an answer has a key that there is not.
    """
    try:
        content = _content(path)
    except (OSError, ValueError) as error:
        raise UsageError(f"The script {path} cannot be read: {error}") from error
    is_whole = isinstance(content, dict)
    whole = cast(dict[str, Any], content) if is_whole else {"answers": content}
    if not isinstance(whole.get("answers"), list) or set(whole) - {"answers", "repeat_last"}:
        raise UsageError(
            f"The script {path} is neither a list of answers nor an object with 'answers'."
        )
    answers = (_answer(number, entry) for number, entry in enumerate(whole["answers"], start=1))
    return Script(tuple(answers), bool(whole.get("repeat_last", False)))


def _content(path: Path) -> Any:  # noqa: ANN401  # JSON of any kind
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.split("\n") if line.strip()]
    return json.loads(text)


def _answer(number: int, entry: Any) -> Answer:  # noqa: ANN401  # JSON of any kind
    if not isinstance(entry, dict):
        raise UsageError(f"Answer {number} is not an object.")
    known = {one.name for one in fields(Answer)}
    table = cast(dict[str, Any], entry)
    for key, value in table.items():
        if key not in known:
            raise UsageError(
                f"Answer {number} has an unknown key {key!r}.",
                hint=f"Known keys: {', '.join(sorted(known))}.",
            )
        if not _fits(key, value):
            raise UsageError(f"Answer {number}: {key!r} cannot be {value!r}.")
    return Answer(**table)


def _fits(key: str, value: Any) -> bool:  # noqa: ANN401  # JSON of any kind
    if key in _FLAGS:
        return isinstance(value, bool)
    if key in _NUMBERS or key in _WHOLES:
        kinds = int if key in _WHOLES else (int, float)
        return isinstance(value, kinds) and not isinstance(value, bool) and value >= 0
    if key == "calls":
        return isinstance(value, list) and all(
            isinstance(one, dict) and "name" in one for one in cast(list[Any], value)
        )
    return isinstance(value, str)
