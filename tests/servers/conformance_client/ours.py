"""Our own layer as the client: servers, supervisor, login and all."""

import tempfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import httpx2

from hackamore.core.content import Content
from hackamore.core.elicitation import ElicitationAnswer, ElicitationRequest, FormRequest
from hackamore.core.events import Event
from hackamore.core.host import Nobody
from hackamore.core.tools import ToolContext
from hackamore.mcp.entry import OAuthClient, ServerConfig, ServerEntry
from hackamore.mcp.hooks import Hooks
from hackamore.mcp.oauth import Logins
from hackamore.mcp.opening import Around
from hackamore.mcp.servers import Servers
from servers.conformance_client.person import METADATA_URL, filled_form
from servers.conformance_client.scenarios import STATELESS, Situation

_SERVER: Final = "suite"


@asynccontextmanager
async def connect(situation: Situation) -> AsyncGenerator["Ours"]:
    """Connect to the suite's server, logging in when it asks for that."""
    with tempfile.TemporaryDirectory() as folder:
        logins = Logins(Path(folder), open_browser=_browse, metadata_url=METADATA_URL)
        config = ServerConfig((_entry(situation),))
        servers = Servers(config, Around({}, None, logins.auth_for, print), Hooks(elicit=_elicit))
        try:
            yield Ours(servers)
        finally:
            await servers.close()


class Ours:
    """All that the suite wants, in terms of `Servers`."""

    def __init__(self, servers: Servers) -> None:
        self._servers = servers

    async def tools(self) -> Sequence[Mapping[str, Any]]:
        await self._servers.connect(_SERVER)
        listed = [tool.listed for tool in await self._servers.tools()]
        return [{"name": tool.name, "inputSchema": tool.schema} for tool in listed]

    async def call_tool(self, name: str, arguments: Mapping[str, Any]) -> None:
        context = ToolContext("call", _unheard, Nobody())
        await self._servers.call(_SERVER, name, arguments, context)

    async def resources(self) -> Sequence[Mapping[str, Any]]:
        return [{"uri": resource.uri} for resource in await self._servers.resources(_SERVER)]

    async def read_resource(self, uri: str) -> tuple[Content, ...]:
        return await self._servers.read_resource(_SERVER, uri)

    async def prompts(self) -> Sequence[Mapping[str, Any]]:
        return [{"name": prompt.name} for prompt in await self._servers.prompts(_SERVER)]

    async def get_prompt(self, name: str) -> None:
        await self._servers.get_prompt(_SERVER, name, {})


def _entry(situation: Situation) -> ServerEntry:
    """Return the server as a person would configure it."""
    known = situation.context
    return ServerEntry(
        _SERVER,
        transport="http",
        url=situation.url,
        protocol="auto" if situation.protocol == STATELESS else "legacy",
        oauth=OAuthClient(
            known.get("client_id", ""), known.get("client_secret", ""), known.get("issuer", "")
        ),
    )


def _browse(page: str) -> None:
    """Visit a page as a browser does; the suite's authorization server agrees at once."""
    httpx2.get(page, follow_redirects=True, timeout=10)


async def _elicit(request: ElicitationRequest) -> ElicitationAnswer:
    assert isinstance(request, FormRequest)
    return ElicitationAnswer("accept", filled_form(request.schema))


def _unheard(event: Event) -> None:
    """Nobody watches."""
