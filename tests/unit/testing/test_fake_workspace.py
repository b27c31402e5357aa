"""The fakes refuse what the real ones refuse."""

import pytest

from hackamore.core.codes import Code
from hackamore.core.errors import WorkspaceError
from hackamore.core.workspace import Command
from hackamore.testing.fake_workspace import FakeSandbox, FakeWorkspace, ScriptedResult

pytestmark = pytest.mark.anyio


@pytest.mark.req("SBX-03")
@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("../x", Code.PATH_OUTSIDE),
        ("/etc/passwd", Code.PATH_OUTSIDE),
        (".env", Code.PERMISSION_DENIED),
        ("src", Code.NOT_A_FILE),
        ("absent", Code.NOT_FOUND),
        ("", Code.INVALID_REQUEST),
        ("big", Code.FILE_TOO_LARGE),
    ],
)
async def test_reading_is_refused_with_the_real_codes(path: str, code: Code) -> None:
    files = FakeWorkspace({"src/a": "x", ".env": "x", "big": b"x" * 99}, hidden=(".env",))
    with pytest.raises(WorkspaceError) as found:
        await files.read(path, max_bytes=50)
    assert found.value.code is code


@pytest.mark.req("TOOL-02")
async def test_a_file_changes_only_from_what_was_expected() -> None:
    files = FakeWorkspace({"a": "old"})
    with pytest.raises(WorkspaceError):
        await files.write("a", b"new", expected=None)
    await files.write("a", b"new", expected=b"old")
    assert files.text("a") == "new"
    await files.remove("/workspace/a", expected=b"new")
    assert files.files == {}


@pytest.mark.req("SBX-05")
async def test_commands_follow_the_script() -> None:
    sandbox = FakeSandbox({"echo": ScriptedResult("x" * 100)})
    heard: list[bytes] = []
    result = await sandbox.execute(Command("echo", max_output=10), heard.append)
    assert (len(result.output), result.omitted, result.exit_code) == (10, 90, 0)
    assert heard == [b"x" * 100]
    assert (await sandbox.execute(Command("other"))).exit_code == 127
    assert [command.line for command in sandbox.commands] == ["echo", "other"]
    slow = FakeSandbox(lambda _: ScriptedResult(exit_code=None))
    assert (await slow.execute(Command("x"))).timed_out
