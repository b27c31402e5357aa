"""Where logins to MCP servers are kept: one file a server, readable by its owner only.

Beside the tokens stands what is needed to renew them after a restart: when they end, and the
addresses of the authorization server. A damaged file counts as no login.
"""

import hashlib
import json
import time
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from mcp.shared.auth import (
    OAuthClientInformationFull,
    OAuthMetadata,
    OAuthToken,
    ProtectedResourceMetadata,
)
from pydantic import BaseModel, ValidationError

from hackamore.mcp.private_file import write_private

_LONGEST_NAME: Final = 32

_M = TypeVar("_M", bound=BaseModel)


class FileTokenStorage:
    """The SDK's `TokenStorage` for one server, in a file of mode 0600.

    Args:
        folder: Where all logins are kept.
        server: The server's name.
        url: Its address; a login for one address is never used for another.
    """

    def __init__(self, folder: Path, server: str, url: str) -> None:
        key = hashlib.sha256(json.dumps([server, url]).encode()).hexdigest()
        self._path = folder / f"{key[:_LONGEST_NAME]}.json"
        self._about = {"server": server, "url": url}

    async def get_tokens(self) -> OAuthToken | None:
        """Return the tokens, if there are any."""
        return self._get("tokens", OAuthToken)

    async def set_tokens(self, tokens: OAuthToken) -> None:
        """Keep the tokens, and when they end.

        Raises:
            OSError: The file cannot be written.
        """
        lasts = tokens.expires_in
        self._set(tokens=_plain(tokens), ends=None if lasts is None else time.time() + lasts)

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        """Return what the authorization server knows us as, if it does."""
        return self._get("client", OAuthClientInformationFull)

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        """Keep what the authorization server knows us as.

        Raises:
            OSError: The file cannot be written.
        """
        self._set(client=_plain(client_info))

    def logged_in(self) -> bool:
        """Return whether there are tokens, fresh or not."""
        return self._get("tokens", OAuthToken) is not None

    def ends(self) -> float | None:
        """Return when the access token ends (seconds since the epoch), if that is known."""
        found = self._read().get("ends")
        return float(found) if isinstance(found, int | float) else None

    def discovered(self) -> tuple[OAuthMetadata | None, ProtectedResourceMetadata | None]:
        """Return what the authorization server and the MCP server say of logging in."""
        return (
            self._get("authorization_server", OAuthMetadata),
            self._get("resource", ProtectedResourceMetadata),
        )

    def keep_discovered(
        self, server: OAuthMetadata | None, resource: ProtectedResourceMetadata | None
    ) -> None:
        """Keep what they say: renewing tokens after a restart needs it.

        Raises:
            OSError: The file cannot be written.
        """
        self._set(authorization_server=_plain(server), resource=_plain(resource))

    def redirect_port(self) -> int | None:
        """Return the port that the authorization server knows our redirect by, if it does."""
        client = self._get("client", OAuthClientInformationFull)
        uris = client.redirect_uris if client else None
        return uris[0].port if uris else None

    def forget_client(self) -> None:
        """Forget what the authorization server knows us as; the next login registers anew.

        Raises:
            OSError: The file cannot be written.
        """
        self._set(client=None)

    def forget(self) -> bool:
        """Log out: remove the file; tell whether there was one.

        Raises:
            OSError: It cannot be removed.
        """
        there = self._path.exists()
        self._path.unlink(missing_ok=True)
        return there

    def _get(self, key: str, model: type[_M]) -> _M | None:
        try:
            return model.model_validate(self._read()[key])
        except (KeyError, ValidationError):
            return None

    def _set(self, **values: object) -> None:
        kept = self._read() | self._about | values
        write_private(self._path, json.dumps(kept, indent=2) + "\n")

    def _read(self) -> dict[str, Any]:
        try:
            found: object = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return cast(dict[str, Any], found) if isinstance(found, dict) else {}


def _plain(model: BaseModel | None) -> dict[str, Any] | None:
    return None if model is None else model.model_dump(mode="json", exclude_none=True)
