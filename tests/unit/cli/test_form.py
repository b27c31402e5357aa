"""What MCP servers ask a person at the terminal, and what of the answers reaches them."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.cli.terminal.form import elicit
from hackamore.cli.terminal.form_fields import fields_of
from hackamore.cli.terminal.form_values import Nonsense, default_of, read
from hackamore.core.elicitation import (
    ElicitationAnswer,
    ElicitationRequest,
    FormRequest,
    UrlRequest,
)

pytestmark = pytest.mark.anyio


class _Person:
    """Types lines, and remembers what they saw."""

    def __init__(self, *lines: str) -> None:
        self._lines = list(lines)
        self.seen: list[str] = []
        self.opened: list[str] = []

    async def type(self, question: str) -> str | None:
        self.seen.append(question)
        return self._lines.pop(0) if self._lines else None

    def open(self, url: str) -> bool:
        self.opened.append(url)
        return True


async def _put(request: ElicitationRequest, person: _Person) -> ElicitationAnswer:
    return await elicit(request, person.seen.append, person.type, person.open)


def _form(properties: dict[str, Any], *required: str) -> FormRequest:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return FormRequest("github", "Who are\nyou?", schema)


@pytest.mark.req("MCP-09")
async def test_a_form_is_asked_field_by_field_and_sent_after_a_yes() -> None:
    person = _Person("Ada", "36", "", "2", "yes")
    form = _form(
        {
            "name": {"type": "string", "title": "Your name", "description": "as on\nthe badge"},
            "age": {"type": "integer", "minimum": 0},
            "nick": {"type": "string"},
            "colour": {"type": "string", "enum": ["r", "g"], "enumNames": ["Red", "Green"]},
        },
        "name",
        "age",
    )
    answer = await _put(form, person)
    assert answer == ElicitationAnswer("accept", {"name": "Ada", "age": 36, "colour": "g"})
    shown = "\n".join(person.seen)
    assert "The MCP server github asks:\n  │ Who are\n  │ you?\n" in shown
    assert "Your name: as on the badge" in shown
    assert "nick\n  (text; Enter: leave out) > " in shown
    assert "  1. Red\n  2. Green" in shown
    assert 'To be sent to github: {"name": "Ada", "age": 36, "colour": "g"}' in shown


@pytest.mark.req("MCP-09")
async def test_nonsense_is_asked_again_with_what_is_wanted() -> None:
    person = _Person("", "ten", "10.5", "11", "7", "y")
    form = _form({"n": {"type": "integer", "minimum": 0, "maximum": 10}}, "n")
    assert (await _put(form, person)).values == {"n": 7}
    told = [line.strip() for line in person.seen if line.strip().startswith("This")]
    assert told == [
        "This needs an answer.",
        "This must be a number.",
        "This must be a whole number.",
        "This must be at most 10.",
    ]


@pytest.mark.req("MCP-09")
@pytest.mark.parametrize("lines", [["x", "n"], ["x", ""], ["x", "what?"]])
async def test_anything_but_a_yes_at_the_end_sends_nothing(lines: list[str]) -> None:
    answer = await _put(_form({"a": {"type": "string"}}), _Person(*lines))
    assert answer == ElicitationAnswer("decline")


@pytest.mark.req("MCP-09")
@pytest.mark.parametrize("lines", [[], ["x"]])
async def test_the_end_of_the_input_is_nobodys_answer(lines: list[str]) -> None:
    answer = await _put(_form({"a": {"type": "string"}}), _Person(*lines))
    assert answer == ElicitationAnswer("cancel")


@pytest.mark.req("MCP-09")
@pytest.mark.parametrize(
    ("schema", "line", "value"),
    [
        ({"type": "string"}, " kept as it is ", " kept as it is "),
        ({"type": "string", "default": "d"}, "", "d"),
        ({"type": "string", "format": "email"}, "a@b.c", "a@b.c"),
        ({"type": "string", "format": "uri"}, "https://x/y", "https://x/y"),
        ({"type": "string", "format": "date"}, "2024-02-29", "2024-02-29"),
        ({"type": "string", "format": "date-time"}, "2024-02-29T10:00:00Z", "2024-02-29T10:00:00Z"),
        ({"type": "number"}, "2.5", 2.5),
        ({"type": "number"}, "1e3", 1000),
        ({"type": "integer", "default": 0}, "", 0),
        ({"type": ["integer", "null"]}, "-3", -3),
        ({"type": "boolean"}, "Y", True),
        ({"type": "boolean", "default": False}, "", False),
        ({"enum": ["a", "b"]}, "b", "b"),
        ({"type": "string", "enum": ["2", "1"]}, "1", "2"),
        ({"oneOf": [{"const": "x", "title": "Ex"}, {"const": "y", "title": "Why"}]}, "Why", "y"),
        ({"type": "array", "items": {"enum": ["a", "b", "c"]}}, "3, 1,3", ["c", "a"]),
        ({"type": "array", "items": {"enum": ["a"]}}, "none", []),
        ({"type": "array", "items": {"anyOf": [{"const": "x", "title": "Ex"}]}}, "1", ["x"]),
        ({"type": "array", "items": {"enum": ["a", "b"]}, "default": ["b"]}, "", ["b"]),
        ({"type": "object"}, '{"a": [1]}', {"a": [1]}),
        ({}, "null", None),
    ],
)
async def test_each_kind_of_field_takes_its_values(
    schema: dict[str, Any], line: str, value: object
) -> None:
    (field,) = fields_of({"properties": {"x": schema}, "required": ["x"]})
    found = default_of(field) if not line else read(field, line)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.req("MCP-09")
@pytest.mark.parametrize(
    ("schema", "line"),
    [
        ({"type": "string", "minLength": 3}, "ab"),
        ({"type": "string", "maxLength": 3}, "abcd"),
        ({"type": "string", "format": "email"}, "a b"),
        ({"type": "string", "format": "uri"}, "nowhere"),
        ({"type": "string", "format": "uri"}, "http://[::"),
        ({"type": "string", "format": "date"}, "30 Feb"),
        ({"type": "string"}, "half \udcff"),
        ({"type": "number"}, "NaN"),
        ({"type": "number"}, "inf"),
        ({"type": "number", "minimum": 1}, "0"),
        ({"type": "integer"}, "1.5"),
        ({"type": "boolean"}, "maybe"),
        ({"enum": ["a", "b"]}, "3"),
        ({"enum": ["a", "b"]}, "0"),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, "1, c"),
        ({"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 1}, "none"),
        ({"type": "array", "items": {"enum": ["a", "b"]}, "maxItems": 1}, "1,2"),
        ({"type": "object"}, "not JSON"),
        ({"type": "object"}, "[NaN]"),
    ],
)
def test_values_that_do_not_fit_are_refused(schema: dict[str, Any], line: str) -> None:
    (field,) = fields_of({"properties": {"x": schema}})
    with pytest.raises(Nonsense):
        read(field, line)


@pytest.mark.req("MCP-09")
@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "default": "many"},
        {"type": "boolean", "default": 1},
        {"enum": ["a"], "default": "b"},
        {"type": "array", "items": {"enum": ["a"]}, "default": "a"},
    ],
)
def test_a_default_that_does_not_fit_is_none(schema: dict[str, Any]) -> None:
    (field,) = fields_of({"properties": {"x": schema}})
    assert default_of(field) is None


_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    *("properties", "type", "enum", "oneOf", "anyOf", "items", "const", "title"),
                    *("default", "minimum", "minLength", "maxItems", "format", "enumNames"),
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=15,
)


@pytest.mark.req("MCP-09")
@given(st.dictionaries(st.text(max_size=3), _ANYTHING, max_size=3), st.text(max_size=6))
def test_no_schema_and_no_answer_breaks_a_form(properties: Any, line: str) -> None:
    for field in fields_of({"properties": properties, "required": ["a"]}):
        default_of(field)
        with suppress(Nonsense):
            read(field, line)


@pytest.mark.req("MCP-09")
async def test_a_page_is_opened_only_after_a_yes_and_its_host_is_shown_plainly() -> None:
    request = UrlRequest("github", "Log in.", "https://g\u0456thub.com/login?x=1")
    person = _Person("y")
    assert (await _put(request, person)).action == "accept"
    assert person.opened == [request.url]
    assert "  https://g\u0456thub.com/login?x=1" in person.seen
    assert "  on the host xn--gthub-n2e.com" in person.seen


@pytest.mark.req("MCP-09")
@pytest.mark.parametrize(("lines", "action"), [(["n"], "decline"), ([], "cancel")])
async def test_without_a_yes_no_page_is_opened(lines: list[str], action: str) -> None:
    person = _Person(*lines)
    answer = await _put(UrlRequest("s", "m", "https://user@h.example:8/x"), person)
    assert (answer.action, person.opened) == (action, [])
    assert "  on the host h.example" in person.seen


@pytest.mark.req("MCP-09")
@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "file:///etc/passwd",
        "--help",
        "https://",
        "https://evil.example\\@good.example/",
        "https://good.ex\tample/",
        "https://%65vil.example/",
        "https://[::1",
        "vscode://x/y",
    ],
)
async def test_what_is_no_web_page_is_declined_without_a_question(url: str) -> None:
    person = _Person("y")
    answer = await _put(UrlRequest("s", "m", url), person)
    assert (answer.action, person.opened) == ("decline", [])


@pytest.mark.req("MCP-09")
async def test_where_no_browser_can_be_started_the_person_is_told() -> None:
    person = _Person("y")
    request = UrlRequest("s", "m", "https://h.example/")
    answer = await elicit(request, person.seen.append, person.type, lambda _: False)
    assert answer.action == "accept"
    assert "open the page above yourself" in person.seen[-1]
