"""apply_patch: several files, all or nothing."""

import pytest

from hackamore.core.changes import FileChange
from hackamore.core.codes import Code
from hackamore.core.errors import WorkspaceError
from hackamore.core.tools import Tool, ToolContext, ToolOutput, Touch
from hackamore.edits.patch import Patches
from hackamore.testing.fake_web import FakeWeb
from hackamore.testing.fake_workspace import FakeSandbox, FakeWorkspace
from hackamore.testing.scripted_host import ScriptedHost
from hackamore.tools.builtin import builtin_tools

pytestmark = pytest.mark.anyio

_PATCH = """*** Begin Patch
*** Update File: a.py
-x = 1
+x = 2
*** Add File: new/b.py
+y = 1
*** Delete File: c.py
*** Update File: d.py
*** Move to: e.py
*** End Patch
"""


class _Stubborn(FakeWorkspace):
    """Refuses to remove one file."""

    async def remove(self, path: str, *, expected: bytes) -> None:
        if path == "c.py":
            raise WorkspaceError("c.py cannot be removed.", code=Code.PERMISSION_DENIED)
        await super().remove(path, expected=expected)


def _tool(workspace: FakeWorkspace) -> Tool:
    def edit(text: str, diff: str) -> str:
        return text + diff

    tools = builtin_tools(workspace, FakeSandbox(), FakeWeb(), edit, Patches())
    return next(tool for tool in tools if tool.spec.name == "apply_patch")


async def _apply(workspace: FakeWorkspace, patch: str) -> ToolOutput:
    context = ToolContext("c1", lambda _event: None, ScriptedHost())
    return await _tool(workspace).run({"patch": patch}, context)


def _files() -> dict[str, str | bytes]:
    return {"a.py": b"x = 1\r\n", "c.py": "old\n", "d.py": "d\n"}


@pytest.mark.req("TOOL-01", "TOOL-02")
async def test_files_change_come_go_and_move() -> None:
    workspace = FakeWorkspace(_files())
    output = await _apply(workspace, _PATCH)
    assert not output.is_error, output.text
    assert workspace.files == {"a.py": b"x = 2\r\n", "new/b.py": b"y = 1\n", "e.py": b"d\n"}
    kinds = [(change.path, change.kind) for change in output.changes]
    assert kinds == [
        ("a.py", "modified"),
        ("new/b.py", "created"),
        ("c.py", "deleted"),
        ("e.py", "created"),
        ("d.py", "deleted"),
    ]


@pytest.mark.req("TOOL-02")
async def test_when_one_file_does_not_fit_nothing_is_changed() -> None:
    workspace = FakeWorkspace(_files())
    output = await _apply(workspace, _PATCH.replace("-x = 1", "-x = 3"))
    assert output.code is Code.EDIT_NOT_FOUND
    assert "a.py" in output.text
    assert workspace.files == FakeWorkspace(_files()).files


@pytest.mark.req("TOOL-02")
async def test_what_fails_halfway_is_taken_back() -> None:
    workspace = _Stubborn(_files())
    output = await _apply(workspace, _PATCH)
    assert output.code is Code.PERMISSION_DENIED
    assert not output.changes
    assert workspace.files == FakeWorkspace(_files()).files


@pytest.mark.req("TOOL-02")
@pytest.mark.parametrize(
    ("patch", "code"),
    [
        ("*** Begin Patch\n*** Delete File: zz\n*** End Patch", Code.NOT_FOUND),
        ("*** Begin Patch\n*** Add File: a.py\n+x\n*** End Patch", Code.INVALID_REQUEST),
        ("*** Update File: d.py\n*** Move to: a.py\n", Code.INVALID_REQUEST),
        ("*** Update File: d.py\n-d\n+e\n*** Delete File: d.py\n", Code.INVALID_REQUEST),
        ("*** Update File: d.py\n d\n", Code.INVALID_REQUEST),
        ("*** Update File: ../d.py\n-d\n+e\n", Code.PATH_OUTSIDE),
    ],
)
async def test_what_makes_no_sense_is_refused(patch: str, code: Code) -> None:
    workspace = FakeWorkspace(_files())
    output = await _apply(workspace, patch)
    assert output.code is code, output.text
    assert workspace.files == FakeWorkspace(_files()).files


@pytest.mark.req("AGT-12")
async def test_the_policy_and_the_person_see_all_files() -> None:
    tool = _tool(FakeWorkspace(_files()))
    paths = ("a.py", "new/b.py", "c.py", "d.py", "e.py")
    assert tool.touches({"patch": _PATCH}) == Touch(paths)
    changes = await tool.preview({"patch": _PATCH})
    assert FileChange("a.py", "x = 1\r\n", "x = 2\r\n") in changes
    assert {change.path for change in changes} == set(paths)
