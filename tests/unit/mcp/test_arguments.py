"""Arguments are checked by the server's own schema, mended where they can mean one thing only."""

import contextlib
import copy
import datetime
import json
import socket
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.core.errors import UsageError
from hackamore.mcp.arguments import ArgumentCheck, result_problem

pytestmark = pytest.mark.req("LC-02")

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
_OBJECTS = st.dictionaries(st.text(), _JSON, max_size=5)
_KEYWORDS = st.sampled_from(
    [
        *("type", "properties", "required", "anyOf", "items", "$ref", "$defs", "enum", "not"),
        *("additionalProperties", "$schema", "$id", "multipleOf", "pattern", "patternProperties"),
    ]
)
_SCHEMAS = st.dictionaries(_KEYWORDS, _JSON, max_size=6)


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def _refused(schema: Any, **arguments: Any) -> str:
    with pytest.raises(UsageError) as caught:
        ArgumentCheck(schema).checked(arguments)
    return str(caught.value)


def _passes(schema: Any, **arguments: Any) -> bool:
    return ArgumentCheck(schema).checked(arguments) == arguments


@pytest.mark.req("LC-04")
def test_what_is_wrong_is_named_with_its_place_and_what_is_allowed() -> None:
    item = {"type": "object", "properties": {"op": {"enum": ["avg", "sum"]}}}
    schema = _object(sets={"type": "array", "items": item}, n={"type": "integer"})
    schema["required"] = ["name"]
    words = _refused(schema, sets=[{"op": "avg"}, {"op": "max"}], n="x")
    assert 'sets[1].op: \'max\' is not one of "avg", "sum"' in words
    assert "n: 'x' is not of type 'integer'" in words
    assert "'name' is a required property" in words
    assert words.endswith("Nothing was sent.")


def test_long_values_are_not_said_back_whole() -> None:
    assert len(_refused(_object(a={"type": "integer"}), a="x" * 100_000)) < 1_000


@pytest.mark.parametrize(
    ("schema", "text", "value"),
    [
        ({"type": "object"}, '{"a": 1}', {"a": 1}),
        ({"type": "array"}, " [1, 2]", [1, 2]),
        ({"type": ["array", "null"]}, "[]", []),
        ({"anyOf": [{"type": "array"}, {"type": "object"}]}, "[1]", [1]),
        ({"$ref": "#/$defs/t"}, '{"a": 1}', {"a": 1}),
    ],
)
def test_json_written_as_text_is_read_where_nothing_else_is_allowed(
    schema: Any, text: str, value: Any
) -> None:
    whole = _object(x=schema) | {"$defs": {"t": {"type": "object"}}}
    assert ArgumentCheck(whole).checked({"x": text}) == {"x": value}


@pytest.mark.parametrize(
    "schema",
    [
        {},
        True,
        {"type": "string"},
        {"type": ["string", "object"]},
        {"anyOf": [{"type": "object"}, {"type": "string"}]},
        {"description": "anything"},
    ],
)
def test_text_stays_text_where_it_is_allowed(schema: Any) -> None:
    assert _passes(_object(x=schema), x='{"a": 1}')
    assert _passes(_object(x=schema), x="[1]")


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "maxLength": 3},
        {"enum": ["a"]},
        {"anyOf": [{"type": "object"}, {"type": "string", "maxLength": 3}]},
        {"oneOf": [{"type": "string"}, {"minLength": 1}]},
    ],
)
def test_text_that_is_wrong_as_text_is_not_taken_for_something_else(schema: Any) -> None:
    assert "x" in _refused(_object(x=schema), x='{"a": 1}')


@pytest.mark.parametrize("text", ['{"a": 1', "7", "null", "true", '"a"', "", "{a: 1}", "[" * 9999])
def test_text_that_is_no_structure_is_refused(text: str) -> None:
    assert "x:" in _refused(_object(x={"type": "object"}), x=text)


def test_numbers_and_booleans_written_as_text_are_not_guessed() -> None:
    for kind in ("integer", "number", "boolean", "null"):
        assert "x:" in _refused(_object(x={"type": kind}), x="1")


def test_structures_inside_structures_are_mended_too() -> None:
    inner = _object(tags={"type": "array", "items": {"type": "object"}})
    found = ArgumentCheck(_object(x=inner)).checked({"x": {"tags": ['{"a": 1}', {"b": 2}]}})
    assert found == {"x": {"tags": [{"a": 1}, {"b": 2}]}}


def test_null_is_dropped_where_it_may_be_absent_but_not_null() -> None:
    schema = _object(a={"type": "string"}, b={"type": ["string", "null"]}, c={"enum": ["x"]}, d={})
    given = {"a": None, "b": None, "c": None, "d": None}
    assert ArgumentCheck(schema).checked(given) == {"b": None, "d": None}


def test_null_for_what_is_required_is_refused() -> None:
    schema = _object(a={"type": "string"}) | {"required": ["a"]}
    assert "'a' is a required property" in _refused(schema, a=None)


def test_null_in_a_list_stays_and_is_refused() -> None:
    schema = _object(a={"type": "array", "items": {"type": "string"}})
    assert "a[0]" in _refused(schema, a=[None])


def test_nothing_is_filled_in() -> None:
    assert ArgumentCheck(_object(a={"type": "string", "default": "x"})).checked({}) == {}


@pytest.mark.parametrize("number", [12345678901234567890, -(2**200), 3, 3.0, 1e300, 0.1])
def test_numbers_pass_untouched(number: float) -> None:
    (found,) = ArgumentCheck(_object(a={"type": "number"})).checked({"a": number}).values()
    assert repr(found) == repr(number)


def test_what_the_caller_gave_is_never_changed() -> None:
    given: dict[str, Any] = {"x": '{"a": 1}', "n": None, "deep": {"y": "[1]"}}
    before = copy.deepcopy(given)
    deep = _object(y={"type": "array"})
    schema = _object(x={"type": "object"}, n={"type": "string"}, deep=deep)
    assert ArgumentCheck(schema).checked(given) == {"x": {"a": 1}, "deep": {"y": [1]}}
    assert given == before


def test_a_remote_reference_opens_no_socket_and_lets_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket.socket, "connect", never)
    monkeypatch.setattr(socket, "create_connection", never)
    for reference in (
        "http://169.254.169.254/x",
        "https://example.com/s.json",
        "file:///etc/passwd",
    ):
        assert _passes(_object(a={"$ref": reference}), a=1)
        assert _passes({"$ref": reference}, a=1)


def test_references_that_lead_nowhere_let_pass() -> None:
    assert _passes(_object(a={"$ref": "#/$defs/Missing"}), a=1)
    assert _passes(_object(a={"$ref": "#/properties/b/nothing"}), a=1)
    assert _passes(_object(a={"$dynamicRef": "#node"}), a=1)


def test_a_recursive_schema_is_checked_to_the_bottom() -> None:
    node: dict[str, Any] = {
        "type": "object",
        "properties": {"kids": {"items": {"$ref": "#/$defs/node"}}},
    }
    node["required"] = ["name"]
    schema = _object(tree={"$ref": "#/$defs/node"}) | {"$defs": {"node": node}}
    assert _passes(schema, tree={"name": "a", "kids": [{"name": "b", "kids": []}]})
    assert "tree.kids[0]: 'name' is a required property" in _refused(
        schema, tree={"name": "a", "kids": [{}]}
    )


def test_a_schema_that_contains_only_itself_lets_pass() -> None:
    assert _passes(_object(a={"$ref": "#/properties/a"}), a=1)


def test_arguments_that_are_very_deep_end() -> None:
    deep: Any = 1
    for _ in range(190):
        deep = {"a": deep}
    schema = {"$ref": "#/$defs/n", "$defs": {"n": _object(a={"$ref": "#/$defs/n"})}}
    assert _passes(schema, a=deep)
    for _ in range(700):
        deep = {"a": deep}
    assert "a.a.a" in _refused(schema, a=deep)


def test_older_drafts_are_followed_in_their_own_way() -> None:
    seven = "http://json-schema.org/draft-07/schema#"
    schema = _object(p={"$ref": "#/definitions/Pt"}, t={"items": [{"type": "integer"}]})
    schema |= {"definitions": {"Pt": {"type": "object", "required": ["x"]}}, "$schema": seven}
    assert _passes(schema, p={"x": 1}, t=[1, "a"])
    assert "p: 'x' is a required property" in _refused(schema, p={})
    assert "t[0]" in _refused(schema, t=["a"])
    own = {"$schema": seven, "$id": "http://example.com/a.json", **_object(a={"$ref": "#/$defs/s"})}
    assert "a:" in _refused(own | {"$defs": {"s": {"type": "string"}}}, a=1)


@pytest.mark.parametrize("named", ["http://json-schema.org/draft-99/schema#", "nonsense", 7, None])
def test_an_unknown_draft_is_taken_for_the_newest(named: Any) -> None:
    assert "a:" in _refused(_object(a={"type": "string"}) | {"$schema": named}, a=1)


@pytest.mark.parametrize(
    "pattern", [r"^\p{L}+$", r"(?<name>x)", r"\h", "[", "(?i", r"^(?<=a+)b$", r"[[:alpha:]]"]
)
def test_a_pattern_of_another_engine_lets_pass_and_the_rest_is_checked(pattern: str) -> None:
    schema = _object(a={"type": "string", "pattern": pattern}, b={"type": "integer"})
    assert _passes(schema, a="xyz")
    assert "b:" in _refused(schema, a="xyz", b="no")
    assert "a:" in _refused(schema, a=7)


@pytest.mark.parametrize(
    "pattern",
    [
        r"^(\w+\s?)*$",
        r"(a+)+$",
        r"((a)+b?)+$",
        r"(a|aa)+$",
        r"(.*)*x",
        r"(?:a?){30}a{30}$",
        r"a*a*a*a*a*a*$",
        r"(a+?)+?$",
        r"(?=(a+)+$)b",
        r"(a{1,9}){1,40}$",
        r"^(.+)+\1$",
    ],
)
def test_a_pattern_that_could_take_for_ever_ends_at_once(pattern: str) -> None:
    text = "a" * 5_000 + "!"
    schemas: list[dict[str, Any]] = [
        _object(a={"type": "string", "pattern": pattern}),
        {"type": "object", "patternProperties": {pattern: {"type": "string"}}},
        {"patternProperties": {pattern: {}}, "additionalProperties": False},
        {"type": "object", "propertyNames": {"pattern": pattern}},
    ]
    for schema in schemas:
        begun = time.monotonic()
        with contextlib.suppress(UsageError):
            ArgumentCheck(schema).checked({"a": text, text: "x"})
        assert time.monotonic() - begun < 2


@pytest.mark.parametrize(
    ("pattern", "good", "bad"),
    [
        (r"^\d{4}-\d{2}-\d{2}$", "2026-11-30", "today"),
        (r"^[a-z0-9.-]+@[a-z0-9-]+\.[a-z]{2,}$", "ada@example.com", "ada at example"),
        (r"^(foo|bar)$", "bar", "baz"),
        (r"^#[0-9a-fA-F]{6}$", "#00ff00", "green"),
        (r"^[a-z]+$", "a" * 9_000, "a" * 9_000 + "!"),
        (r"[[a]", "a", "b"),
    ],
)
def test_a_harmless_pattern_is_checked(pattern: str, good: str, bad: str) -> None:
    schema = _object(a={"type": "string", "pattern": pattern})
    assert _passes(schema, a=good)
    assert "does not match" in _refused(schema, a=bad)


def test_properties_named_by_patterns_are_checked() -> None:
    schema = {"patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": False}
    assert _passes(schema, **{"x-a": 1})
    assert "x-a" in _refused(schema, **{"x-a": "no"})
    assert "'y' was unexpected" in _refused(schema, y=1)


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": 7},
        {"properties": "none"},
        {"properties": {"a": "text"}},
        {"properties": {}, "required": [[1]]},
        {"required": "a"},
        {"$ref": 7},
        {"$id": "::::"},
        {"multipleOf": 0},
        {"type": "object", "properties": {"a": {"enum": None}}},
    ],
)
def test_a_schema_that_is_none_lets_everything_pass(schema: Any) -> None:
    assert _passes(schema, a=1, b=None, c='{"x": 1}')


def test_keywords_at_the_root_count() -> None:
    schema = _object(a={}, b={}) | {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}
    assert _passes(schema, a=1)
    assert "valid under" in _refused(schema, a=1, b=2)


@pytest.mark.req("LC-03")
def test_names_of_arguments_are_data() -> None:
    names = ["self", "config", "runtime", "args", "class", "_x", "a-b", "日本", "", "a.b", "$ref"]
    schema = _object(**{name: {"type": "integer"} for name in names})
    given = dict.fromkeys(names, 1)
    assert ArgumentCheck(schema).checked(given) == given
    assert "日本: 'x'" in _refused(schema, **given | {"日本": "x"})


@given(_SCHEMAS, _OBJECTS)
def test_no_schema_and_no_arguments_raise_anything_else(schema: Any, arguments: Any) -> None:
    before = copy.deepcopy(arguments)
    with contextlib.suppress(UsageError):
        ArgumentCheck(schema).checked(arguments)
    assert arguments == before


@given(_OBJECTS, st.dictionaries(st.text(), st.sampled_from(["string", "integer", "object"])))
def test_what_passes_is_sent_as_it_was_given_unless_it_was_mended(
    arguments: Any, kinds: dict[str, str]
) -> None:
    schema = _object(**{name: {"type": kind} for name, kind in kinds.items()})
    try:
        sent = ArgumentCheck(schema).checked(arguments)
    except UsageError:
        return
    for name, value in arguments.items():
        if name in sent and repr(sent[name]) != repr(value):
            assert kinds[name] == "object"
            assert sent[name] == json.loads(value)
        elif name not in sent:
            assert value is None
            assert name in kinds
    assert set(sent) <= set(arguments)


@given(_SCHEMAS, _JSON)
def test_no_result_and_no_output_schema_raise_anything(schema: Any, value: Any) -> None:
    wrong = result_problem(schema, value)
    assert wrong is None or isinstance(wrong, str)


def test_in_what_a_result_breaks_its_schema_is_said() -> None:
    schema = _object(t={"type": "number"})
    assert result_problem(schema, {"t": "warm"}) == "t: 'warm' is not of type 'number'"
    assert result_problem(schema, {"t": 1}) is None


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (float("nan"), "x: nan"),
        ([1, float("inf")], "x[1]: inf"),
        ({"y": [-float("inf")]}, "x.y[0]: -inf"),
        (b"a", "x: a value of the type bytes"),
        ({"y": {1, 2}}, "x.y: a value of the type set"),
        (datetime.date(2026, 11, 30), "x: a value of the type date"),
        ({7: "a"}, "x: the name 7"),
        (object(), "x: a value of the type object"),
    ],
)
def test_what_is_no_json_is_refused_by_its_place(value: Any, place: str) -> None:
    for schema in ({}, _object(x={}), _object(x={"type": "number"})):
        assert place in _refused(schema, x=value)


def test_a_structure_that_holds_itself_is_refused() -> None:
    circle: dict[str, Any] = {}
    circle["again"] = circle
    assert "holds itself" in _refused({}, x=circle)


def test_a_tuple_is_sent_as_a_list() -> None:
    assert ArgumentCheck({}).checked({"x": (1, (2,))}) == {"x": [1, [2]]}


@pytest.mark.parametrize("text", ['{"a": 1e400}', "[NaN]", '{"a": [-Infinity]}'])
def test_text_whose_numbers_are_no_json_is_not_taken_for_a_structure(text: str) -> None:
    assert "x:" in _refused(_object(x={"type": ["object", "array"]}), x=text)


@pytest.mark.parametrize(
    "odd",
    [
        {"type": "integer", "minimum": 0, "exclusiveMinimum": True},
        {"type": "integer", "required": True},
        {"type": "integer", "$schema": 5, "$id": 7},
        {"type": "integer", "properties": []},
        {"type": "integer", "enum": "none", "multipleOf": 0, "uniqueItems": "no"},
        {"type": "integer", "allOf": ["none", {"pattern": 7}], "items": 7},
    ],
)
def test_a_word_that_cannot_be_followed_costs_only_itself(odd: Any) -> None:
    schema = _object(n=odd, o={"type": "string"}, p="none") | {"required": ["n"]}
    assert _passes(schema, n=1, o="x", p=7)
    assert "n: 'x' is not of type 'integer'" in _refused(schema, n="x")
    assert "'n' is a required property" in _refused(schema)
    assert "o: 7 is not of type 'string'" in _refused(schema, n=1, o=7)


@pytest.mark.parametrize(
    "schema",
    [
        {"not": {"pattern": r"^\p{L}+$"}},
        {"not": {"exclusiveMinimum": True}},
        {"oneOf": [{"type": "string"}, {"pattern": "(?<y>a)"}]},
        {"if": {"pattern": r"\p{L}"}, "then": {"type": "integer"}},
        {"not": {"$ref": "https://example.com/a"}},
    ],
)
def test_what_cannot_be_followed_is_not_held_against_a_value(schema: Any) -> None:
    assert _passes(_object(x=schema), x="abc")


def _doubling(times: int) -> dict[str, Any]:
    definitions: dict[str, Any] = {
        f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(times)
    }
    return {"$ref": "#/$defs/d0", "$defs": {**definitions, f"d{times}": {"type": "object"}}}


_SLOW: list[tuple[Any, Any]] = [
    (_doubling(40), {"a": 1}),
    ({**_doubling(40), "unevaluatedProperties": False}, {"a": 1}),
    (
        {"patternProperties": {"^(a+)+$": {}}, "unevaluatedProperties": False},
        {"a" * 40 + "!": 1},
    ),
    ({"propertyNames": {"pattern": "^((a+)b?)+$"}}, {"a" * 40 + "!": 1}),
    ({"properties": {"l": {"uniqueItems": True}}}, {"l": [{"i": n} for n in range(20_000)]}),
    ({"properties": {"l": {"items": _doubling(12)}}, **_doubling(12)}, {"l": [{}] * 1_000}),
    ({"properties": {"s": {"pattern": "^(.*)x(.*)x(.*)x(.*)x(.*)y$"}}}, {"s": "x" * 3_000}),
    ({"properties": {"s": {"anyOf": [{"const": n} for n in range(9_000)]}}}, {"s": "x" * 9999}),
]


@pytest.mark.parametrize(("schema", "value"), _SLOW)
def test_no_schema_holds_a_check_up(schema: Any, value: Any) -> None:
    begun = time.process_time()
    with contextlib.suppress(UsageError):
        ArgumentCheck(schema).checked(value)
    result_problem(schema, value)
    assert time.process_time() - begun < 2


def _many(count: int, **beside: Any) -> dict[str, Any]:
    return {f"d{n}": beside for n in range(count)}


@pytest.mark.parametrize(
    "items",
    [
        {"items": {"$ref": "#foo"}, "$defs": {**_many(9_000, a=1), "f": {"$anchor": "foo"}}},
        {"items": {"$ref": "sub"}, "$defs": {**_many(9_000, a=1), "f": {"$id": "sub"}}},
        {"items": {"$ref": "#/properties/l/z"}, "z": _many(20_000)},
        {"items": _many(20_000)},
        {"allOf": [{"const": [n, *range(4_000)]} for n in range(10)]},
        {"anyOf": [{"type": "string"}] * 9_000},
    ],
)
def test_no_part_of_a_schema_holds_a_check_of_many_items_up(items: Any) -> None:
    begun = time.process_time()
    with contextlib.suppress(UsageError):
        ArgumentCheck(_object(l=items)).checked({"l": [1] * 15_000})
    result_problem(_object(l=items), {"l": [1] * 15_000})
    assert time.process_time() - begun < 2


def test_what_was_found_before_the_steps_were_spent_counts() -> None:
    schema = {"required": ["b"], **_doubling(40)}
    assert "'b' is a required property" in _refused(schema, a=1)


def test_a_large_result_is_not_checked() -> None:
    schema = {"items": {"type": "string"}}
    assert result_problem(schema, [1]) is not None
    assert result_problem(schema, [1] * 50_000) is None


def test_an_item_that_comes_twice_is_seen() -> None:
    schema = _object(x={"uniqueItems": True})
    assert _passes(schema, x=[1, True, "1", {"a": 1}, {"a": 2}, None])
    assert "more than once" in _refused(schema, x=[{"a": 1, "b": 2}, {"b": 2, "a": 1}])
