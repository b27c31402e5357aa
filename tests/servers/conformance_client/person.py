"""The person at a client: signs in at once, and accepts what a form proposes."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.shared.auth import AuthorizationCodeResult

CALLBACK: Final = "http://127.0.0.1:3000/callback"
"""Where a sign-in would end; nothing listens there, since the redirect is read and not followed."""

METADATA_URL: Final = "https://conformance-test.local/client-metadata.json"
"""The client's identity as a URL, which auth/basic-cimd wants to see."""


class SigningIn:
    """A browser in which the person always agrees; the suite's page redirects at once."""

    def __init__(self) -> None:
        self._end = ""

    async def open(self, url: str) -> None:
        """Visit the authorization page."""
        async with httpx2.AsyncClient() as browser:
            answer = await browser.get(url, follow_redirects=False)
        self._end = answer.headers["location"]

    async def wait(self) -> AuthorizationCodeResult:
        """Return what the redirect back carries."""
        query = {name: values[0] for name, values in parse_qs(urlsplit(self._end).query).items()}
        return AuthorizationCodeResult(
            code=query["code"], state=query.get("state"), iss=query.get("iss")
        )


def filled_form(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a form with its defaults; a box without one is ticked."""
    properties: Mapping[str, Mapping[str, Any]] = schema.get("properties", {})
    return {name: field.get("default", True) for name, field in properties.items()}
