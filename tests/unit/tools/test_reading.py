"""read_file, list_files and search_files."""

import hashlib
from typing import Any

import pytest

from hackamore.core.codes import Code

pytestmark = pytest.mark.anyio


@pytest.mark.req("TOOL-01")
async def test_a_file_is_read_with_what_an_editor_wants_to_know(bench: Any) -> None:
    output = await bench({"a.py": "x = 1\r\ny = 2\r\n"}).call("read_file", path="a.py")
    assert output.text == "x = 1\ny = 2\n"
    assert output.structured == {
        "content": "x = 1\ny = 2\n",
        "encoding": "utf-8",
        "snapshot_hash": hashlib.sha256(b"x = 1\r\ny = 2\r\n").hexdigest(),
        "truncated": False,
    }
    assert output.summary == "2 lines"


@pytest.mark.req("TOOL-01")
@pytest.mark.parametrize(
    ("first", "last", "text"),
    [
        (2, 3, "b\nc\n"),
        ("2", "2", "b\n"),
        (None, 1, "a\n"),
        (3, None, "c\n"),
        (2, 99, "b\nc\n"),
        (9, None, "(The file has 3 lines; there is nothing from line 9 on.)"),
    ],
)
async def test_a_range_of_lines_is_read(bench: Any, first: Any, last: Any, text: str) -> None:
    output = await bench({"a": "a\nb\nc\n"}).call(
        "read_file", path="a", start_line=first, end_line=last
    )
    assert output.text == text


@pytest.mark.req("TOOL-01")
@pytest.mark.parametrize(("first", "last"), [(0, 1), (3, 1), (1.5, 2), ("x", 2)])
async def test_a_range_that_is_none_is_refused(bench: Any, first: Any, last: Any) -> None:
    output = await bench({"a": "a\n"}).call("read_file", path="a", start_line=first, end_line=last)
    assert output.code is Code.INVALID_REQUEST


@pytest.mark.req("TOOL-03")
async def test_a_long_file_shows_head_and_tail_and_says_what_is_missing(bench: Any) -> None:
    text = "first\n" + "x" * 200_000 + "\nlast\n"
    output = await bench({"a": text}).call("read_file", path="a")
    assert len(output.text) <= 48_000
    assert output.text.startswith("first\n")
    assert output.text.endswith("\nlast\n")
    assert "of 200,012 characters left out. Read them with start_line and end_line." in output.text
    assert output.structured["truncated"] is True


@pytest.mark.req("TOOL-03")
async def test_a_binary_file_is_described_not_dumped(bench: Any) -> None:
    output = await bench({"logo.png": b"\x89PNG\r\n\x1a\n\0\0\0"}).call(
        "read_file", path="logo.png"
    )
    assert (output.code, output.is_error) == (Code.BINARY_FILE, True)
    assert "a PNG picture, 11 bytes" in output.text


@pytest.mark.req("TOOL-01")
async def test_a_folder_is_no_file_and_the_right_tool_is_named(bench: Any) -> None:
    output = await bench({"src/a.py": ""}).call("read_file", path="src/")
    assert output.code is Code.NOT_A_FILE
    assert "list_files" in output.text


@pytest.mark.req("TOOL-01")
async def test_an_empty_file_says_so(bench: Any) -> None:
    output = await bench({"a": ""}).call("read_file", path="a")
    assert output.text == "(The file is empty.)"
    assert output.structured["content"] == ""


@pytest.mark.req("TOOL-01")
@pytest.mark.parametrize("name", ["file_path", "filename", "filePath", "file"])
async def test_other_names_for_the_path_mean_the_same(bench: Any, name: str) -> None:
    output = await bench({"a": "hello"}).call("read_file", **{name: "a"})
    assert output.text == "hello"


@pytest.mark.req("TOOL-01")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "needs path"),
        ({"path": None}, "needs path"),
        ({"path": "a", "colour": 1}, "no parameter colour"),
        ({"path": "a", "start_lin": 1}, "Did you mean start_line?"),
        ({"path": "a", "file_path": "b"}, "given twice"),
    ],
)
async def test_wrong_arguments_are_named(bench: Any, arguments: Any, words: str) -> None:
    output = await bench({"a": "hello"}).call("read_file", **arguments)
    assert output.code is Code.INVALID_REQUEST
    assert words in output.text


@pytest.mark.req("TOOL-01")
async def test_every_published_schema_is_strict(bench: Any) -> None:
    for tool in bench().tools.values():
        assert tool.spec.parameters["additionalProperties"] is False
        assert set(tool.spec.required) <= set(tool.spec.properties)
        assert set(tool.spec.example) <= set(tool.spec.properties)
        assert tool.spec.verbatim <= set(tool.spec.properties)


@pytest.mark.req("TOOL-01")
async def test_a_folder_is_listed(bench: Any) -> None:
    tools = bench({"src/a.py": "12", "src/sub/b.py": "", ".env": ""})
    flat = await tools.call("list_files", path="src")
    deep = await tools.call("list_files", path=".", recursive="true")
    assert flat.text == "src/a.py\nsrc/sub/"
    assert deep.text == "src/\nsrc/a.py\nsrc/sub/\nsrc/sub/b.py"
    assert flat.structured == {"files": ["src/a.py"], "folders": ["src/sub"], "truncated": False}


@pytest.mark.req("TOOL-03")
async def test_a_long_listing_says_that_there_is_more(bench: Any) -> None:
    tools = bench({f"f{number:05}": "" for number in range(1500)})
    output = await tools.call("list_files", path=".")
    assert output.text.endswith("(There is more. List a folder below, or search.)")
    assert output.structured["truncated"] is True


@pytest.mark.req("TOOL-01")
async def test_matches_are_shown_by_file_with_their_lines(bench: Any) -> None:
    tools = bench({"a.py": "one\ntwo\nthree\n", "b.txt": "two\n"})
    output = await tools.call("search_files", path=".", query="tw.", file_pattern="*.py")
    assert output.text == "a.py\n  1  one\n> 2  two\n  3  three"
    assert output.structured["matches"] == [{"path": "a.py", "line": 2, "text": "two"}]
    nothing = await tools.call("search_files", path=".", regex="absent")
    assert nothing.text == "Nothing matches in 2 files."
    bad = await tools.call("search_files", path=".", regex="(")
    assert bad.code is Code.INVALID_REQUEST


@pytest.mark.req("TOOL-01")
@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("new\nline.txt", "new\\nline.txt"),
        ("a\r\x1b[2Jb", "a\\r\\x1b[2Jb"),
        ("a\u2028b\x85c", "a\\u2028b\\x85c"),
        ("d\u00e9j\u00e0 \u4e2d.txt", "d\u00e9j\u00e0 \u4e2d.txt"),
    ],
)
async def test_a_name_stays_on_its_line_and_exact_in_the_data(
    bench: Any, name: str, shown: str
) -> None:
    tools = bench({name: "two\n"})
    listed = await tools.call("list_files", path=".")
    assert (listed.text, listed.structured["files"]) == (shown, [name])
    found = await tools.call("search_files", path=".", regex="two")
    assert found.text == f"{shown}\n> 1  two"
    assert found.structured["matches"][0]["path"] == name
