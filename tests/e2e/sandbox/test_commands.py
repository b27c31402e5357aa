"""Commands in a real sandbox: bounded, without network or secrets, and gone when they end."""

import asyncio
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from hackamore.core.errors import SandboxUnavailable, WorkspaceError
from hackamore.core.workspace import Command
from hackamore.sandbox.settings import Limits
from hackamore.sandbox.worker.processes import descendants

pytestmark = pytest.mark.anyio

PYTHON = Path(sys.executable).resolve()

_ESCAPEE = """
import os, signal, sys, time
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(600)
        os._exit(0)
print("started", flush=True)
"""


@pytest.fixture(params=["full", "none"])
def level(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.mark.req("SBX-03")
async def test_a_secret_that_comes_or_is_replaced_later_is_hidden_too(
    open_box: Any, root: Path
) -> None:
    async with open_box(root) as box:
        assert b"CANARY" not in (await box.run("cat .env")).output
        replacement = root / "replacement"
        replacement.write_text("CANARY")
        replacement.replace(root / ".env")
        (root / "new.pem").write_text("CANARY")
        result = await box.run("cat .env new.pem")
    assert b"CANARY" not in result.output
    assert result.output.count(b"denied") == 2


@pytest.fixture
def repository(root: Path) -> None:
    subprocess.run(["git", "init", "-q", str(root)], check=True)


async def pid_of_connection(box: Any) -> int:
    return (await box.sandbox.link.connection_for_command()).pid


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def setting(event: asyncio.Event) -> Callable[[bytes], None]:
    return lambda _: event.set()


def cancelling(scope: anyio.CancelScope) -> Callable[[bytes], None]:
    return lambda _: scope.cancel()


def below(pid: int) -> int:
    """Count the processes under the worker's outermost process."""
    return len(descendants(pid))


@pytest.mark.req("TOOL-01")
async def test_both_streams_and_the_exit_code_come_back(
    open_box: Any, root: Path, level: str
) -> None:
    async with open_box(root, level) as box:
        result = await box.run("echo out; echo err >&2; exit 3")
    assert (result.output, result.exit_code) == (b"out\nerr\n", 3)
    assert not result.timed_out


@pytest.mark.req("TOOL-01")
async def test_quotes_and_here_documents_reach_the_shell_as_they_are(
    open_box: Any, root: Path
) -> None:
    async with open_box(root) as box:
        result = await box.run("cat <<'EOF'\n$x 'y' `z` \\d\nEOF")
    assert result.output == b"$x 'y' `z` \\d\n"


@pytest.mark.req("TOOL-01")
async def test_a_command_of_120_000_bytes_runs(open_box: Any, root: Path) -> None:
    async with open_box(root) as box:
        result = await box.run(f"echo {'x' * 119_990} | wc -c")
    assert result.output.strip() == b"119991"


@pytest.mark.req("TOOL-01")
async def test_standard_input_is_empty(open_box: Any, root: Path, level: str) -> None:
    async with open_box(root, level) as box:
        assert (await box.run("read x; echo got:$x")).output == b"got:\n"


@pytest.mark.req("TOOL-01")
async def test_output_is_told_while_the_command_runs(open_box: Any, root: Path, level: str) -> None:
    seen = asyncio.Event()

    def hear(data: bytes) -> None:
        if b"first" in data:
            (root / "go").touch()
            seen.set()

    async with open_box(root, level) as box:
        line = "echo first; until [ -e go ]; do sleep 0.01; done; echo second"
        result = await box.sandbox.commands.execute(Command(line, timeout=20), hear)
    assert seen.is_set()
    assert result.output == b"first\nsecond\n"


@pytest.mark.req("SBX-05")
async def test_a_timeout_ends_the_command_and_keeps_the_output(
    open_box: Any, root: Path, level: str
) -> None:
    async with open_box(root, level) as box:
        before = time.monotonic()
        result = await box.run("trap '' TERM INT HUP; echo begun; sleep 600 & wait", seconds=0.3)
        assert time.monotonic() - before < 3
        assert (result.timed_out, result.exit_code, result.output) == (True, None, b"begun\n")


@pytest.mark.req("SBX-05")
async def test_a_stopped_command_ends_by_timeout_too(open_box: Any, root: Path, level: str) -> None:
    async with open_box(root, level) as box:
        pid = await pid_of_connection(box)
        idle = below(pid)
        assert (await box.run("kill -STOP $$", seconds=0.3)).timed_out
        assert below(pid) == idle


@pytest.mark.req("SBX-05")
async def test_what_daemonises_ends_with_its_command(open_box: Any, root: Path, level: str) -> None:
    async with open_box(root, level) as box:
        pid = await pid_of_connection(box)
        idle = below(pid)
        result = await box.python(_ESCAPEE)
        assert result.output == b"started\n"
        assert below(pid) == idle


@pytest.mark.req("SBX-05")
async def test_a_background_child_does_not_delay_the_result(
    open_box: Any, root: Path, level: str
) -> None:
    async with open_box(root, level) as box:
        before = time.monotonic()
        result = await box.run("sleep 600 & echo up")
        assert time.monotonic() - before < 3
    assert result.output == b"up\n"


@pytest.mark.req("SBX-05")
async def test_cancelling_ends_the_whole_tree(open_box: Any, root: Path, level: str) -> None:
    async with open_box(root, level) as box:
        pid = await pid_of_connection(box)
        idle = below(pid)
        started = asyncio.Event()
        (root / "case.py").write_text(_ESCAPEE + "time.sleep(600)\n")
        command = Command(f"{PYTHON} case.py")
        running = asyncio.create_task(box.sandbox.commands.execute(command, setting(started)))
        await asyncio.wait_for(started.wait(), 20)
        before = time.monotonic()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert time.monotonic() - before < 1
        assert below(pid) == idle
        assert (await box.run("echo next")).output == b"next\n"


@pytest.mark.req("SBX-05", "GW-05")
async def test_cancelling_by_a_scope_ends_one_command_and_not_the_others(
    open_box: Any, root: Path
) -> None:
    async with open_box(root) as box:
        other = asyncio.create_task(box.run("until [ -e go ]; do sleep 0.01; done; echo other"))
        with anyio.CancelScope() as scope:
            await box.sandbox.commands.execute(Command("echo x; sleep 600"), cancelling(scope))
        assert scope.cancelled_caught
        assert (await box.run("touch go; pgrep -x sleep | wc -l", seconds=5)).exit_code == 0
        assert (await other).output == b"other\n"


@pytest.mark.req("SBX-05")
async def test_killing_the_holder_leaves_nothing_behind(
    open_box: Any, root: Path, level: str
) -> None:
    async with open_box(root, level) as box:
        pid = await pid_of_connection(box)
        idle = below(pid)
        result = await box.run("(setsid sleep 600 &) ; sleep 600 & kill -9 $PPID; sleep 600")
        assert result.exit_code == -9
        assert (await box.run("echo next")).output == b"next\n"
        assert below(pid) == idle


@pytest.mark.req("SBX-03")
async def test_a_command_cannot_look_into_the_worker(open_box: Any, root: Path) -> None:
    code = (
        "import os\n"
        "worker = next(p for p in os.listdir('/proc') if p.isdecimal() and p != '1'\n"
        "              and 'hackamore' in open(f'/proc/{p}/cmdline').read())\n"
        "for name, flags in (('mem', os.O_RDWR), ('fd/0', 0), ('environ', 0)):\n"
        "    try:\n"
        "        os.open(f'/proc/{worker}/{name}', flags)\n"
        "        print('opened', name)\n"
        "    except PermissionError:\n"
        "        print('refused')\n"
    )
    async with open_box(root) as box:
        result = await box.python(code)
    assert result.output == b"refused\n" * 3


@pytest.mark.req("SBX-05")
async def test_a_command_that_kills_the_worker_ends_with_it(open_box: Any, root: Path) -> None:
    async with open_box(root) as box:
        pid = await pid_of_connection(box)
        tree = [pid, *descendants(pid)]
        with pytest.raises(SandboxUnavailable):
            await box.run("for p in /proc/[0-9]*; do kill -9 ${p#/proc/}; done; sleep 600")
        assert (await box.run("echo next")).output == b"next\n"
        assert [p for p in tree if _alive(p)] == []


@pytest.mark.req("SBX-05")
async def test_a_flood_is_cut_in_the_middle_and_counted(
    open_box: Any, root: Path, level: str
) -> None:
    async with open_box(root, level) as box:
        result = await box.run("echo head; yes 0123456789 | head -c 50000000; echo tail")
    assert len(result.output) == 1024 * 1024
    assert result.omitted == 50_000_000 + 10 - 1024 * 1024
    assert result.output.startswith(b"head\n0123")
    assert result.output.endswith(b"tail\n")


@pytest.mark.req("SBX-05")
async def test_a_fork_bomb_is_bounded_and_the_sandbox_lives_on(open_box: Any, root: Path) -> None:
    async with open_box(root, limits=Limits(processes=64)) as box:
        pid = await pid_of_connection(box)
        idle = below(pid)
        result = await box.python("import os\nwhile True:\n    os.fork()\n", seconds=20)
        assert result.exit_code != 0
        assert (await box.run("echo next")).output == b"next\n"
        assert below(await pid_of_connection(box)) == idle


@pytest.mark.req("SBX-05")
async def test_memory_is_bounded_over_all_children(open_box: Any, root: Path) -> None:
    code = (
        "import os, time\n"
        "for _ in range(8):\n"
        "    if os.fork() == 0:\n"
        "        block = bytearray(b'x') * (64 << 20)\n"
        "        time.sleep(600)\n"
        "time.sleep(600)\n"
    )
    async with open_box(root, limits=Limits(memory=256 << 20)) as box:
        result = await box.python(code, seconds=20)
    assert not result.timed_out
    assert b"more than 256 MiB of memory" in result.output


@pytest.mark.req("SBX-05")
async def test_the_temporary_folder_is_private_and_sized(
    open_box: Any, root: Path, tmp_path: Path
) -> None:
    async with open_box(root, limits=Limits(temporary=8 << 20)) as box:
        for folder in ("/tmp", "/dev/shm", "~"):
            result = await box.run(f"head -c 20000000 /dev/zero > {folder}/big-from-sandbox")
            assert b"No space left" in result.output
    assert "big-from-sandbox" not in os.listdir("/tmp")  # noqa: PTH208 - a plain look


@pytest.mark.req("SBX-05")
async def test_a_file_cannot_grow_past_the_limit(open_box: Any, root: Path) -> None:
    async with open_box(root, limits=Limits(file_size=1 << 20)) as box:
        await box.run("head -c 3000000 /dev/zero > big")
    assert (root / "big").stat().st_size <= 1 << 20


@pytest.mark.req("SBX-03")
async def test_secrets_of_the_environment_are_not_inside(
    open_box: Any, root: Path, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "CANARY-KEY")
    async with open_box(root, level) as box:
        result = await box.run("env; cat /proc/1/environ /proc/$PPID/environ 2>&1 | tr '\\0' '\\n'")
        given = await box.sandbox.commands.execute(Command("echo $X", environment={"X": "given"}))
    assert b"CANARY" not in result.output
    assert b"PATH=" in result.output
    assert given.output == b"given\n"


@pytest.mark.req("SBX-03")
async def test_commands_work_in_a_folder_beneath_the_root_only(
    open_box: Any, root: Path, level: str
) -> None:
    (root / "sub").mkdir()
    async with open_box(root, level) as box:
        run = box.sandbox.commands.execute
        assert (await run(Command("pwd", folder="sub"))).output.decode() == f"{root}/sub\n"
        with pytest.raises(WorkspaceError):
            await run(Command("pwd", folder="../out"))
        with pytest.raises(WorkspaceError):
            await run(Command("pwd", folder="missing"))


@pytest.mark.req("SBX-03")
async def test_hidden_files_are_empty_and_protected_ones_read_only_for_commands(
    open_box: Any, root: Path
) -> None:
    (root / "deep" / ".ssh").mkdir(parents=True)
    (root / "deep" / ".ssh" / "config").write_text("CANARY")
    (root / ".vscode").mkdir()
    (root / "node_modules" / "a").mkdir(parents=True)
    (root / "node_modules" / "a" / ".env").write_text("CANARY")
    async with open_box(root) as box:
        assert box.sandbox.covers_complete
        read = await box.run(
            "cat .env node_modules/a/.env; ls -A deep/.ssh; cat deep/.ssh/config; echo done"
        )
        assert b"CANARY" not in read.output
        for attempt in (
            *("echo x > .env", "rm .env", "mv .env y", "echo x > .git/hooks/post-commit"),
            *(
                "echo x >> .git/config",
                "mv .git z",
                "rm -rf .git/hooks",
                "touch .vscode/tasks.json",
            ),
            *("mv .git/hooks .git/h", "ln .git/config c && echo x >> c", "mv .vscode v"),
        ):
            assert (await box.run(attempt)).exit_code != 0, attempt
        assert (await box.run("touch .git/index.lock && mkdir -p .git/objects")).exit_code == 0
    assert (root / ".env").read_text() == "KEY=CANARY\n"
    assert (root / ".git" / "config").read_text() == "[core]\n"
    assert list((root / ".git" / "hooks").iterdir()) == []


@pytest.mark.req("SBX-03")
@pytest.mark.usefixtures("repository")
async def test_git_commits_inside(open_box: Any, root: Path) -> None:
    async with open_box(root) as box:
        result = await box.run(
            "git -c user.name=a -c user.email=a@b add a.txt && "
            "git -c user.name=a -c user.email=a@b commit -qm x && git log --oneline | wc -l"
        )
    assert result.output.strip() == b"1", result.output


@pytest.mark.req("SBX-03")
async def test_descriptors_of_the_worker_do_not_reach_commands(
    open_box: Any, root: Path, level: str
) -> None:
    async with open_box(root, level) as box:
        result = await box.python("import os\nprint(sorted(os.listdir('/proc/self/fd'), key=int))")
    assert result.output == b"['0', '1', '2', '3']\n"


@pytest.fixture
def few_descriptors() -> Iterator[None]:
    """Let every process started from here have so few descriptors that a leak would stop it."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.req("SBX-05")
@pytest.mark.usefixtures("few_descriptors")
async def test_many_calls_leave_nothing_behind(open_box: Any, root: Path, level: str) -> None:
    async with open_box(root, level) as box:
        pid = await pid_of_connection(box)
        idle, descriptors = below(pid), open_descriptors()
        for _ in range(100):
            assert (await box.run("true")).exit_code == 0
            assert (await box.sandbox.workspace.read("a.txt")).data == b"hello\n"
            assert (await box.sandbox.workspace.list(".", recursive=True)).entries
        assert below(pid) == idle
        assert open_descriptors() == descriptors


@pytest.mark.req("SBX-05")
async def test_commands_run_side_by_side(open_box: Any, root: Path, level: str) -> None:
    async with open_box(root, level) as box:
        first = asyncio.create_task(box.run("until [ -e go ]; do sleep 0.01; done; echo 1"))
        assert (await box.run("touch go; echo 2")).output == b"2\n"
        assert (await first).output == b"1\n"


@pytest.mark.req("SBX-05")
async def test_closing_ends_everything(open_box: Any, root: Path, level: str) -> None:
    async with open_box(root, level) as box:
        pid = await pid_of_connection(box)
        seen = asyncio.Event()
        running = asyncio.create_task(
            box.sandbox.commands.execute(Command("echo x; sleep 600"), setting(seen))
        )
        await asyncio.wait_for(seen.wait(), 20)
        tree = [pid, *descendants(pid)]
    with pytest.raises(Exception, match="sandbox ended"):
        await running
    assert [p for p in tree if _alive(p)] == []


@pytest.mark.req("SBX-05")
async def test_a_killed_owner_leaves_no_process(root: Path, level: str) -> None:
    program = (
        "import asyncio, os, sys\n"
        "from hackamore.core.workspace import Command\n"
        "from hackamore.sandbox.opening import open_sandbox\n"
        "from hackamore.sandbox.settings import SandboxSettings\n"
        "async def main() -> None:\n"
        "    path = tuple(os.environ['PATH'].split(':'))\n"
        "    settings = SandboxSettings(sys.argv[1], path, os.path.expanduser('~'), sys.argv[3])\n"
        "    box = await open_sandbox(settings, sys.argv[2])\n"
        "    tell = lambda data: print(data.decode(), end='', flush=True)\n"
        "    await box.commands.execute(Command('trap \"\" TERM; echo on; sleep 600'), tell)\n"
        "asyncio.run(main())\n"
    )
    source = str(Path(__file__).parents[3] / "src")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", program, str(root), level, str(root.parent / "covers")),
        env={**os.environ, "PYTHONPATH": source},
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"on\n"
    tree = descendants(process.pid)
    process.send_signal(signal.SIGKILL)
    await process.wait()
    deadline = time.monotonic() + 1
    while left := [p for p in tree if _alive(p)]:
        assert time.monotonic() < deadline, left
        await asyncio.sleep(0)


def _alive(pid: int) -> bool:
    try:
        return ") Z" not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
