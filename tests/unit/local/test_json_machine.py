"""The machine that knows which bytes may come next in a JSON value."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.local.json_machine import State, forced, may_end, step, steps
from hackamore.local.json_shapes import value

pytestmark = pytest.mark.req("LC-05")


def _accepts(schema: Mapping[str, Any], text: str) -> bool:
    state = steps(value(schema), text.encode())
    return state is not None and may_end(state)


_PERSON = {
    "type": "object",
    "properties": {
        "nick": {"type": "string"},
        "age": {"type": "integer", "minimum": 0},
        "name": {"type": "string", "maxLength": 3},
        "tags": {"type": "array", "items": {"enum": ["a", "ab", 1]}, "maxItems": 2},
    },
    "required": ["name"],
}


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"type": "string"}, '"a\\n\\u00e9é😀"'),
        ({"type": "integer"}, "-12"),
        ({"type": "integer"}, "0"),
        ({"type": "number"}, "3.25"),
        ({"type": "boolean"}, "true"),
        ({"type": "null"}, "null"),
        ({"type": ["string", "null"]}, "null"),
        ({"const": "x"}, '"x"'),
        ({"anyOf": [{"type": "integer"}, {"type": "number"}]}, "1.5"),
        ({"anyOf": [{"type": "integer"}, {"type": "number"}]}, "1"),
        ({"type": "array", "items": {"type": "integer"}}, "[1, 2, 3]"),
        ({"type": "array"}, '[{"a": [null]}, "x"]'),
        ({"type": "object"}, '{"a": 1, "b": {}}'),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, '{"a": 1}'),
        ({"type": "object", "properties": {}, "additionalProperties": False}, "{}"),
        ({}, '{"a": [1, true]}'),
        (_PERSON, '{"name": "Bo"}'),
        (_PERSON, '{"name": "é", "nick": "", "tags": ["a", "ab"]}'),
        (_PERSON, '{"name": "Bo", "age": 7}'),
    ],
)
def test_a_value_that_fits_is_accepted(schema: Mapping[str, Any], text: str) -> None:
    assert _accepts(schema, text)


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"type": "string"}, '"a\nb"'),
        ({"type": "string"}, '"\\x"'),
        ({"type": "string"}, '"\\ud800"'),
        ({"type": "string"}, '"open'),
        ({"type": "string", "minLength": 2}, '"a"'),
        ({"type": "integer"}, "01"),
        ({"type": "integer"}, "-"),
        ({"type": "integer"}, "1.5"),
        ({"type": "integer"}, "1" * 16),
        ({"type": "integer", "minimum": 0}, "-1"),
        ({"type": "number"}, "1."),
        ({"type": "boolean"}, "yes"),
        ({"enum": ["a", "b"]}, '"c"'),
        ({"type": "array", "items": {"type": "integer"}}, '["x"]'),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 1}, "[]"),
        ({}, "[" * 12 + "]" * 12),
        (_PERSON, "{}"),
        (_PERSON, '{"nick": "x", "name": "Bo"}'),
        (_PERSON, '{"name": "Boris"}'),
        (_PERSON, '{"name": "Bo", "other": 1}'),
        (_PERSON, '{"name": "Bo", "age": 7, "age": 7}'),
        (_PERSON, '{"name": "Bo", "tags": ["a", "a", "a"]}'),
    ],
)
def test_a_value_that_does_not_fit_is_not(schema: Mapping[str, Any], text: str) -> None:
    assert not _accepts(schema, text)


def test_bytes_that_are_no_text_may_not_come() -> None:
    for data in (b'"\xff', b'"\xc3"', b'"\xed\xa0\x80', b'"\xf4\x90\x80\x80', b'"\xc0\x80'):
        assert steps(value({"type": "string"}), data) is None


def test_what_has_no_choice_is_known_beforehand() -> None:
    assert forced(value(_PERSON)) == b'{"name": "'
    state = steps(value(_PERSON), b'{"name": "Bo"')
    assert state is not None
    assert forced(state) == b""
    assert forced(steps(state, b', "t') or ()) == b'ags": ['


_Schema = Mapping[str, Any]


def _text(top: int) -> _Schema:
    return {"type": "string", "maxLength": top}


def _choice(items: list[Any]) -> _Schema:
    return {"enum": items}


def _array(one: _Schema) -> _Schema:
    return {"type": "array", "items": one, "maxItems": 3}


def _either(one: _Schema, other: _Schema) -> _Schema:
    return {"anyOf": [one, other]}


def _object(properties: Mapping[str, Any], needed: Sequence[bool]) -> _Schema:
    names = [name for name, need in zip(properties, needed, strict=False) if need]
    return {
        "type": "object",
        "properties": properties,
        "required": names,
        "additionalProperties": False,
    }


_CONSTANTS: list[_Schema] = [
    {},
    {"type": "boolean"},
    {"type": "null"},
    {"type": "integer"},
    {"type": "number"},
    {"type": "integer", "minimum": 0},
]


def _grown(inner: st.SearchStrategy[_Schema]) -> st.SearchStrategy[_Schema]:
    flags = st.lists(st.booleans(), min_size=4, max_size=4)
    properties = st.dictionaries(st.text(max_size=4), inner, max_size=4)
    return (
        st.builds(_array, inner)
        | st.builds(_object, properties, flags)
        | st.builds(_either, inner, inner)
    )


_schemas = st.recursive(
    st.sampled_from(_CONSTANTS)
    | st.builds(_text, st.integers(0, 4))
    | st.builds(
        _choice,
        st.lists(st.text(max_size=3) | st.integers(-9, 99) | st.none(), min_size=1),
    ),
    _grown,
    max_leaves=6,
)


@given(st.text("0123456789.", min_size=1, max_size=20))
def test_a_number_that_has_begun_can_always_be_ended(text: str) -> None:
    state = value({"type": "number"})
    for letter in text:
        state = steps(state, letter.encode()) or state
    assert not state or may_end(state) or any(step(state, digit) for digit in b"0123456789")


@given(_schemas, st.randoms(use_true_random=False))
def test_whatever_is_chosen_the_value_parses_and_fits(schema: Any, chance: Any) -> None:
    written = _write(value(schema), chance)
    assert _fits(json.loads(written), schema), written


def _write(state: State, chance: Any) -> str:
    """Choose bytes by chance until the value is whole; towards the end, what closes."""
    data = b""
    while state and not (may_end(state) and chance.random() < 0.3):
        ways = [(byte, after) for byte in range(256) if (after := step(state, byte)) is not None]
        if not ways and may_end(state):
            break
        assert ways, data
        closing = [way for way in ways if way[0] in b'"]}']
        byte, state = chance.choice(closing if len(data) > 200 and closing else ways)
        data += bytes([byte])
    assert may_end(state)
    return data.decode()


def _fits(item: Any, schema: Any) -> bool:
    if "anyOf" in schema:
        return any(_fits(item, one) for one in schema["anyOf"])
    if "enum" in schema:
        return any(type(item) is type(one) and item == one for one in schema["enum"])
    kind = schema.get("type")
    if kind is None:
        return True
    return type(item) in _TYPES[kind] and _keeps_limits(item, schema, kind)


def _keeps_limits(item: Any, schema: Any, kind: str) -> bool:
    match kind:
        case "string":
            return len(item) <= schema["maxLength"]
        case "integer":
            return item >= schema.get("minimum", item)
        case "array":
            return len(item) <= schema["maxItems"] and all(
                _fits(one, schema["items"]) for one in item
            )
        case "object":
            properties = schema["properties"]
            known = set(schema["required"]) <= set(item) <= set(properties)
            return known and all(_fits(one, properties[name]) for name, one in item.items())
        case _:
            return True


_TYPES: dict[str, tuple[type, ...]] = {
    "boolean": (bool,),
    "null": (type(None),),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "array": (list,),
    "object": (dict,),
}
