"""Logging in to MCP servers with OAuth 2.1: the SDK's flow, a browser, and logins that last.

The SDK discovers, registers, and exchanges codes for tokens. Added here: the browser and where it
comes back to, logins kept in files, and their renewal after a restart.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractContextManager, aclosing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider, OAuthFlowError
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata
from pydantic import AnyUrl

from hackamore.core.errors import ServerUnavailable
from hackamore.mcp.entry import OAuthClient, ServerEntry
from hackamore.mcp.loopback import LoginAnswer, PortTaken, free_port, listening, redirect_uri
from hackamore.mcp.token_store import FileTokenStorage
from hackamore.mcp.trace import TRACE

OpenBrowser: TypeAlias = Callable[[str], object]
"""Shows a page to the person, and may block for a moment; False says that it could not."""
Asking: TypeAlias = Callable[[], AbstractContextManager[None]]
"""What is entered while the person is waited for."""

LOGIN_LIMIT: Final = 300.0
"""Seconds that a person has for a login."""


class LoginRequired(ServerUnavailable):
    """The server wants a login, and none came about; the message says why."""


@dataclass(frozen=True, slots=True)
class Logins:
    """The logins of all servers.

    Attributes:
        folder: Where they are kept.
        open_browser: Shows the login page, or None when nobody is there to log in.
        limit: Seconds that a person has for it.
        metadata_url: Where our client metadata document is published, for authorization servers
            that know clients by such an address; None where there is none.
    """

    folder: Path
    open_browser: OpenBrowser | None = None
    limit: float = LOGIN_LIMIT
    metadata_url: str | None = None

    def applies_to(self, entry: ServerEntry) -> bool:
        """Return whether one can log in to a server: it has an address, and no key of its own."""
        own = any(name.lower() == "authorization" for name in entry.headers)
        return bool(entry.url) and not own

    def auth_for(self, entry: ServerEntry) -> httpx2.Auth | None:
        """Return what logs the requests to a server in; None where its headers do so, or stdio.

        Nothing is asked of anybody before the server wants a login; and where nobody could log in
        and nobody has, the server's refusal stands.
        """
        if not self.applies_to(entry):
            return None
        store = self.store_for(entry)
        if self.open_browser is None and not store.logged_in():
            return None
        port = entry.oauth.port or store.redirect_port() or free_port()
        return LastingLogin(entry, store, _Browser(entry.name, port, self, store))

    def store_for(self, entry: ServerEntry) -> FileTokenStorage:
        """Return where a server's login is kept."""
        return FileTokenStorage(self.folder, entry.name, entry.url)


class LastingLogin(OAuthClientProvider):
    """The SDK's flow, which goes on after a restart where it was: tokens are renewed silently."""

    def __init__(self, entry: ServerEntry, store: FileTokenStorage, browser: "_Browser") -> None:
        super().__init__(
            entry.url,
            OAuthClientMetadata(
                client_name="Hackamore",
                redirect_uris=[AnyUrl(browser.uri)],
                scope=entry.oauth.scope or None,
            ),
            store,
            browser.remember,
            browser.log_in,
            browser.logins.metadata_url,
        )
        self._store = store
        self._browser = browser
        self._failed: LoginRequired | None = None
        self._known = _known_client(entry.oauth, browser.uri)

    def wait_in(self, asking: Asking) -> None:
        """Enter `asking` whenever the person is waited for: their time is not the server's."""
        self._browser.asking = asking

    async def async_auth_flow(
        self, request: httpx2.Request
    ) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        """Log a request in. When that fails it is sent as it is, and the refusal comes back.

        An exception from here would end the SDK's whole client, and with it every other call.
        """
        if self._failed is None:
            try:
                async with aclosing(super().async_auth_flow(request)) as flow:
                    outgoing = await anext(flow)
                    while True:
                        response = yield outgoing
                        outgoing = await flow.asend(response)
            except StopAsyncIteration:
                return
            except LoginRequired as error:
                self._failed = error
            except OAuthFlowError as error:
                self._failed = self._browser.failed(f"failed: {error}.")
        trace = TRACE.get()
        if trace is not None:
            trace.login = self._failed
        yield request

    async def _initialize(self) -> None:
        await super()._initialize()
        self.context.client_info = self._known or self.context.client_info
        self.context.token_expiry_time = self._store.ends()
        server, resource = self._store.discovered()
        self.context.oauth_metadata = server
        self.context.protected_resource_metadata = resource

    async def _refresh_token(self) -> httpx2.Request:
        newest = await self._store.get_tokens()
        if newest is not None and newest.refresh_token:
            # Another process may have renewed the login; what we hold is then worth nothing.
            self.context.current_tokens = newest
        return await super()._refresh_token()

    async def _handle_token_response(self, response: httpx2.Response) -> None:
        await super()._handle_token_response(response)
        self._store.keep_discovered(
            self.context.oauth_metadata, self.context.protected_resource_metadata
        )


class _Browser:
    """One server's login page, and the way back from it."""

    def __init__(self, server: str, port: int, logins: Logins, store: FileTokenStorage) -> None:
        self.logins = logins
        self.uri = redirect_uri(port)
        self.asking: Asking = nullcontext
        self._server = server
        self._port = port
        self._store = store
        self._page = ""

    async def remember(self, page: str) -> None:
        """Take the address of the login page; it is shown once we can be come back to."""
        self._page = page

    async def log_in(self) -> AuthorizationCodeResult:
        """Show the page and wait for the person.

        Raises:
            LoginRequired: Nobody is there, nobody logged in, or it was refused.
        """
        with self.asking():
            answer = await self._answered(self._page)
        if answer.error:
            raise self.failed(f"was refused: {answer.error}.")
        return AuthorizationCodeResult(code=answer.code, state=answer.state, iss=answer.issuer)

    async def _answered(self, page: str) -> LoginAnswer:
        opener = self.logins.open_browser
        if opener is None:
            raise self.failed("is needed, and nobody is here to do it.")
        state = parse_qs(urlsplit(page).query)["state"][0]
        try:
            async with asyncio.timeout(self.logins.limit), listening(self._port, state) as answer:
                if await asyncio.to_thread(opener, page) is False:
                    raise self.failed("is needed, and no browser could be opened.")
                return await answer
        except TimeoutError as error:
            raise self.failed(f"did not come about within {self.logins.limit:g} s.") from error
        except PortTaken as error:
            self._store.forget_client()
            raise self.failed(
                f"has nowhere to come back to: port {self._port} is taken. Try again."
            ) from error

    def failed(self, what: str) -> LoginRequired:
        """Return the error of a login that did not come about."""
        return LoginRequired(
            f"A login to the MCP server {self._server!r} {what}",
            hint=f"Run `hackamore mcp login {self._server}` where there is a browser, or give the "
            "server an Authorization header.",
        )


def _known_client(client: OAuthClient, uri: str) -> OAuthClientInformationFull | None:
    """Return the client that was registered by hand, if one was."""
    if not client.client_id:
        return None
    method = "client_secret_basic" if client.client_secret else "none"
    return OAuthClientInformationFull(
        client_id=client.client_id,
        client_secret=client.client_secret or None,
        redirect_uris=[AnyUrl(uri)],
        token_endpoint_auth_method=method,
        issuer=client.issuer or None,
    )
