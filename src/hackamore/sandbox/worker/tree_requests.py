"""Listing and searching as frames: what a job's child answers."""

import time
from typing import Final

from hackamore.core.json import JSONObject
from hackamore.sandbox.worker import requests
from hackamore.sandbox.worker.channel import reply
from hackamore.sandbox.worker.paths import Root
from hackamore.sandbox.worker.search import Hit, Query, search
from hackamore.sandbox.worker.tree import OutOfTime, walk

_SECONDS: Final = 2.4
_MAX_ANSWER: Final = 2 * 1024 * 1024


def list_frame(root: Root, request: int, header: JSONObject) -> bytes:
    """List a folder and return the reply's frame.

    Raises:
        Refusal: The folder may not be listed.
    """
    limit = requests.integer(header, "limit")
    recursive = requests.flag(header, "recursive")
    entries: list[list[str | int]] = []
    truncated = False
    room = _MAX_ANSWER
    try:
        deadline = time.monotonic() + _SECONDS
        for found in walk(root, requests.path(header), recursive=recursive, deadline=deadline):
            room -= len(found.path) + 40
            if len(entries) >= limit or room < 0:
                truncated = True
                break
            entries.append([found.path, found.kind, found.size])
    except OutOfTime:
        truncated = True
    return reply(request, entries=entries, truncated=truncated)


def search_frame(root: Root, request: int, header: JSONObject) -> bytes:
    """Search and return the reply's frame.

    Raises:
        Refusal: The path may not be searched, or the pattern is none.
    """
    query = Query(
        path=requests.path(header),
        pattern=requests.text(header, "pattern"),
        glob=requests.optional_text(header, "glob"),
        limit=requests.integer(header, "limit"),
        context=requests.integer(header, "context"),
        deadline=time.monotonic() + _SECONDS,
    )
    found = search(root, query)
    return reply(
        request,
        matches=[_as_json(hit) for hit in found.hits],
        truncated=found.truncated,
        files=found.files,
    )


def _as_json(hit: Hit) -> JSONObject:
    return {
        "path": hit.path,
        "line": hit.line,
        "text": hit.text,
        "before": hit.before,
        "after": hit.after,
    }
