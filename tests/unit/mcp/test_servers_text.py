"""A file of servers changed in one place, with everything else left as it stands."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.mcp.loose_json import parse_loose_json
from hackamore.mcp.servers_text import with_server, without_server

_FILE = """\ufeff// mine
{
  "theme": "dark", /* kept */
  "mcpServers": {
    // the first
    "a": {"command": "x",},
    "b": {"command": "}"}, // the second
  },
  "more": [1, 2,],
}
"""


@pytest.mark.req("MCP-13")
def test_a_server_more_leaves_the_rest_as_it_is() -> None:
    text = with_server(_FILE, "c", {"command": "z", "args": ["1"]})
    kept = _FILE.splitlines()
    assert [line for line in text.splitlines() if line in kept] == [
        line for line in kept if "the second" not in line
    ]
    assert parse_loose_json(text) == {
        "theme": "dark",
        "mcpServers": {
            "a": {"command": "x"},
            "b": {"command": "}"},
            "c": {"command": "z", "args": ["1"]},
        },
        "more": [1, 2],
    }


@pytest.mark.req("MCP-13")
@pytest.mark.parametrize("name", ["a", "b"])
def test_a_server_less_leaves_the_rest_as_it_is(name: str) -> None:
    text = without_server(_FILE, name)
    assert text is not None
    assert "// mine" in text
    assert "/* kept */" in text
    value = json.loads(json.dumps(parse_loose_json(text)))
    assert list(value["mcpServers"]) == [one for one in ("a", "b") if one != name]


@pytest.mark.req("MCP-13")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", {"mcpServers": {"x": {"url": "u"}}}),
        ("{}", {"mcpServers": {"x": {"url": "u"}}}),
        ('{"t": 1}', {"t": 1, "mcpServers": {"x": {"url": "u"}}}),
        ('{"servers": {}}', {"servers": {"x": {"url": "u"}}}),
        ('{"mcp": {"servers": {}}}', {"mcp": {"servers": {"x": {"url": "u"}}}}),
        ('{"a": {"command": "c"}}', {"a": {"command": "c"}, "x": {"url": "u"}}),
    ],
)
def test_a_server_comes_where_the_others_are(text: str, value: object) -> None:
    assert parse_loose_json(with_server(text, "x", {"url": "u"})) == value


@pytest.mark.req("MCP-13")
def test_a_name_that_is_taken_and_a_name_that_is_not_there_change_nothing() -> None:
    with pytest.raises(ValueError, match="there is a server 'a' already"):
        with_server(_FILE, "a", {"url": "u"})
    assert without_server(_FILE, "z") is None
    assert without_server("", "z") is None


@pytest.mark.req("MCP-13")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "line 1, column 2"),
        ("[]", "must hold an object"),
        ('{"mcpServers": []}', "must stand in an object"),
        ("5", "must hold an object"),
    ],
)
def test_a_file_that_makes_no_sense_is_not_changed(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        with_server(text, "x", {})
    with pytest.raises(ValueError, match=words):
        without_server(text, "x")


@pytest.mark.req("MCP-13")
@given(
    st.dictionaries(st.text(), st.dictionaries(st.text(), st.text(), max_size=2), max_size=4),
    st.text(),
    st.sampled_from([None, 2]),
)
def test_adding_and_removing_again_gives_the_same_servers(
    servers: dict[str, dict[str, str]], name: str, indent: int | None
) -> None:
    servers.pop(name, None)
    text = json.dumps({"mcpServers": servers}, indent=indent)
    added = with_server(text, name, {"command": "x"})
    assert parse_loose_json(added) == {"mcpServers": {**servers, name: {"command": "x"}}}
    removed = without_server(added, name)
    assert removed is not None
    assert parse_loose_json(removed) == {"mcpServers": servers}


@pytest.mark.req("MCP-13")
def test_a_name_that_stands_there_twice_is_removed_twice() -> None:
    text = '{"mcpServers": {"x": {"command": "1"}, "y": {}, "x": {"command": "2"}}}'
    removed = without_server(text, "x")
    assert removed is not None
    assert parse_loose_json(removed) == {"mcpServers": {"y": {}}}
