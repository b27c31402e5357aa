"""Listens for changes where the protocol has no notifications of its own for them (2026-07-28)."""

import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import mcp_types as types
from mcp import Client
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp.shared.exceptions import MCPError as ProtocolError
from mcp.shared.subscriptions import event_to_notification

_NO_MORE: Final = (ListenNotSupportedError, SubscriptionLost, ProtocolError, TimeoutError)


async def listen(client: Client, changed: Callable[[types.ServerNotification], None]) -> None:
    """Tell `changed` of the server's changes until the connection ends, where it can listen."""
    tools = client.server_capabilities.tools
    if tools is None or not tools.list_changed:
        return
    with suppress(*_NO_MORE):
        async with client.listen(tools_list_changed=True) as events:
            async for event in events:
                changed(event_to_notification(event, {}))


async def listen_to_resource(
    client: Client, uri: str, changed: Callable[[types.ServerNotification], None]
) -> None:
    """Tell `changed` when the resource `uri` changes, until the connection ends."""
    with suppress(*_NO_MORE):
        async with client.listen(resource_subscriptions=[uri]) as events:
            async for event in events:
                changed(event_to_notification(event, {}))


async def subscribe(client: Client, uri: str) -> None:
    """Subscribe to a resource in the older way, by a request of its own."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MCPDeprecationWarning)
        await client.subscribe_resource(uri)  # pyright: ignore[reportDeprecated]  # no other way
