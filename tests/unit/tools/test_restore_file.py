"""restore_file: byte for byte what was there before."""

import pytest

from hackamore.core.codes import Code
from hackamore.core.json import JSONObject
from hackamore.core.tools import ToolContext, ToolOutput
from hackamore.edits.patch import Patches
from hackamore.testing.fake_web import FakeWeb
from hackamore.testing.fake_workspace import FakeSandbox, FakeWorkspace
from hackamore.testing.scripted_host import ScriptedHost
from hackamore.tools.builtin import builtin_tools

pytestmark = pytest.mark.anyio

_MIXED = b"one\r\ntwo\nthree"


class _Desk:
    def __init__(self, files: dict[str, str | bytes]) -> None:
        self.workspace = FakeWorkspace(files)

        def edit(text: str, diff: str) -> str:
            return text + diff

        tools = builtin_tools(self.workspace, FakeSandbox(), FakeWeb(), edit, Patches())
        self._tools = {tool.spec.name: tool for tool in tools}

    async def call(self, name: str, arguments: JSONObject) -> ToolOutput:
        context = ToolContext("c", lambda _event: None, ScriptedHost())
        return await self._tools[name].run(arguments, context)


@pytest.mark.req("TOOL-02")
async def test_mixed_line_ends_and_a_missing_last_one_come_back() -> None:
    desk = _Desk({"a.txt": _MIXED})
    for content in ("1\n2\n3\n", "x\n"):
        await desk.call("write_to_file", {"path": "a.txt", "content": content})
    assert desk.workspace.files["a.txt"] != _MIXED
    output = await desk.call("restore_file", {"path": "a.txt"})
    assert not output.is_error, output.text
    assert desk.workspace.files["a.txt"] == _MIXED


@pytest.mark.req("TOOL-02")
async def test_a_file_that_was_not_there_is_gone_again() -> None:
    desk = _Desk({})
    await desk.call("write_to_file", {"path": "new.txt", "content": "x\n"})
    await desk.call("restore_file", {"path": "new.txt"})
    assert desk.workspace.files == {}


@pytest.mark.req("TOOL-02")
async def test_what_somebody_else_wrote_meanwhile_is_left_alone() -> None:
    desk = _Desk({"a.txt": "1\n"})
    await desk.call("write_to_file", {"path": "a.txt", "content": "2\n"})
    desk.workspace.files["a.txt"] = b"the person's\n"
    output = await desk.call("restore_file", {"path": "a.txt"})
    assert output.code is Code.STALE_SNAPSHOT
    assert desk.workspace.files["a.txt"] == b"the person's\n"


@pytest.mark.req("TOOL-02")
async def test_a_file_that_was_not_changed_here_is_not_touched() -> None:
    desk = _Desk({"a.txt": "1\n"})
    assert (await desk.call("restore_file", {"path": "a.txt"})).code is Code.NOT_FOUND
