"""write_to_file and replace_in_file: nothing is lost that the model has not seen."""

from typing import Any

import pytest

from hackamore.core.changes import FileChange
from hackamore.core.codes import Code

pytestmark = pytest.mark.anyio


@pytest.mark.req("TOOL-01")
async def test_a_new_file_is_written_as_given(bench: Any) -> None:
    tools = bench()
    output = await tools.call("write_to_file", path="src/a.py", content="x = 1\n")
    assert tools.workspace.text("src/a.py") == "x = 1\n"
    assert output.changes == (FileChange("src/a.py", None, "x = 1\n"),)
    assert output.text == "Created src/a.py (1 lines)."


@pytest.mark.req("TOOL-02")
async def test_a_file_keeps_its_encoding_mark_and_line_ends(bench: Any) -> None:
    tools = bench({"a": b"\xef\xbb\xbfone\r\ntwo\r\n", "b": "中文\n".encode("gbk")})
    await tools.call("write_to_file", path="a", content="one\n2\n")
    await tools.call("replace_in_file", path="b", diff="文=>国")
    assert tools.workspace.files["a"] == b"\xef\xbb\xbfone\r\n2\r\n"
    assert tools.workspace.files["b"] == "中国\n".encode("gbk")


@pytest.mark.req("TOOL-02")
@pytest.mark.parametrize(
    "line", [b"\xd6\xd0\xce\xd2", b"\x93\xfa\x96\x7b", b"\xe9", b"\x81\xff", b"\xb1\xb1\xb2\xb2"]
)
async def test_an_edit_leaves_the_bytes_of_other_lines(bench: Any, line: bytes) -> None:
    tools = bench({"f": line + b"\na\n"})
    assert not (await tools.call("replace_in_file", path="f", diff="a=>b")).is_error
    assert tools.workspace.files["f"] == line + b"\nb\n"


_PATCH = """\
*** Begin Patch
*** Add File: new
+x
*** Update File: f
@@
-a
+\u4e2d
*** End Patch"""


@pytest.mark.req("TOOL-02")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("write_to_file", {"path": "f", "content": "\u4e2d\n"}),
        ("replace_in_file", {"path": "f", "diff": "a=>\u4e2d"}),
        ("apply_patch", {"patch": _PATCH}),
    ],
)
async def test_text_that_the_files_encoding_lacks_changes_nothing(
    bench: Any, tool: str, arguments: Any
) -> None:
    tools = bench({"f": b"caf\xe9\na\n"})
    output = await tools.call(tool, **arguments)
    assert output.code is Code.INVALID_REQUEST
    assert "cp1252, which has no '\u4e2d'" in output.text
    assert "iconv" in output.text
    assert tools.workspace.files == {"f": b"caf\xe9\na\n"}


@pytest.mark.req("TOOL-02")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("write_to_file", {"content": "mine\n"}), ("replace_in_file", {"diff": "two=>2"})],
)
async def test_a_file_that_changed_since_it_was_read_is_refused(
    bench: Any, tool: str, arguments: Any
) -> None:
    tools = bench({"a": "one\ntwo\n"})
    await tools.call("read_file", path="a")
    tools.workspace.files["a"] = b"one\ntwo\nthree\n"
    output = await tools.call(tool, path="a", **arguments)
    assert output.code is Code.STALE_SNAPSHOT
    assert "+three" in output.text
    assert tools.workspace.text("a") == "one\ntwo\nthree\n"
    await tools.call("read_file", path="a")
    assert not (await tools.call(tool, path="a", **arguments)).is_error


@pytest.mark.req("TOOL-02")
async def test_the_models_own_writes_do_not_make_a_file_stale(bench: Any) -> None:
    tools = bench({"a": "one\n"})
    await tools.call("read_file", path="a")
    await tools.call("write_to_file", path="a", content="two\n")
    output = await tools.call("replace_in_file", path="./a", diff="two=>three")
    assert not output.is_error
    assert output.summary == "+1 -1"
    assert "-two\n+three\n" in output.text


@pytest.mark.req("TOOL-02")
async def test_an_edit_that_does_not_fit_changes_nothing(bench: Any) -> None:
    tools = bench({"a": "one\n"})
    output = await tools.call("replace_in_file", path="a", diff="absent=>x")
    assert output.code is Code.EDIT_NOT_FOUND
    assert tools.workspace.text("a") == "one\n"


@pytest.mark.req("TOOL-02")
async def test_a_missing_file_cannot_be_edited(bench: Any) -> None:
    output = await bench().call("replace_in_file", path="a", diff="=>")
    assert output.code is Code.NOT_FOUND


@pytest.mark.req("TOOL-02")
async def test_a_binary_file_is_not_overwritten_as_text(bench: Any) -> None:
    output = await bench({"a": b"\0\1"}).call("write_to_file", path="a", content="x")
    assert output.code is Code.BINARY_FILE


@pytest.mark.req("TOOL-01")
async def test_the_change_is_known_before_it_is_made(bench: Any) -> None:
    tools = bench({"a": "one\n"})
    (written,) = await tools.preview("write_to_file", path="a", content="two")
    (edited,) = await tools.preview("replace_in_file", path="a", diff="one=>1")
    assert written == FileChange("a", "one\n", "two\n")
    assert edited == FileChange("a", "one\n", "1\n")
    assert await tools.preview("write_to_file", path="../x", content="") == ()
    assert await tools.preview("read_file", path="a") == ()
    assert tools.workspace.text("a") == "one\n"


@pytest.mark.req("TOOL-01")
async def test_a_path_outside_is_refused(bench: Any) -> None:
    output = await bench().call("write_to_file", path="../x", content="")
    assert output.code is Code.PATH_OUTSIDE
