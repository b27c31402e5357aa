"""LangChain's tools and plain functions as core tools."""

import threading
from dataclasses import dataclass
from typing import Any, Literal, cast

import pytest
from langchain_core.tools import BaseTool, ToolException, tool
from pydantic import BaseModel

from hackamore.core.codes import Code
from hackamore.core.content import ResourceLink
from hackamore.core.effects import Effect
from hackamore.core.host import Nobody
from hackamore.core.messages import Image, Text
from hackamore.core.tools import ToolContext, ToolOutput, Touch
from hackamore.langchain.foreign_tools import from_function, from_langchain_tool
from hackamore.langchain.tools import as_langchain_tool

pytestmark = [pytest.mark.anyio, pytest.mark.req("LC-01")]

_CONTEXT = ToolContext("c1", lambda _event: None, Nobody())


@tool
def get_weather(city: str, days: int = 1) -> str:
    """Tell the weather of a city."""
    return f"sunny in {city} for {days} days"


class _Point(BaseModel):
    x: float
    label: Literal["a", "b"] = "a"


async def test_a_langchain_tool_is_a_core_tool() -> None:
    core = from_langchain_tool(get_weather)
    spec = core.spec
    assert (spec.name, spec.description) == ("get_weather", "Tell the weather of a city.")
    assert set(spec.properties) == {"city", "days"}
    assert spec.required == ("city",)
    assert spec.effect is Effect.RUN
    assert core.touches({}) == Touch()
    assert await core.preview({}) == ()
    output = await core.run({"city": "Paris"}, _CONTEXT)
    assert output == ToolOutput("sunny in Paris for 1 days")


@pytest.mark.parametrize(
    ("metadata", "effect"),
    [
        ({"effect": "read"}, Effect.READ),
        ({"effect": "network"}, Effect.NETWORK),
        ({"effect": "nothing"}, Effect.RUN),
        (None, Effect.RUN),
    ],
)
def test_its_metadata_may_say_what_it_can_do(metadata: Any, effect: Effect) -> None:
    told: BaseTool = get_weather.model_copy(update={"metadata": metadata})
    assert from_langchain_tool(told).spec.effect is effect


async def test_arguments_that_do_not_fit_are_told_to_the_model() -> None:
    output = await from_langchain_tool(get_weather).run({"days": "many"}, _CONTEXT)
    assert output.is_error
    assert output.code is Code.INVALID_REQUEST
    assert "city" in output.text


@pytest.mark.req("LC-04")
async def test_contents_status_and_data_come_through() -> None:
    @tool(response_format="content_and_artifact")
    def look(what: str) -> tuple[Any, Any]:
        """Look."""
        blocks = [
            {"type": "text", "text": f"a {what}"},
            {"type": "image", "base64": "eA==", "mime_type": "image/png"},
            {"type": "file", "url": "https://x/b.pdf"},
        ]
        return blocks, {"structured_content": {"n": 1}}

    output = await from_langchain_tool(look).run({"what": "cat"}, _CONTEXT)
    link = ResourceLink("https://x/b.pdf", "https://x/b.pdf")
    assert output.content == (Text("a cat"), Image("image/png", b"x"), link)
    assert output.text == "a cat\n[image/png]\n[https://x/b.pdf]"
    assert output.structured == {"n": 1}


@pytest.mark.parametrize("handled", [True, False])
async def test_a_tool_exception_is_a_failure(handled: bool) -> None:
    @tool
    def fail() -> str:
        """Fail."""
        raise ToolException("quota exceeded")

    fail.handle_tool_error = handled
    output = await from_langchain_tool(fail).run({}, _CONTEXT)
    assert output.is_error
    assert output.text == "quota exceeded"


async def test_a_bug_in_a_function_stays_an_exception() -> None:
    def crash() -> str:
        """Crash."""
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await from_function(crash).run({}, _CONTEXT)


def test_a_core_tool_that_was_lent_comes_back_as_itself(recording: Any) -> None:
    core = recording("seen")
    assert from_langchain_tool(as_langchain_tool(core)) is core


async def test_a_core_tool_with_interceptors_keeps_them(recording: Any) -> None:
    async def answer(_request: Any, _rest: Any) -> ToolOutput:
        return ToolOutput("from memory", structured={"n": 1})

    core = from_langchain_tool(as_langchain_tool(recording("seen"), interceptors=[answer]))
    output = await core.run({"a": "x"}, _CONTEXT)
    assert (output.text, output.structured) == ("from memory", {"n": 1})


async def test_a_sync_function_runs_in_a_thread() -> None:
    def where(point: _Point, times: int = 2) -> str:
        """Say where.

        Args:
            point: The place.
            times: How often.
        """
        return f"{threading.current_thread() is threading.main_thread()} {point.x} {times}"

    core = from_function(where)
    assert core.spec.description == "Say where."
    point = cast(Any, core.spec.properties["point"])
    assert point["description"] == "The place."
    assert point["properties"]["label"]["enum"] == ["a", "b"]
    assert core.spec.properties["times"]["description"] == "How often."
    output = await core.run({"point": {"x": 1}}, _CONTEXT)
    assert output.text == "False 1.0 2"


async def test_an_async_function_runs_on_the_loop() -> None:
    async def count(words: list[str]) -> dict[str, int]:
        return {word: len(word) for word in words}

    core = from_function(count)
    assert core.spec.description == "count"
    output = await core.run({"words": ["a", "bc"]}, _CONTEXT)
    assert output.text == '{"a": 1, "bc": 2}'


def test_a_name_that_no_provider_takes_is_made_fit() -> None:
    named = get_weather.model_copy(update={"name": "weather in " + "x" * 80})
    assert from_langchain_tool(named).spec.name == ("weather_in_" + "x" * 80)[:64]


@dataclass
class _Adder:
    """A thing that can be called."""

    by: int

    async def add(self, n: int) -> int:
        """Add."""
        return n + self.by


async def test_a_bound_method_is_a_function_too() -> None:
    core = from_function(_Adder(2).add)
    assert set(core.spec.properties) == {"n"}
    assert (await core.run({"n": 3}, _CONTEXT)).text == "5"
