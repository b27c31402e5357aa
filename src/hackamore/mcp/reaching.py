"""How a server is reached, read from its entry: as a process, or at an address.

Pure.
"""

import re
from typing import Final
from urllib.parse import urlsplit

from hackamore.mcp.entry import TransportKind
from hackamore.mcp.expansion import Expanded
from hackamore.mcp.fields import Fields

KIND_KEYS: Final = ("type", "transport", "transportType")
_KINDS: Final[dict[str, TransportKind]] = {
    "stdio": "stdio",
    "sse": "sse",
    "http": "http",
    "streamablehttp": "http",
}
_URL_KEYS: Final[dict[str, TransportKind]] = {
    "url": "probe",
    "serverUrl": "probe",
    "httpUrl": "http",
}
_HEADER_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE: Final = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
_NOT_IN_URL: Final = re.compile(r"[\x00-\x20\x7f]")


def read_kind(fields: Fields) -> TransportKind | None:
    """Return how the server is reached, or None when that cannot be told (and is noted)."""
    named = _named_kind(fields)
    has_url, has_command = _url_key(fields) is not None, fields.given("command")
    if not has_url and not has_command:
        fields.wrong("", "has neither a command nor a url")
        return None
    if named is None and has_url and has_command:
        fields.wrong("type", "is needed where there is a command and a url")
        return None
    if named == "stdio" and not has_command:
        fields.wrong("command", "is missing, though the type is stdio")
    if named in ("http", "sse") and not has_url:
        fields.wrong("url", f"is missing, though the type is {named}")
    if named is not None:
        return named
    return _URL_KEYS[_url_key(fields) or ""] if has_url else "stdio"


def read_url(fields: Fields) -> Expanded:
    """Return the server's address; what is wrong with it is noted."""
    key = _url_key(fields)
    url = fields.text(key) if key else None
    if key is None or url is None:
        return Expanded("", "")
    if complaint := _complaint(url.value):
        fields.wrong(key, complaint)
    return url


def read_command(fields: Fields) -> tuple[Expanded, ...]:
    """Return the program and its arguments; what is wrong with them is noted."""
    command = fields.text("command")
    if command is not None and not command.value.strip():
        fields.wrong("command", "is empty")
    return () if command is None else (command, *fields.texts("args"))


def read_env(fields: Fields) -> dict[str, Expanded]:
    """Return what is added to the server's environment; bad names are noted."""
    env = fields.table("env")
    for name in env:
        if "=" in name:
            fields.wrong("env", f"has a name that cannot be used: {name!r}")
    return env


def read_headers(fields: Fields) -> dict[str, Expanded]:
    """Return the headers; what no request could carry is noted."""
    headers = fields.table("headers")
    for name, value in headers.items():
        if not _HEADER_NAME.fullmatch(name):
            fields.wrong("headers", f"has a name that cannot be used: {name!r}")
        elif not _HEADER_VALUE.fullmatch(value.value):
            fields.wrong(f"headers.{name}", "holds a character that no header can carry")
    return headers


def _named_kind(fields: Fields) -> TransportKind | None:
    found: dict[TransportKind, str] = {}
    for key in KIND_KEYS:
        value = fields.plain(key)
        if value is None:
            continue
        kind = _KINDS.get(re.sub(r"[\s_-]", "", value).lower())
        if kind is None:
            fields.wrong(key, f"{value!r} is not known; use stdio, http or sse")
        else:
            found[kind] = key
    if len(found) > 1:
        fields.wrong(" and ".join(found.values()), "contradict each other")
    return next(iter(found), None)


def _url_key(fields: Fields) -> str | None:
    return next((key for key in _URL_KEYS if fields.given(key)), None)


def _complaint(url: str) -> str | None:
    """Return what is wrong with an address, or None."""
    if _NOT_IN_URL.search(url):
        return "holds a space or a control character"
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        return f"is not an address: {error}"
    if parts.scheme not in ("http", "https"):
        return "must begin with http:// or https://"
    return None if host else "names no host"
