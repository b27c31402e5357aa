"""What a model is shown of a tool's parameters."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from hackamore.langchain.schema import provider_view

pytestmark = pytest.mark.req("LC-02")

_NODE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}, "default": []},
    },
    "required": ["name"],
}


def _view(schema: Any) -> Any:
    return provider_view(schema)


def _shown(parameter: Any, **document: Any) -> Any:
    """Return the view of one parameter."""
    return _view({"type": "object", "properties": {"p": parameter}, **document})["properties"]["p"]


def _schemas(view: Any) -> Iterator[Any]:
    """Yield every schema in a view."""
    yield view
    for keyword in ("properties", "patternProperties"):
        for inner in view.get(keyword, {}).values():
            yield from _schemas(inner)
    for keyword in ("items", "additionalProperties", "propertyNames"):
        if isinstance(view.get(keyword), dict):
            yield from _schemas(view[keyword])
    for inner in view.get("anyOf", []):
        yield from _schemas(inner)


def _depth(view: Any) -> int:
    inner = [_depth(one) for one in _schemas(view) if one is not view]
    return 1 + max(inner, default=0)


_KEYWORDS = [
    "$ref",
    "type",
    "properties",
    "items",
    "anyOf",
    "allOf",
    "oneOf",
    "enum",
    "const",
    "default",
    "required",
    "$defs",
    "pattern",
    "minimum",
    "multipleOf",
    "minLength",
    "additionalProperties",
    "patternProperties",
    "prefixItems",
    "then",
    "not",
    "title",
    "nullable",
    "$schema",
    "dependentSchemas",
]
_LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(
        ["#", "#/", "#/$defs/a", "#/properties/a", "#/anyOf/0", "http://x/y", "string", "object"]
    )
    | st.sampled_from(["array", "null", "integer", "(", "[a-z]", "\\p{L}"])
)
_NAMES = st.sampled_from([*_KEYWORDS, *_KEYWORDS, "a", "b"]) | st.text(max_size=3)
_JSON = st.recursive(
    _LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(_KEYWORDS), inner, max_size=6)
        | st.dictionaries(_NAMES, inner, max_size=4)
    ),
    max_leaves=40,
)


@given(st.dictionaries(_NAMES, _JSON, max_size=8))
def test_any_json_object_gives_a_view_that_every_provider_takes(schema: dict[str, Any]) -> None:
    before = copy.deepcopy(repr(schema))
    view = _view(schema)
    assert repr(schema) == before
    json.dumps(view, allow_nan=False)
    Draft202012Validator.check_schema(view)
    assert view["type"] == "object"
    assert isinstance(view["properties"], dict)
    assert not {"anyOf", "oneOf", "allOf", "not", "if", "enum", "const"} & set(view)
    for one in _schemas(view):
        assert not {"$ref", "$schema", "$defs", "definitions", "oneOf", "allOf"} & set(one)


@given(st.dictionaries(_NAMES, _JSON, max_size=8))
def test_each_view_is_a_fresh_one(schema: dict[str, Any]) -> None:
    first = _view(schema)
    first["properties"]["mine"] = {"type": "string"}
    assert "mine" not in _view(schema)["properties"] or "mine" in str(schema)


def test_a_plain_schema_stays_as_it_is() -> None:
    schema = {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "Where.", "minLength": 1},
            "days": {"type": "integer", "minimum": 1, "default": 3},
            "units": {"type": "string", "enum": ["C", "F"]},
            "env": {"type": "object", "additionalProperties": {"type": "string"}},
            "mix": {"type": ["string", "null"]},
            "kind": {"type": "integer", "const": 2},
        },
        "required": ["city"],
        "additionalProperties": False,
    }
    assert _view(schema) == schema


@pytest.mark.parametrize("schema", [{}, {"type": "object"}, {"$schema": "x", "type": "string"}])
def test_there_are_always_properties(schema: dict[str, Any]) -> None:
    assert _view(schema) == {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("#/$defs/Pt", {"type": "integer"}),
        ("#/definitions/Pt", {"type": "number"}),
        ("#/properties/q/properties/k", {"type": "string"}),
        ("#/$defs/a~1b~0c%20d", {"type": "boolean"}),
        ("#/$defs/many/anyOf/1", {"type": "null"}),
        ("#/$defs/Missing", {}),
        ("https://example.com/schema.json", {}),
        ("other.json#/x", {}),
        ("#anchor", {}),
        ("#/$defs/many/anyOf/9", {}),
        ("#/$defs/many/anyOf/" + "9" * 5000, {}),
    ],
)
def test_local_references_are_written_out_and_others_left_open(
    reference: str, expected: dict[str, Any]
) -> None:
    document = {
        "type": "object",
        "properties": {
            "p": {"$ref": reference},
            "q": {"type": "object", "properties": {"k": {"type": "string"}}},
        },
        "$defs": {
            "Pt": {"type": "integer"},
            "a/b~c d": {"type": "boolean"},
            "many": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "definitions": {"Pt": {"type": "number"}},
    }
    assert _view(document)["properties"]["p"] == expected


def test_words_beside_a_reference_win() -> None:
    shown = _shown(
        {"$ref": "#/$defs/City", "description": "Mine."},
        **{"$defs": {"City": {"type": "string", "description": "Theirs.", "minLength": 1}}},
    )
    assert shown == {"type": "string", "description": "Mine.", "minLength": 1}


def test_recursion_is_cut_after_a_round() -> None:
    shown = _shown({"$ref": "#/$defs/Node"}, **{"$defs": {"Node": _NODE}})
    inner = shown["properties"]["children"]["items"]
    assert inner["required"] == ["name"]
    assert inner["properties"]["children"]["items"] == {"type": "object"}


def test_a_schema_that_is_only_itself_is_open() -> None:
    assert _view({"$ref": "#"}) == {"type": "object", "properties": {}}
    assert _view({"allOf": [{"$ref": "#"}]}) == {"type": "object", "properties": {}}


def test_references_that_fan_out_stay_small() -> None:
    kinds = {
        f"K{one}": {
            "type": "object",
            "properties": {f"p{other}": {"$ref": f"#/$defs/K{other}"} for other in range(12)},
        }
        for one in range(12)
    }
    view = _view({"properties": {"a": {"$ref": "#/$defs/K0"}, "z": kinds["K1"]}, "$defs": kinds})
    assert len(json.dumps(view)) < 200_000
    assert view["properties"]["z"]["properties"]["p3"]["type"] == "object"


def test_a_schema_that_is_large_without_references_is_shown_whole() -> None:
    parameters = {f"p{n}": {"type": "string", "description": "x" * 100} for n in range(3000)}
    assert _view({"type": "object", "properties": parameters})["properties"] == parameters


def test_deep_nesting_is_bounded() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(5000):
        schema = {"type": "object", "properties": {"a": schema}}
    assert _depth(_view(schema)) < 30


def test_choices_at_the_root_become_one_list_of_parameters() -> None:
    view = _view(
        {
            "oneOf": [
                {
                    "type": "object",
                    "properties": {"kind": {"const": "a"}, "x": {"type": "integer"}},
                    "required": ["kind", "x"],
                },
                {
                    "type": "object",
                    "properties": {"kind": {"const": "b"}, "x": {"type": "string"}},
                    "required": ["kind"],
                },
                {"type": "null"},
            ]
        }
    )
    assert view == {
        "type": "object",
        "properties": {
            "kind": {"type": "string", "enum": ["a", "b"]},
            "x": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        },
        "required": ["kind"],
    }


def test_what_must_hold_together_is_merged() -> None:
    view = _view(
        {
            "allOf": [
                {"properties": {"a": {"type": "string"}}, "required": ["a"]},
                {"$ref": "#/$defs/More"},
            ],
            "properties": {"a": {"minLength": 2}},
            "$defs": {"More": {"properties": {"b": {"type": "integer"}}, "required": ["b"]}},
        }
    )
    assert view["properties"] == {"a": {"type": "string", "minLength": 2}, "b": {"type": "integer"}}
    assert sorted(view["required"]) == ["a", "b"]


def test_parameters_that_hold_only_sometimes_are_shown_and_never_required() -> None:
    view = _view(
        {
            "properties": {"a": {"type": "string"}},
            "if": {"required": ["a"]},
            "then": {"properties": {"b": {"type": "integer"}}, "required": ["b"]},
            "dependentSchemas": {"a": {"properties": {"c": {"type": "null"}}}},
        }
    )
    assert set(view["properties"]) == {"a", "b", "c"}
    assert "required" not in view


@pytest.mark.parametrize(
    "parameter",
    [
        {"type": "string", "default": None},
        {"type": "integer", "default": "3"},
        {"enum": ["a", "b"], "default": "c"},
        {"anyOf": [{"type": "string"}, {"type": "integer"}], "default": []},
    ],
)
def test_a_default_that_cannot_be_is_not_shown(parameter: dict[str, Any]) -> None:
    assert "default" not in _shown(parameter)


@pytest.mark.parametrize(
    "parameter",
    [
        {"type": "string", "nullable": True, "default": None},
        {"type": ["string", "null"], "default": None},
        {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        {"type": "number", "default": 3},
    ],
)
def test_a_default_that_can_be_is_shown(parameter: dict[str, Any]) -> None:
    assert _shown(parameter) == parameter


def test_values_that_are_no_texts_are_choices_of_constants() -> None:
    assert _shown({"type": ["string", "integer", "null"], "enum": ["a", 1, None]}) == {
        "anyOf": [
            {"type": "string", "enum": ["a"]},
            {"type": "integer", "const": 1},
            {"type": "null"},
        ]
    }
    assert _shown({"type": "array", "items": {"enum": [1.5, True]}})["items"] == {
        "anyOf": [{"type": "number", "const": 1.5}, {"type": "boolean", "const": True}]
    }


def test_boolean_schemas_are_understood() -> None:
    view = _view(
        {
            "properties": {"any": True, "never": False, "list": {"type": "array", "items": False}},
            "additionalProperties": True,
        }
    )
    assert view["properties"] == {"any": {}, "list": {"type": "array", "items": {}}}
    assert view["additionalProperties"] is True


def test_arrays_always_say_their_items() -> None:
    assert _shown({"type": "array"}) == {"type": "array", "items": {}}
    pair = [{"type": "string"}, {"type": "integer"}]
    either = {"type": "array", "items": {"anyOf": pair}}
    assert _shown({"type": "array", "items": pair}) == either
    assert _shown({"type": "array", "prefixItems": pair}) == either


def test_what_is_required_is_also_a_property() -> None:
    view = _view({"properties": {}, "required": ["a", "a", 3]})
    assert view == {"type": "object", "properties": {"a": {}}, "required": ["a"]}


def test_malformed_keywords_are_left_out_alone() -> None:
    shown = _shown(
        {
            "type": ["String", "string"],
            "pattern": "(",
            "minLength": -1,
            "exclusiveMinimum": True,
            "required": True,
            "enum": "a",
            "format": 3,
            "maximum": float("nan"),
            "description": "Kept.",
        }
    )
    assert shown == {"type": "string", "description": "Kept."}


def test_names_are_data() -> None:
    names = ["$schema", "$defs", "type", "properties", "title", "self", "日本", "a b", ""]
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
    assert list(_view(schema)["properties"]) == names
