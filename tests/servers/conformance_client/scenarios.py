"""What a client does in each scenario, in terms of any client that can list and call."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

STATELESS: Final = "2026-07-28"


@dataclass(frozen=True)
class Situation:
    """What the suite says beforehand.

    Attributes:
        scenario: Its name.
        url: The suite's server.
        protocol: The revision to speak.
        context: More for some scenarios: ``toolCalls`` for http-custom-headers, ``client_id``,
            ``client_secret`` and ``issuer`` for auth/pre-registration.
    """

    scenario: str
    url: str
    protocol: str
    context: Mapping[str, Any] = field(default_factory=dict[str, Any])


class Client(Protocol):
    """A connected client; what it lists are the protocol's objects as JSON."""

    async def tools(self) -> Sequence[Mapping[str, Any]]: ...
    async def call_tool(self, name: str, arguments: Mapping[str, Any]) -> None: ...
    async def resources(self) -> Sequence[Mapping[str, Any]]: ...
    async def read_resource(self, uri: str) -> object: ...
    async def prompts(self) -> Sequence[Mapping[str, Any]]: ...
    async def get_prompt(self, name: str) -> None: ...


async def play(situation: Situation, client: Client) -> None:
    """Do what the scenario asks of a client."""
    await _PLAYS.get(situation.scenario, _call_every_tool)(situation, client)


async def _call_every_tool(situation: Situation, client: Client) -> None:
    """List the tools and call each with arguments that fit; enough for most scenarios."""
    for tool in await client.tools():
        await client.call_tool(tool["name"], _arguments(tool["inputSchema"]))


async def _list_only(situation: Situation, client: Client) -> None:
    """List the tools, whose schema must not make the client fetch anything."""
    await client.tools()


async def _call_as_told(situation: Situation, client: Client) -> None:
    """Call the tools with the arguments that the suite gives, nulls included."""
    await client.tools()
    for call in situation.context["toolCalls"]:
        await client.call_tool(call["name"], call["arguments"])


async def _use_everything(situation: Situation, client: Client) -> None:
    """Use tools, resources and prompts, each of which has headers of its own."""
    await _call_every_tool(situation, client)
    for resource in await client.resources():
        await client.read_resource(resource["uri"])
    for prompt in await client.prompts():
        await client.get_prompt(prompt["name"])


_PLAYS: Final[Mapping[str, Callable[[Situation, Client], Awaitable[None]]]] = {
    "json-schema-ref-no-deref": _list_only,
    "http-custom-headers": _call_as_told,
    "http-standard-headers": _use_everything,
}
_SAMPLES: Final[Mapping[str, Any]] = {
    "string": "text",
    "number": 2.5,
    "integer": 2,
    "boolean": True,
    "array": [],
    "object": {},
}


def _arguments(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a value of the right type for each required argument."""
    properties = schema.get("properties", {})
    return {name: _SAMPLES.get(properties[name]["type"]) for name in schema.get("required", ())}
