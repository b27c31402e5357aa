"""Resources, prompts and completions: asked of one server, page by page, told in our words."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeVar

import mcp_types as types
from mcp import Client

from hackamore.core.content import Content
from hackamore.mcp.results import part_of, resource_parts
from hackamore.mcp.server import McpServer
from hackamore.mcp.shapes import Completion, PromptArgument, PromptInfo, PromptText, ResourceInfo
from hackamore.mcp.visible import visible

P = TypeVar("P", bound=types.PaginatedResult)

_MOST_PAGES: Final = 100


async def list_resources(server: McpServer) -> list[ResourceInfo]:
    """Return a server's resources, then its templates."""

    async def ask(client: Client) -> list[ResourceInfo]:
        if client.server_capabilities.resources is None:
            return []
        pages = await _pages(lambda cursor: client.list_resources(cursor=cursor))
        templates = await _pages(lambda cursor: client.list_resource_templates(cursor=cursor))
        name = server.entry.name
        return [
            *(_resource(name, one) for page in pages for one in page.resources),
            *(_template(name, one) for page in templates for one in page.resource_templates),
        ]

    return await server.request(ask, "the list of its resources", repeatable=True)


async def read_resource(server: McpServer, uri: str) -> tuple[Content, ...]:
    """Return what a resource holds."""
    result: types.ReadResourceResult = await server.request(
        lambda client: client.read_resource(uri), f"the resource {uri}", repeatable=True
    )
    return resource_parts(result.contents)


async def list_prompts(server: McpServer) -> list[PromptInfo]:
    """Return a server's prompts."""

    async def ask(client: Client) -> list[PromptInfo]:
        if client.server_capabilities.prompts is None:
            return []
        pages = await _pages(lambda cursor: client.list_prompts(cursor=cursor))
        return [_prompt(server.entry.name, one) for page in pages for one in page.prompts]

    return await server.request(ask, "the list of its prompts", repeatable=True)


async def get_prompt(
    server: McpServer, name: str, arguments: Mapping[str, str]
) -> list[PromptText]:
    """Return a prompt's messages."""
    result: types.GetPromptResult = await server.request(
        lambda client: client.get_prompt(name, dict(arguments)), f"the prompt {name!r}"
    )
    return [PromptText(one.role, part_of(one.content)) for one in result.messages]


async def complete(
    server: McpServer, wanted: Completion, context: Mapping[str, str] | None
) -> list[str]:
    """Return what could complete an argument, by the server's own judgement."""
    ref = (
        types.PromptReference(name=wanted.name)
        if wanted.kind == "prompt"
        else types.ResourceTemplateReference(uri=wanted.name)
    )
    argument = {"name": wanted.argument, "value": wanted.value}
    result: types.CompleteResult = await server.request(
        lambda client: client.complete(ref, argument, dict(context) if context else None),
        f"a completion of {wanted.argument!r}",
        repeatable=True,
    )
    return list(result.completion.values)


async def _pages(ask: Callable[[str | None], Awaitable[P]]) -> list[P]:
    """Return all pages of a list, up to a cap; a cursor that comes again ends it."""
    pages: list[P] = []
    seen: set[str] = set()
    cursor: str | None = None
    while len(pages) < _MOST_PAGES:
        page = await ask(cursor)
        pages.append(page)
        cursor = page.next_cursor
        if cursor is None or cursor in seen:
            break
        seen.add(cursor)
    return pages


def _resource(server: str, one: types.Resource) -> ResourceInfo:
    return _info(server, one.uri, one, one.mime_type)


def _template(server: str, one: types.ResourceTemplate) -> ResourceInfo:
    return _info(server, one.uri_template, one, one.mime_type, template=True)


def _info(
    server: str,
    uri: str,
    one: types.Resource | types.ResourceTemplate,
    media_type: str | None,
    *,
    template: bool = False,  # both kinds
) -> ResourceInfo:
    name = visible(one.title or one.name)
    return ResourceInfo(server, uri, name, visible(one.description or ""), media_type, template)


def _prompt(server: str, one: types.Prompt) -> PromptInfo:
    arguments = tuple(
        PromptArgument(each.name, visible(each.description or ""), bool(each.required))
        for each in one.arguments or ()
    )
    return PromptInfo(
        server, one.name, visible(one.title or ""), visible(one.description or ""), arguments
    )
