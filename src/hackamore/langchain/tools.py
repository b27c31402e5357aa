"""Any core tool as a LangChain tool.

Names of arguments are data: they travel in one object and never become Python's. Values are the
model's own: nothing is coerced, filled in or left out. A failure of the tool is a message with
``status="error"``, never an exception; a cancel stays a cancel.
"""

import itertools
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any, Final, Literal, NamedTuple, TypedDict, cast

from langchain_core.callbacks import AsyncCallbackManagerForToolRun, CallbackManagerForToolRun
from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.runnables import RunnableConfig, ensure_config
from langchain_core.tools import ArgsSchema, BaseTool, ToolException
from pydantic import ConfigDict, SkipValidation

from hackamore.core.errors import HackamoreError, UsageError
from hackamore.core.events import Emit
from hackamore.core.host import Host, Nobody
from hackamore.core.json import JSON, JSONObject
from hackamore.core.tools import Tool, ToolContext, ToolOutput, ToolSpec, failure
from hackamore.langchain.arguments import arguments_model
from hackamore.langchain.background import BACKGROUND, Runner
from hackamore.langchain.content import message_content
from hackamore.langchain.interception import Interceptor, ToolRequest, onion
from hackamore.langchain.progress import told_as_custom_events, unheard
from hackamore.langchain.schema import provider_view
from hackamore.langchain.unwatched import inherited_if_unwatched, inheriting

_NUMBERS: Final = itertools.count(1)
"""Tells calls apart that no model has named."""


class ToolArtifact(TypedDict, total=False):
    """What a message carries besides its content, for programs.

    Attributes:
        structured_content: The result as data.
        code: Why the call failed, where one of our codes says it.
    """

    structured_content: JSON
    code: str


class _Given(NamedTuple):
    """What the tool was called with; `call_id` is None when it was no tool call of a model."""

    arguments: str | dict[str, Any]
    call_id: str | None


def as_langchain_tool(
    tool: Tool,
    *,
    runner: Runner = BACKGROUND,
    interceptors: Sequence[Interceptor] = (),
    host: Host | None = None,
) -> "HackamoreTool":
    """Return `tool` as a LangChain tool.

    Args:
        tool: Built-in, MCP tool or function; it checks its own arguments.
        runner: Where its calls run.
        interceptors: Functions around each call, the first outermost.
        host: Whom the tool may ask; by default nobody.
    """
    spec = tool.spec
    shown = provider_view(spec.parameters)
    return HackamoreTool(
        name=spec.name,
        description=spec.description,
        args_schema=arguments_model(spec.name, spec.description, shown),
        metadata=_metadata(spec),
        inner=tool,
        runner=runner,
        interceptors=tuple(interceptors),
        host=host or Nobody(),
    )


class HackamoreTool(BaseTool):
    """A core tool in LangChain's clothes; made by `as_langchain_tool`.

    Attributes:
        inner: The tool itself.
        runner: Where its calls run.
        interceptors: Functions around each call, the first outermost.
        host: Whom the tool may ask.
    """

    inner: SkipValidation[Tool]
    runner: SkipValidation[Runner]
    interceptors: SkipValidation[tuple[Interceptor, ...]]
    host: SkipValidation[Host]
    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"

    model_config = ConfigDict(arbitrary_types_allowed=True)

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> "HackamoreTool":
        """Return a copy that calls the same tool: a connection cannot be copied."""
        return self.model_copy()

    @property
    def tool_call_schema(self) -> ArgsSchema:
        """The schema that models are shown."""
        return cast(ArgsSchema, self.args_schema)

    async def ainvoke(
        self,
        input: str | dict[str, Any] | ToolCall,  # LangChain's name
        config: RunnableConfig | None = None,
        **kwargs: Any,  # noqa: ANN401  # LangChain's signature
    ) -> Any:  # noqa: ANN401  # LangChain's signature
        """Call the tool; a tool call of a model gives a `ToolMessage`, else it is the content."""
        given, settings = _given(input), ensure_config(config)
        inherited = None if kwargs else inherited_if_unwatched(self, settings)
        if inherited is None:
            return await self.arun(given.arguments, **_run_settings(given, settings), **kwargs)
        with inheriting(inherited):
            return (await self.runner.run(self._perform(given, watched=False)))[0]

    def invoke(
        self,
        input: str | dict[str, Any] | ToolCall,  # LangChain's name
        config: RunnableConfig | None = None,
        **kwargs: Any,  # noqa: ANN401  # LangChain's signature
    ) -> Any:  # noqa: ANN401  # LangChain's signature
        """Call the tool from any thread, with or without a running loop."""
        given, settings = _given(input), ensure_config(config)
        inherited = None if kwargs else inherited_if_unwatched(self, settings)
        if inherited is None:
            return self.run(given.arguments, **_run_settings(given, settings), **kwargs)
        with inheriting(inherited):
            return self.runner.run_sync(self._perform(given, watched=False))[0]

    def _run(
        self, given: _Given, *, run_manager: CallbackManagerForToolRun | None = None
    ) -> tuple[Any, ToolArtifact | None]:
        watched = run_manager is not None and bool(run_manager.handlers)
        return self.runner.run_sync(self._perform(given, watched=watched))

    async def _arun(
        self, given: _Given, *, run_manager: AsyncCallbackManagerForToolRun | None = None
    ) -> tuple[Any, ToolArtifact | None]:
        watched = run_manager is not None and bool(run_manager.handlers)
        return await self.runner.run(self._perform(given, watched=watched))

    def _to_args_and_kwargs(
        self, tool_input: str | dict[str, Any], tool_call_id: str | None
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Give all as one object: no argument's name may meet one of Python's."""
        return (_Given(tool_input, tool_call_id),), {}

    def _filter_injected_args(self, tool_input: dict[str, Any]) -> dict[str, Any]:
        """Return what watchers are told: all of it, since nothing is injected."""
        return dict(tool_input)

    async def _perform(self, given: _Given, *, watched: bool) -> tuple[Any, ToolArtifact | None]:
        """Call the tool, and say what came of it as LangChain does."""
        telling = told_as_custom_events() if watched else nullcontext(unheard)
        async with telling as emit:
            output = await self._output(given, emit)
        content, artifact = message_content(output), _artifact(output)
        if given.call_id is None:
            return content, artifact
        message = ToolMessage(
            content,
            artifact=artifact,
            tool_call_id=given.call_id,
            name=self.name,
            status="error" if output.is_error else "success",
        )
        return message, artifact

    async def _output(self, given: _Given, emit: Emit) -> ToolOutput:
        call_id = given.call_id or f"call_{next(_NUMBERS)}"
        try:
            arguments = self._named(given.arguments)
            if self.interceptors:
                return await self._intercepted(arguments, call_id, emit)
            watched = emit is not unheard
            context = ToolContext(call_id, emit, self.host, watched=watched)
            return await self.inner.run(arguments, context)
        except HackamoreError as error:
            return failure(str(error), error.code)
        except ToolException as error:
            return ToolOutput(str(error), is_error=True)

    async def _intercepted(self, arguments: JSONObject, call_id: str, emit: Emit) -> ToolOutput:
        async def send(request: ToolRequest) -> ToolOutput:
            context = ToolContext(request.call_id, emit, self.host, request.headers)
            return await self.inner.run(request.arguments, context)

        spec = self.inner.spec
        request = ToolRequest(
            tool=self.name,
            arguments=arguments,
            server=spec.server,
            server_tool=spec.server_tool,
            call_id=call_id,
            config=ensure_config(),
        )
        return await onion(self.interceptors, send)(request)

    def _named(self, arguments: str | dict[str, Any]) -> JSONObject:
        """Return the arguments by name; a text alone is the one parameter that there is."""
        if not isinstance(arguments, str):
            return arguments
        names = list(self.args)
        if len(names) != 1:
            raise UsageError(
                f"{self.name} takes named arguments, not a text.",
                hint=f"Give an object with some of: {', '.join(names) or 'nothing'}.",
            )
        return {names[0]: arguments}


def _given(found: str | dict[str, Any] | ToolCall) -> _Given:
    """Tell a tool call of a model from arguments, also from one that is named ``type``."""
    if isinstance(found, str):
        return _Given(found, None)
    values = cast(dict[str, Any], found)
    is_call = values.get("type") == "tool_call" and "id" in values
    if is_call and isinstance(values.get("args"), dict):
        return _Given(values["args"].copy(), values["id"])
    return _Given(values, None)


def _run_settings(given: _Given, config: RunnableConfig) -> dict[str, Any]:
    """Return what LangChain's own `run` and `arun` want to know."""
    run_id = config.pop("run_id", None)
    told = {name: config.get(name) for name in ("callbacks", "tags", "metadata", "run_name")}
    return {**told, "run_id": run_id, "config": config, "tool_call_id": given.call_id}


def _artifact(output: ToolOutput) -> ToolArtifact | None:
    artifact = ToolArtifact()
    if output.structured is not None:
        artifact["structured_content"] = output.structured
    if output.code is not None:
        artifact["code"] = output.code
    return artifact or None


def _metadata(spec: ToolSpec) -> dict[str, Any]:
    told = {
        "effect": spec.effect.value,
        "title": spec.title,
        "server": spec.server,
        "server_tool": spec.server_tool,
    }
    return {name: value for name, value in told.items() if value}
