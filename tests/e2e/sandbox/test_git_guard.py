"""What a command leaves in ``.git`` does not make the person's own git run anything."""

import subprocess
from pathlib import Path
from typing import Any

import anyio
import pytest

from hackamore.core.workspace import Command

pytestmark = pytest.mark.anyio

_EVIL = "mkdir -p evil && printf '[core]\\n\\tfsmonitor = touch ran; false\\n' > evil/config"


@pytest.fixture(autouse=True)
def repository(root: Path) -> None:
    subprocess.run(["git", "init", "-q", str(root)], check=True)


def git_status(root: Path) -> None:
    subprocess.run(["git", "-C", str(root), "status"], check=False, capture_output=True)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.req("SBX-03")
async def test_a_redirected_repository_is_put_back_and_told(open_box: Any, root: Path) -> None:
    (root / "a.txt").write_text("changed")
    async with open_box(root) as box:
        attack = (
            f"{_EVIL}; cp -r .git/objects .git/refs evil; echo ../evil > .git/commondir; echo x"
        )
        result = await box.run(attack)
    assert result.output.startswith(b"x\n\n[undone: .git/commondir was changed")
    assert "commondir" not in names(root / ".git")
    git_status(root)
    assert not (root / "ran").exists()


@pytest.mark.req("SBX-03")
@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("echo x > .git/config.worktree", "config.worktree"),
        ("mkdir .git/hooks && echo x > .git/hooks/pre-commit", "hooks"),
        ("ln -s ../evil .git/commondir", "commondir"),
        ("mkfifo .git/commondir", "commondir"),
        ("echo x > .git/commondir; chmod 0 .git/commondir", "commondir"),
    ],
)
async def test_what_was_not_in_the_repository_is_moved_aside(
    open_box: Any, root: Path, line: str, name: str
) -> None:
    hooks = root / ".git" / "hooks"
    for hook in hooks.iterdir():
        hook.unlink()
    hooks.rmdir()
    async with open_box(root) as box:
        result = await box.run(line)
    assert f"[undone: .git/{name} ".encode() in result.output
    assert name not in names(root / ".git")


@pytest.mark.req("SBX-03")
@pytest.mark.parametrize("ending", ["timeout", "cancel"])
async def test_a_command_that_is_ended_leaves_nothing_either(
    open_box: Any, root: Path, ending: str
) -> None:
    line = "echo ../evil > .git/commondir; echo done; sleep 60"
    async with open_box(root) as box:
        with anyio.CancelScope() as scope:

            def hear(_: bytes) -> None:
                if ending == "cancel":
                    scope.cancel()

            await box.sandbox.commands.execute(Command(line, timeout=1), hear)
    assert "commondir" not in names(root / ".git")


@pytest.mark.req("SBX-03")
async def test_a_command_beside_another_does_not_bring_the_change_back(
    open_box: Any, root: Path
) -> None:
    async with open_box(root) as box, anyio.create_task_group() as group:
        group.start_soon(box.run, "echo x > .git/commondir; until [ -e go ]; do :; done")
        await box.run("until [ -e .git/commondir ]; do :; done")
        await box.run("echo y > .git/commondir; touch go")
    assert "commondir" not in names(root / ".git")


@pytest.mark.req("SBX-03")
async def test_a_link_to_the_hooks_is_put_back(open_box: Any, root: Path) -> None:
    hooks = root / ".git" / "hooks"
    hooks.rename(root / "hooks")
    hooks.symlink_to("../hooks")
    async with open_box(root) as box:
        await box.run("rm .git/hooks && mkdir .git/hooks")
    assert hooks.readlink() == Path("../hooks")


@pytest.mark.req("SBX-03")
@pytest.mark.parametrize("folder", [".", "nested"])
async def test_the_file_of_a_linked_worktree_is_read_only(
    open_box: Any, root: Path, folder: str
) -> None:
    (root / ".git").rename(root / "repository")
    (root / folder).mkdir(exist_ok=True)
    (root / folder / ".git").write_text("gitdir: elsewhere\n")
    async with open_box(root) as box:
        for attempt in ("echo 'gitdir: e/.git' > .git", "rm .git", "mv .git x"):
            assert (await box.run(f"cd {folder} && {attempt}")).exit_code != 0, attempt
    assert (root / folder / ".git").read_text() == "gitdir: elsewhere\n"


@pytest.mark.req("SBX-03")
async def test_a_linked_repository_stays_where_it_was(open_box: Any, root: Path) -> None:
    (root / ".git").rename(root / "repository")
    (root / ".git").symlink_to("repository")
    async with open_box(root) as box:
        result = await box.run("rm .git && mkdir .git")
    assert (root / ".git").readlink() == Path("repository")
    assert b"[undone: ./.git was changed" in result.output


@pytest.mark.req("SBX-03")
async def test_ordinary_git_is_not_disturbed(open_box: Any, root: Path) -> None:
    async with open_box(root) as box:
        line = "git add a.txt && git -c user.name=a -c user.email=a@b commit -qm x && git status -s"
        result = await box.run(line)
    assert result.exit_code == 0
    assert b"[undone" not in result.output
