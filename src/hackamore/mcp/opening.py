"""From an entry to the SDK's client: transport, era of the protocol, callbacks."""

import ssl
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Final, Literal, TypeAlias, cast

import httpx2
from mcp import Client
from mcp.client._transport import TransportStreams
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import DiscoverResult, Implementation
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from hackamore.mcp.callbacks import Callbacks
from hackamore.mcp.entry import ServerEntry
from hackamore.mcp.faults import Fault
from hackamore.mcp.http_wire import HttpWire
from hackamore.mcp.lean_http import LeanHttp
from hackamore.mcp.stdio import StdioLink, stdio_transport
from hackamore.mcp.tolerant_streams import tolerant_transport

HttpKind: TypeAlias = Literal["http", "sse"]
_REFUSED: Final = 400
_FAILED: Final = 500
_LARGEST_EVENT: Final = 64 * 1024 * 1024
_SSE_SILENCE: Final = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Era:
    """How a server is spoken to: what was found out when it was last connected.

    Attributes:
        mode: ``auto`` (not known yet), ``legacy`` (a handshake), or the date of a revision.
        discovered: What the server told, for a revision without a handshake.
        http: Which HTTP transport it speaks, once that is known.
    """

    mode: str = "auto"
    discovered: DiscoverResult | None = None
    http: HttpKind | None = None


def _to_nobody(words: str) -> None:
    """Take words that come before there is a server to tell them of."""
    del words


@dataclass(frozen=True, slots=True)
class Around:
    """What opening needs besides the entry.

    Attributes:
        variables: Our environment.
        workspace: The folder in which stdio servers start.
        auth: Makes the login of an HTTP server, or None.
        say: Takes warnings, in words; the server's supervisor puts itself there.
    """

    variables: Mapping[str, str]
    workspace: str | None
    auth: Callable[[ServerEntry], httpx2.Auth | None]
    say: Callable[[str], None] = _to_nobody


def client_for(
    entry: ServerEntry,
    era: Era,
    around: Around,
    callbacks: Callbacks,
    linked: Callable[[StdioLink], None],
) -> Client:
    """Return the SDK's client for `entry`, not yet entered."""
    hooks = callbacks.hooks
    return Client(
        tolerant_transport(_transport(entry, era, around, linked), around.say),
        mode=era.mode,
        prior_discover=era.discovered,
        message_handler=callbacks.message,
        logging_callback=callbacks.log,
        log_level="info",
        list_roots_callback=callbacks.roots if hooks.roots else None,
        elicitation_callback=callbacks.elicitation(hooks.elicit) if hooks.elicit else None,
        sampling_callback=callbacks.sampling(hooks.sample) if hooks.sample else None,
        client_info=Implementation(name="hackamore", version=version("hackamore")),
        cache=None,
    )


def another_way(entry: ServerEntry, era: Era, fault: Fault, *, died: bool) -> Era | None:
    """Return how else a server could be opened that failed in one way; None when there is none.

    Some servers die of a question that is newer than they are. And a ``url`` alone does not say
    which HTTP transport is spoken there: the older one is tried when the newer one is refused.
    What was found out about a server may be true no more.
    """
    if died and era.mode == "auto":
        return replace(era, mode="legacy")
    was_known = entry.protocol == "auto" and era.mode != "auto"
    if was_known and not fault.auth and not died:
        return first_era(entry)
    refused = fault.status is not None and _REFUSED <= fault.status < _FAILED and not fault.auth
    if entry.transport == "probe" and era.http is None and refused:
        return replace(era, mode="legacy", http="sse")
    return None


def first_era(entry: ServerEntry) -> Era:
    """Return the era that an entry asks for.

    The date of a revision says only whether it begins with a handshake: what a server offers has
    to be asked all the same.
    """
    has_handshake = entry.protocol in HANDSHAKE_PROTOCOL_VERSIONS
    mode = "legacy" if has_handshake or entry.protocol == "legacy" else "auto"
    http = entry.transport if entry.transport in ("http", "sse") else None
    return Era(mode, http=http)


def _transport(
    entry: ServerEntry, era: Era, around: Around, linked: Callable[[StdioLink], None]
) -> AbstractAsyncContextManager[TransportStreams]:
    if entry.transport == "stdio":
        noise = _Noise(around.say)
        return stdio_transport(entry, around.variables, around.workspace, noise, linked)
    if era.http == "sse":
        return sse_client(
            entry.url,
            timeout=entry.connect_timeout,
            sse_read_timeout=_SSE_SILENCE,
            httpx_client_factory=lambda headers=None, timeout=None, auth=None: http_client(
                entry, around
            ),
        )
    return _streamable(entry, around)


@asynccontextmanager
async def _streamable(entry: ServerEntry, around: Around) -> AsyncGenerator[TransportStreams, None]:
    async with (
        http_client(entry, around) as client,
        streamable_http_client(
            cast(str, httpx2.URL(entry.url)), http_client=client, max_sse_event_size=_LARGEST_EVENT
        ) as streams,
    ):
        yield streams


def http_client(entry: ServerEntry, around: Around) -> httpx2.AsyncClient:
    """Return the HTTP client of one server: its headers, its login, the system's trust store."""
    return httpx2.AsyncClient(
        headers=dict(entry.headers),
        auth=around.auth(entry),
        timeout=httpx2.Timeout(entry.connect_timeout, read=None, pool=None),
        transport=HttpWire(_network(entry, around), httpx2.URL(entry.url)),
    )


def _network(entry: ServerEntry, around: Around) -> httpx2.AsyncBaseTransport:
    """Return the way to the network: through a proxy where the environment names one."""
    trust = ssl.create_default_context()
    proxy = proxy_for(entry.url, around.variables)
    if proxy is None:
        return LeanHttp(trust)
    return httpx2.AsyncHTTPTransport(verify=trust, trust_env=False, proxy=proxy)


def proxy_for(url: str, variables: Mapping[str, str]) -> str | None:
    """Return the proxy that the environment names for `url`; loopback goes without."""
    target = httpx2.URL(url)
    names = (f"{target.scheme}_proxy", "all_proxy")
    spelt = [spelling for name in names for spelling in (name, name.upper())]
    found = next((variables[name] for name in spelt if variables.get(name)), None)
    excepted = variables.get("no_proxy") or variables.get("NO_PROXY") or ""
    if found is None or target.host in ("127.0.0.1", "::1", "localhost"):
        return None
    return None if _is_excepted(target.host, excepted) else found


def _is_excepted(host: str, excepted: str) -> bool:
    """Whether ``no_proxy`` names a host, or a domain that it lies in."""
    names = [name.strip().lstrip(".").partition(":")[0] for name in excepted.split(",")]
    return any(name in ("*", host) or host.endswith(f".{name}") for name in names if name)


class _Noise:
    """Tells of the first line on stdout that is no message; the others are passed over."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._told = False

    def __call__(self, line: bytes) -> None:
        if not self._told:
            self._told = True
            shown = line[:200].decode("utf-8", "replace")
            self._say(f"it writes to stdout what is no message; such lines are skipped: {shown!r}")
