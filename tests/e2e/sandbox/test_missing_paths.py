"""Protected paths that do not exist yet: nobody takes them, and they are left as they were."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from hackamore.core.errors import SandboxUnavailable
from hackamore.core.workspace import Command
from hackamore.sandbox.opening import open_sandbox
from hackamore.sandbox.settings import SandboxSettings

pytestmark = pytest.mark.anyio

_KEPT: Final = (".hackamore", ".vscode", ".idea", ".devcontainer", ".mcp.json", ".envrc")
_OTHER: Final = """
import asyncio, os, sys
from hackamore.core.workspace import Command
from hackamore.sandbox.opening import open_sandbox
from hackamore.sandbox.settings import SandboxSettings
from hackamore.sandbox.opening import open_sandbox
from hackamore.sandbox.settings import SandboxSettings

async def main() -> None:
    path = tuple(os.environ["PATH"].split(":"))
    settings = SandboxSettings(sys.argv[1], path, os.path.expanduser("~"), sys.argv[2])
    box = await open_sandbox(settings)
    await box.commands.execute(Command("true"))
    print("on", flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


def names(root: Path) -> set[str]:
    return {path.name for path in root.iterdir()}


async def started(box: Any, line: str) -> asyncio.Task[Any]:
    """Run a command that says something at once, and return when it did."""
    said = asyncio.Event()

    def hear(_: bytes) -> None:
        said.set()

    running = asyncio.create_task(box.sandbox.commands.execute(Command(line), hear))
    await asyncio.wait_for(said.wait(), 10)
    return running


@pytest.mark.req("SBX-03", "SBX-07")
@pytest.mark.parametrize(
    "line",
    [
        "mkdir -p .vscode && echo x > .vscode/tasks.json",
        "echo x > .mcp.json",
        "rm -f .mcp.json; echo x > .mcp.json",
        "mv .mcp.json y && echo x > .mcp.json",
        "rmdir .vscode && ln -s /tmp .vscode",
        "mkdir v && mv v .idea",
        "echo x > f && mv -f f .envrc",
        "ln -sf a.txt .envrc",
        "mkdir -p .hackamore/rules && echo x > .hackamore/config.toml",
        "mkdir d && mv .devcontainer d/",
    ],
)
async def test_a_command_cannot_take_a_protected_name_that_was_free(
    open_box: Any, root: Path, line: str
) -> None:
    async with open_box(root) as box:
        assert (await box.run(line)).exit_code != 0
    assert not names(root) & set(_KEPT)


@pytest.mark.req("SBX-03")
async def test_nothing_stands_there_before_the_first_command_and_after_the_session(
    open_box: Any, root: Path
) -> None:
    before = names(root)
    async with open_box(root) as box:
        await box.sandbox.workspace.read("a.txt")
        assert names(root) == before
        await box.run("true")
        assert names(root) == before | set(_KEPT)
    assert names(root) == before
    assert names(root.parent / "covers") == {"lock"}


@pytest.mark.req("SBX-03")
async def test_git_inside_overlooks_what_stands_there(open_box: Any, tmp_path: Path) -> None:
    root = tmp_path / "repository"
    root.mkdir()
    (root / "a.txt").write_text("hello\n")
    async with open_box(root) as box:
        await box.run("git init -q")
        added = await box.run("git add -A && git status --porcelain")
    assert added.output == b"A  a.txt\n"


@pytest.mark.req("SBX-03")
async def test_what_a_person_puts_there_meanwhile_stays(open_box: Any, root: Path) -> None:
    async with open_box(root) as box:
        await box.run("true")
        (root / ".mcp.json").write_text("{}")
        (root / ".vscode" / "settings.json").write_text("{}")
        shown = await box.run("cat .mcp.json; echo y > .mcp.json; echo y > .vscode/settings.json")
        assert shown.output.startswith(b"{}")
    assert (root / ".mcp.json").read_text() == "{}"
    assert (root / ".vscode" / "settings.json").read_text() == "{}"
    assert not (root / ".idea").exists()


@pytest.mark.req("SBX-03")
async def test_a_name_that_is_taken_is_left_alone(open_box: Any, root: Path) -> None:
    (root / ".envrc").symlink_to("nowhere")
    (root / ".idea").write_text("a file")
    async with open_box(root) as box:
        await box.run("true")
    assert (root / ".envrc").readlink() == Path("nowhere")
    assert (root / ".idea").read_text() == "a file"


@pytest.mark.req("SBX-03")
@pytest.mark.parametrize("way", ["remove", "replace"])
async def test_a_cover_that_vanishes_ends_the_running_command(
    open_box: Any, root: Path, way: str
) -> None:
    async with open_box(root) as box:
        await box.run("true")
        writing = "echo on; while ! echo x > .mcp.json; do :; done 2>/dev/null; sleep 60"
        running = await started(box, writing)
        (root.parent / "new").write_text("")
        if way == "remove":
            (root / ".mcp.json").unlink()
        else:
            (root.parent / "new").replace(root / ".mcp.json")
        with pytest.raises(SandboxUnavailable, match="ended"):
            await running
        assert (await box.run("echo x > .mcp.json")).exit_code != 0


@pytest.mark.req("SBX-03")
async def test_a_secret_that_is_saved_anew_ends_the_command_that_could_read_it(
    open_box: Any, root: Path
) -> None:
    async with open_box(root) as box:
        await box.run("true")
        running = await started(box, "echo on; until cat .env 2>/dev/null; do :; done; sleep 60")
        (root.parent / "new").write_text("KEY=CANARY\n")
        (root.parent / "new").replace(root / ".env")
        with pytest.raises(SandboxUnavailable, match="ended"):
            await running


async def _other_session(root: Path) -> asyncio.subprocess.Process:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _OTHER, str(root), str(root.parent / "covers")),
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3] / "src")},
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"on\n"
    return process


@pytest.mark.req("SBX-03")
async def test_covers_stay_when_another_session_is_killed_and_go_with_the_last(
    open_box: Any, root: Path
) -> None:
    before = names(root)
    other = await _other_session(root)
    async with open_box(root) as box:
        await box.run("true")
        other.send_signal(signal.SIGKILL)
        await other.wait()
        assert (await box.run("echo x > .mcp.json")).exit_code != 0
        assert names(root) == before | set(_KEPT)
    assert names(root) == before


@pytest.mark.req("SBX-03")
async def test_covers_stay_when_another_session_ends(open_box: Any, root: Path) -> None:
    async with open_box(root) as first:
        await first.run("true")
        async with open_box(root) as second:
            await second.run("true")
        assert names(root) >= set(_KEPT)
        assert (await first.run("echo x > .mcp.json")).exit_code != 0
    assert not names(root) & set(_KEPT)


@pytest.mark.req("SBX-03")
async def test_what_a_killed_session_left_is_taken_away_by_the_next_of_any_workspace(
    open_box: Any, root: Path
) -> None:
    before = names(root)
    other = await _other_session(root)
    other.send_signal(signal.SIGKILL)
    await other.wait()
    assert names(root) == before | set(_KEPT)
    elsewhere = root.parent / "elsewhere"
    elsewhere.mkdir()
    async with open_box(elsewhere) as box:
        await box.run("true")
    assert names(root) == before


@pytest.mark.req("SBX-03")
async def test_a_state_folder_that_cannot_be_made_is_told(open_box: Any, root: Path) -> None:
    (root.parent / "covers").write_text("a file is in the way")
    async with open_box(root) as box:
        with pytest.raises(SandboxUnavailable, match="cannot be covered"):
            await box.run("true")


@pytest.mark.req("SBX-03")
@pytest.mark.parametrize(
    "line",
    ["echo x > .vscode/settings.json", "echo x > real/settings.json", "echo x > .mcp.json"],
)
async def test_what_a_protected_link_leads_to_is_protected(
    open_box: Any, root: Path, line: str
) -> None:
    _with_links(root)
    async with open_box(root) as box:
        assert (await box.run(line)).exit_code != 0
    assert (root / "sub.json").read_text() == "{}"
    assert names(root / "real") == {"keep"}


@pytest.mark.req("SBX-03")
@pytest.mark.parametrize("name", [".vscode", ".mcp.json", ".envrc"])
async def test_a_protected_link_that_a_command_replaces_is_put_back(
    open_box: Any, root: Path, name: str
) -> None:
    _with_links(root)
    before = (root / name).readlink()
    async with open_box(root) as box:
        result = await box.run(f"rm {name} && echo y > {name}")
    assert (root / name).readlink() == before
    assert b"[undone:" in result.output


@pytest.mark.req("SBX-03")
async def test_what_a_hidden_link_leads_to_is_hidden(open_box: Any, root: Path) -> None:
    (root / "settings").mkdir()
    (root / ".env").replace(root / "settings" / "production")
    (root / ".env").symlink_to("settings/production")
    async with open_box(root) as box:
        shown = await box.run("cat .env settings/production")
    assert b"CANARY" not in shown.output


def _with_links(root: Path) -> None:
    (root / "real").mkdir()
    (root / "real" / "keep").write_text("")
    (root / "sub.json").write_text("{}")
    (root / ".vscode").symlink_to("real")
    (root / ".mcp.json").symlink_to("sub.json")
    (root / ".envrc").symlink_to("nothere")


@pytest.mark.req("SBX-03")
async def test_sessions_that_start_and_end_at_once_do_not_disturb_each_other(
    open_box: Any, root: Path
) -> None:
    before = names(root)

    async def session() -> None:
        for _ in range(4):
            async with open_box(root) as box:
                assert (await box.run("echo x > .mcp.json")).exit_code != 0

    await asyncio.gather(*(session() for _ in range(3)))
    assert names(root) == before


@pytest.mark.req("SBX-03")
async def test_our_own_folders_in_the_workspace_are_seen_by_nobody_inside(root: Path) -> None:
    state = root / ".state"
    (state / "covers").mkdir(parents=True)
    (state / "canary").write_text("CANARY")
    path = tuple(os.environ["PATH"].split(":"))
    own = SandboxSettings(
        str(root), path, str(Path.home()), str(state / "covers"), private=(str(state),)
    )
    box = await open_sandbox(own)
    try:
        shown = await box.commands.execute(Command("ls -A .state; echo x > .state/covers/x"))
    finally:
        await box.aclose()
    assert b"canary" not in shown.output
    assert shown.exit_code != 0
    assert names(state / "covers") == {"lock"}


@pytest.mark.req("SBX-03")
async def test_an_empty_file_that_a_person_made_anew_stays(open_box: Any, root: Path) -> None:
    other = await _other_session(root)
    other.send_signal(signal.SIGKILL)
    await other.wait()
    (root / ".envrc").unlink()
    (root / ".envrc").write_text("")
    (root / ".idea").rmdir()
    (root / ".idea").mkdir()
    async with open_box(root) as box:
        await box.run("true")
    assert names(root) & set(_KEPT) == {".envrc", ".idea"}
