"""An authorization server and an MCP server that wants its tokens, both real, each on a port."""

import secrets
import socket
import threading
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
import uvicorn
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    AuthorizeError,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    construct_redirect_uri,
)
from mcp.server.auth.routes import create_auth_routes
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyHttpUrl
from starlette.applications import Starlette
from starlette.types import ASGIApp


class Authority(OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]):
    """Logs everybody in at once, and counts what it did.

    Attributes:
        lasts: Seconds that an access token lasts.
        refuses: The person says no.
        done: What happened, in order: ``register``, ``authorize``, ``exchange``, ``refresh``.
    """

    def __init__(self) -> None:
        self.lasts = 3600
        self.refuses = False
        self.done: list[str] = []
        self.clients: dict[str, OAuthClientInformationFull] = {}
        self._codes: dict[str, AuthorizationCode] = {}
        self._refreshers: dict[str, RefreshToken] = {}
        self._tokens: dict[str, AccessToken] = {}

    def forget_all(self) -> None:
        """Let no token be worth anything any more."""
        self._tokens.clear()
        self._refreshers.clear()

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        return self.clients.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        self.done.append("register")
        self.clients[client_info.client_id] = client_info

    async def authorize(
        self, client: OAuthClientInformationFull, params: AuthorizationParams
    ) -> str:
        self.done.append("authorize")
        if self.refuses:
            raise AuthorizeError("access_denied", "the person said <no>")
        code = AuthorizationCode(
            code=secrets.token_urlsafe(24),
            scopes=params.scopes or [],
            expires_at=time.time() + 60,
            client_id=client.client_id,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=True,
            resource=params.resource,
        )
        self._codes[code.code] = code
        return construct_redirect_uri(str(params.redirect_uri), code=code.code, state=params.state)

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCode | None:
        return self._codes.get(authorization_code)

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        self.done.append("exchange")
        return self._issue(client, self._codes.pop(authorization_code.code).resource)

    async def load_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: str
    ) -> RefreshToken | None:
        return self._refreshers.get(refresh_token)

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        self.done.append("refresh")
        return self._issue(client, self._refreshers.pop(refresh_token.token).resource)

    async def load_access_token(self, token: str) -> AccessToken | None:
        return self._tokens.get(token)

    async def verify_token(self, token: str) -> AccessToken | None:
        return self._tokens.get(token)

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        self._tokens.pop(token.token, None)

    def _issue(self, client: OAuthClientInformationFull, resource: str | None) -> OAuthToken:
        access, refresh = secrets.token_urlsafe(16), secrets.token_urlsafe(16)
        self._tokens[access] = AccessToken(
            token=access, client_id=client.client_id, scopes=[], resource=resource
        )
        self._refreshers[refresh] = RefreshToken(
            token=refresh, client_id=client.client_id, scopes=[], resource=resource
        )
        return OAuthToken(access_token=access, refresh_token=refresh, expires_in=self.lasts)


@dataclass
class Protected:
    """The two servers: `url` is the MCP server's."""

    url: str
    authority: Authority
    called: list[str] = field(default_factory=list[str])


@contextmanager
def _served(app: ASGIApp, listener: socket.socket) -> Generator[None, None, None]:
    config = uvicorn.Config(app, log_config=None, ws="none", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


def _listener() -> tuple[socket.socket, str]:
    listener = socket.create_server(("127.0.0.1", 0))
    return listener, f"http://127.0.0.1:{listener.getsockname()[1]}"


@pytest.fixture
def protected() -> Generator[Protected, None, None]:
    """Return an MCP server that answers nobody without a token."""
    authority = Authority()
    (ours, issuer), (theirs, origin) = _listener(), _listener()
    served = Protected(f"{origin}/mcp", authority)
    routes = create_auth_routes(
        authority,
        AnyHttpUrl(issuer),
        client_registration_options=ClientRegistrationOptions(enabled=True),
    )
    server: MCPServer[Any] = MCPServer(
        "protected",
        token_verifier=authority,
        auth=AuthSettings(
            issuer_url=AnyHttpUrl(issuer),
            resource_server_url=AnyHttpUrl(served.url),
            validate_token_resource=True,
        ),
    )

    @server.tool()
    def secret() -> str:  # pyright: ignore[reportUnusedFunction]  # called by its name on the wire
        """Tell the secret."""
        served.called.append("secret")
        return "42"

    with ExitStack() as stack:
        stack.enter_context(_served(Starlette(routes=routes), ours))
        stack.enter_context(_served(server.streamable_http_app(), theirs))
        yield served
