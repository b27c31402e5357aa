"""What an MCP server asks the person, at the terminal: a form field by field, or a page to open."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from hackamore.cli.terminal.form_fields import FormField, fields_of
from hackamore.cli.terminal.form_values import Nonsense, default_of, read
from hackamore.core.elicitation import (
    NOBODY,
    ElicitationAnswer,
    ElicitationRequest,
    FormRequest,
    UrlRequest,
)
from hackamore.core.json import JSON

Say: TypeAlias = Callable[[str], None]
"""Shows a line; makes it safe for the terminal."""
Ask: TypeAlias = Callable[[str], Awaitable[str | None]]
"""Asks, and gives the line that is typed; None at the end of the input."""
OpenPage: TypeAlias = Callable[[str], bool]
"""Opens a page in the browser; tells whether it could."""

_DECLINED: Final = ElicitationAnswer("decline")
_OPENED: Final = ElicitationAnswer("accept")
_YES: Final = frozenset({"y", "yes"})
_AMBIGUOUS: Final = re.compile(r"[\s\\]")
_HINTS: Final = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "yes or no",
    "choice": "a number of these",
    "choices": "numbers of these, with commas between, or none",
    "json": "JSON",
}


async def elicit(
    request: ElicitationRequest, say: Say, ask: Ask, open_page: OpenPage
) -> ElicitationAnswer:
    """Put a server's question to the person and return the answer."""
    say(f"The MCP server {request.server} asks:")
    for line in request.message.splitlines():
        say(f"  │ {line}")
    if isinstance(request, FormRequest):
        return await _fill(request, say, ask)
    return await _visit(request, say, ask, open_page)


async def _fill(request: FormRequest, say: Say, ask: Ask) -> ElicitationAnswer:
    values: dict[str, JSON] = {}
    for field in fields_of(request.schema):
        _describe(field, say)
        answered, value = await _answer(field, say, ask)
        if not answered:
            return NOBODY
        if value is not None:
            values[field.name] = value
    say(f"To be sent to {request.server}: {json.dumps(values, ensure_ascii=False)}")
    return await _agreed("Send it? [y]es, [n]o: ", ask, ElicitationAnswer("accept", values))


async def _visit(request: UrlRequest, say: Say, ask: Ask, open_page: OpenPage) -> ElicitationAnswer:
    say(f"  {request.url}")
    host = _host(request.url)
    if host is None:
        say("That is no web page, so it is not opened, and the answer is no.")
        return _DECLINED
    say(f"  on the host {host}")
    answer = await _agreed("Open it in your browser? [y]es, [n]o: ", ask, _OPENED)
    if answer == _OPENED and not await asyncio.to_thread(open_page, request.url):
        say("No browser could be started; open the page above yourself.")
    return answer


async def _agreed(question: str, ask: Ask, yes: ElicitationAnswer) -> ElicitationAnswer:
    answer = await ask(question)
    if answer is None:
        return NOBODY
    return yes if answer.strip().lower() in _YES else _DECLINED


def _describe(field: FormField, say: Say) -> None:
    more = f": {field.description}" if field.description else ""
    say(f"{field.title}{more}")
    for number, choice in enumerate(field.choices, start=1):
        say(f"  {number}. {choice.title}")


async def _answer(field: FormField, say: Say, ask: Ask) -> tuple[bool, JSON]:
    """Ask until the answer makes sense; the first of the pair is False when the input ended."""
    default = default_of(field)
    while True:
        text = await ask(f"  ({_hint(field)}) > ")
        if text is None:
            return False, None
        if not text.strip() and (default is not None or not field.required):
            return True, default
        try:
            return True, read(field, text)
        except Nonsense as error:
            say(f"  {error}")


def _hint(field: FormField) -> str:
    words, default = _HINTS[field.kind], default_of(field)
    if default is not None:
        return f"{words}; Enter: {json.dumps(default, ensure_ascii=False)}"
    return words if field.required else f"{words}; Enter: leave out"


def _host(url: str) -> str | None:
    """Return the host of a web page in plain letters; None when it is no web page.

    Letters of other scripts can look like familiar ones, so they are shown in their ASCII form.
    What browsers and we could read differently (spaces, backslashes) is no web page.
    """
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").encode("idna").decode("ascii")
    except ValueError:
        return None
    plain = url.isprintable() and not _AMBIGUOUS.search(url) and "%" not in host
    return host if plain and host and parts.scheme in ("http", "https") else None
