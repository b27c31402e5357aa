"""Providers' exceptions as ours: each SDK has its own classes, but all give the HTTP status."""

import re
from collections.abc import Mapping
from typing import Final, cast

from hackamore.core.errors import (
    ContextOverflow,
    ModelAuth,
    ModelBusy,
    ModelError,
    ToolsUnsupported,
)

_OVERFLOW: Final = re.compile(
    r"context.{0,20}(length|window|limit|size)|maximum context|too many tokens|prompt is too long"
    r"|input length and .?max_tokens.? exceed|exceeds? the (available )?context",
    re.IGNORECASE,
)
_NO_TOOLS: Final = re.compile(
    r"(tools?|function.?call\w*)\W.{0,40}(not (be )?support|unsupported|not available)"
    r"|(not support|unsupported).{0,40}(tools?|function)\b|--jinja",
    re.IGNORECASE,
)
_NO_KEY: Final = re.compile(
    r"api.?key|authentication method|credentials|unauthorized", re.IGNORECASE
)
_SECRET: Final = re.compile(r"\b(?:sk|pk|rk|key|AIza)[-_A-Za-z0-9*.]{8,}|(?<=Bearer )\S+")
_CONNECTION: Final = re.compile(r"connect|timeout|timedout|remoteprotocol|readerror", re.IGNORECASE)
_AUTH_STATUS: Final = frozenset({401, 403})
_NOT_FOUND: Final = 404
_TOO_LARGE: Final = 413
_BUSY_STATUS: Final = frozenset({408, 409, 425, 429})
_SERVER_ERROR: Final = 500
_LONGEST_WORDS: Final = 600


def model_error(error: Exception, model: str) -> ModelError:
    """Return `error` as one of ours, with the provider's words."""
    words = _words(error)
    status = _status(error)
    if status not in _BUSY_STATUS and (_OVERFLOW.search(words) or status == _TOO_LARGE):
        return ContextOverflow(
            f"{model}: {words}", hint="Start a new session, or choose a model with more context."
        )
    if status is not None and _NO_TOOLS.search(words):
        return ToolsUnsupported(f"{model}: {words}", hint="Use --tool-format xml.")
    if status in _AUTH_STATUS or (status is None and _NO_KEY.search(words)):
        return ModelAuth(f"{model}: {words}", hint="Set or check the provider's key.")
    if status == _NOT_FOUND:
        return ModelAuth(f"{model} was not found: {words}", hint="Check --model and --base-url.")
    if _busy(error, status):
        return ModelBusy(f"{model}: {words}", retry_after=_retry_after(error))
    return ModelError(f"{model}: {words}")


def _busy(error: Exception, status: int | None) -> bool:
    if status is not None:
        return status in _BUSY_STATUS or status >= _SERVER_ERROR
    return any(_CONNECTION.search(type(one).__name__) for one in _chain(error))


def _chain(error: BaseException | None) -> list[BaseException]:
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found


def _status(error: Exception) -> int | None:
    """Return the HTTP status, however the SDK names it."""
    for name in ("status_code", "code", "http_status"):
        value = getattr(error, name, None)
        if isinstance(value, int):
            return value
    value = getattr(getattr(error, "response", None), "status_code", None)
    return value if isinstance(value, int) else None


def _retry_after(error: Exception) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None)
    if not isinstance(headers, Mapping):
        return None
    asked = cast(Mapping[str, object], headers).get("retry-after", "")
    try:
        return max(0.0, float(str(asked)))
    except ValueError:
        return None


def _words(error: Exception) -> str:
    text = _SECRET.sub("…", " ".join(str(error).split())) or type(error).__name__
    return text if len(text) <= _LONGEST_WORDS else f"{text[: _LONGEST_WORDS - 1]}…"
