"""The protocol's own SDK as the client: what our layer is compared with."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client as SDKClient
from mcp.client import ClientRequestContext
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from mcp_types import ElicitRequestFormParams, ElicitRequestParams, ElicitResult
from pydantic import AnyUrl

from servers.conformance_client.person import CALLBACK, METADATA_URL, SigningIn, filled_form
from servers.conformance_client.scenarios import STATELESS, Situation


@asynccontextmanager
async def connect(situation: Situation) -> AsyncGenerator["SDK"]:
    """Connect to the suite's server, signing in when it asks for that."""
    mode = "auto" if situation.protocol == STATELESS else "legacy"
    async with (
        httpx2.AsyncClient(auth=_sign_in(situation), timeout=30) as http,
        SDKClient(
            streamable_http_client(situation.url, http_client=http),
            mode=mode,
            elicitation_callback=_elicited,
        ) as client,
    ):
        yield SDK(client)


class SDK:
    """The raw client."""

    def __init__(self, client: SDKClient) -> None:
        self._client = client

    async def tools(self) -> Sequence[Mapping[str, Any]]:
        return _plain((await self._client.list_tools()).tools)

    async def call_tool(self, name: str, arguments: Mapping[str, Any]) -> None:
        await self._client.call_tool(name, dict(arguments))

    async def resources(self) -> Sequence[Mapping[str, Any]]:
        return _plain((await self._client.list_resources()).resources)

    async def read_resource(self, uri: str) -> None:
        await self._client.read_resource(uri)

    async def prompts(self) -> Sequence[Mapping[str, Any]]:
        return _plain((await self._client.list_prompts()).prompts)

    async def get_prompt(self, name: str) -> None:
        await self._client.get_prompt(name)


def _plain(models: Sequence[Any]) -> list[Mapping[str, Any]]:
    return [model.model_dump(mode="json", by_alias=True, exclude_none=True) for model in models]


async def _elicited(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
    schema = params.requested_schema if isinstance(params, ElicitRequestFormParams) else {}
    return ElicitResult(action="accept", content=filled_form(schema))


def _sign_in(situation: Situation) -> OAuthClientProvider:
    browser = SigningIn()
    return OAuthClientProvider(
        situation.url,
        OAuthClientMetadata(client_name="conformance", redirect_uris=[AnyUrl(CALLBACK)]),
        _Storage(situation.context),
        redirect_handler=browser.open,
        callback_handler=browser.wait,
        client_metadata_url=METADATA_URL,
    )


class _Storage:
    """Keeps tokens in memory; knows the client that the suite registered beforehand."""

    def __init__(self, context: Mapping[str, Any]) -> None:
        self._tokens: OAuthToken | None = None
        self._client: OAuthClientInformationFull | None = None
        if "client_id" in context:
            self._client = OAuthClientInformationFull(
                client_id=context["client_id"],
                client_secret=context["client_secret"],
                issuer=context["issuer"],
                redirect_uris=[AnyUrl(CALLBACK)],
                token_endpoint_auth_method="client_secret_basic",
            )

    async def get_tokens(self) -> OAuthToken | None:
        return self._tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self._tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self._client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self._client = client_info
