"""How a recipe ends, in words for people."""

from hackamore.agent.recipes.workplace import CallFailed
from hackamore.core.changes import FileChange
from hackamore.core.codes import Code
from hackamore.core.events import RunResult


def done(text: str, *changes: FileChange) -> RunResult:
    """Return the result of a recipe that reached its end."""
    return RunResult("success", text, "done", changes=changes)


def failed(words: str, code: Code) -> RunResult:
    """Return the result of a recipe that could not begin or go on."""
    return RunResult("error", "", "error", error=words, code=code)


def not_fixed(words: str) -> RunResult:
    """Return the result of a fix that found nothing green; the files are as they were."""
    return RunResult("error", "", "not_fixed", error=words, code=Code.LIMIT_EXCEEDED)


def not_written(words: str) -> RunResult:
    """Return the result of a search for tests that found none worth keeping; nothing is changed."""
    return RunResult("error", "", "not_written", error=words, code=Code.LIMIT_EXCEEDED)


def from_failure(failure: CallFailed) -> RunResult:
    """Return the result of a recipe that a failed or denied call ended."""
    stop = "denied" if failure.denied else "error"
    return RunResult("error", "", stop, error=failure.words, code=failure.code)
