"""Fetching the file over HTTPS, going on where an earlier try stopped."""

import http.client
import urllib.error
import urllib.request
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

from hackamore.local.in_thread import in_thread
from hackamore.local.partial import FetchFailed, OnProgress, Partial, Progress

_TIMEOUT: Final = 5.0
_CHUNK: Final = 1024 * 1024


class FromHub:
    """One URL. An answer must begin within five seconds."""

    def __init__(self, url: str, name: str = "the model hub") -> None:
        """Remember where the file is; `name` is how people are told of it."""
        self._url = url
        self.name = name

    async def fetch(self, partial: Partial, on_progress: OnProgress) -> None:
        """Add the missing bytes.

        Raises:
            FetchFailed: The hub cannot be reached or does not have the file.
        """
        await in_thread(lambda check: self._fetch(partial, on_progress, check))

    def _fetch(self, partial: Partial, on_progress: OnProgress, check: Callable[[], None]) -> None:
        have = partial.size
        headers = {"Range": f"bytes={have}-"} if have else {}
        request = urllib.request.Request(self._url, headers=headers)  # noqa: S310 - our catalogue's
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT) as response:  # noqa: S310
                if response.status != HTTPStatus.PARTIAL_CONTENT:
                    partial.cut(0)
                _copy(response, partial, on_progress, check)
        except urllib.error.HTTPError as error:
            if error.code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
                partial.cut(0)
            raise FetchFailed(f"it answered {error.code}") from error
        except (OSError, http.client.HTTPException) as error:
            raise FetchFailed(_reason(error)) from error
        if partial.size != partial.total:
            raise FetchFailed("the connection ended early")


def _copy(
    response: Any,  # noqa: ANN401 - urllib gives different classes for different schemes
    partial: Partial,
    on_progress: OnProgress,
    check: Callable[[], None],
) -> None:
    while data := response.read(_CHUNK):
        check()
        partial.append(data)
        on_progress(Progress(partial.size, partial.total, "downloading"))


def _reason(error: Exception) -> str:
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    return f"it cannot be reached ({reason})"
