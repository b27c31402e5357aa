"""Files through a real worker in a real sandbox: nothing outside the workspace is reached."""

import ctypes
import os
import signal
import socket
import threading
from pathlib import Path
from typing import Any

import pytest

from hackamore.core.codes import Code
from hackamore.core.errors import WorkspaceError
from hackamore.sandbox.worker.processes import descendants

pytestmark = pytest.mark.anyio

_LIBC = ctypes.CDLL(None)
_EXCHANGE = 2


@pytest.fixture(params=["full", "none"])
def level(request: pytest.FixtureRequest) -> str:
    return request.param


async def refused(call: Any) -> WorkspaceError:
    with pytest.raises(WorkspaceError) as found:
        await call
    return found.value


@pytest.mark.req("SBX-03")
async def test_a_file_is_read_with_its_mode_and_resolved_path(
    open_box: Any, root: Path, level: str
) -> None:
    (root / "src").mkdir()
    (root / "src" / "link.txt").symlink_to("../a.txt")
    (root / "a.txt").chmod(0o750)
    async with open_box(root, level) as box:
        found = await box.sandbox.workspace.read("src/link.txt")
    assert (found.data, found.path, found.mode) == (b"hello\n", "a.txt", 0o750)


@pytest.mark.req("SBX-03")
@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("../out/secret.txt", Code.PATH_OUTSIDE),
        ("/etc/hostname", Code.PATH_OUTSIDE),
        ("$OUT/secret.txt", Code.PATH_OUTSIDE),
        ("$ROOT-evil/x", Code.PATH_OUTSIDE),
        ("link", Code.PATH_OUTSIDE),
        ("folder/secret.txt", Code.PATH_OUTSIDE),
        ("environment", Code.PATH_OUTSIDE),
        ("loop", Code.PATH_OUTSIDE),
        (".env", Code.PERMISSION_DENIED),
        ("alias", Code.PERMISSION_DENIED),
        (".ENV", Code.PERMISSION_DENIED),
        ("nothing/here", Code.NOT_FOUND),
        ("", Code.INVALID_REQUEST),
        ("a\0b", Code.INVALID_REQUEST),
        ("x" * 300, Code.INVALID_REQUEST),
        ("x/" * 3000, Code.INVALID_REQUEST),
        (".git", Code.NOT_A_FILE),
        ("pipe", Code.NOT_A_FILE),
        ("socket", Code.NOT_A_FILE),
    ],
)
async def test_what_may_not_be_read_is_refused(
    open_box: Any, root: Path, level: str, path: str, code: Code
) -> None:
    out = root.parent / "out"
    for name, target in {
        "link": out / "secret.txt",
        "folder": out,
        "environment": "/proc/self/environ",
        "loop": "loop",
        "alias": ".env",
    }.items():
        (root / name).symlink_to(target)
    os.mkfifo(root / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        os.chdir(root)
        server.bind("socket")
        given = path.replace("$OUT", str(out)).replace("$ROOT", str(root))
        async with open_box(root, level) as box:
            error = await refused(box.sandbox.workspace.read(given))
    assert error.code is code
    assert "CANARY" not in str(error)


@pytest.mark.req("SBX-03")
async def test_a_file_is_replaced_atomically_and_keeps_its_mode(
    open_box: Any, root: Path, level: str
) -> None:
    (root / "a.txt").chmod(0o755)
    inode = (root / "a.txt").stat().st_ino
    async with open_box(root, level) as box:
        await box.sandbox.workspace.write("a.txt", b"new\n", expected=b"hello\n")
    assert (root / "a.txt").read_bytes() == b"new\n"
    assert (root / "a.txt").stat().st_mode & 0o777 == 0o755
    assert (root / "a.txt").stat().st_ino != inode
    assert not [name for name in os.listdir(root) if name.endswith(".tmp")]  # noqa: PTH208


@pytest.mark.req("TOOL-02")
async def test_a_file_that_changed_meanwhile_is_not_overwritten(
    open_box: Any, root: Path, level: str
) -> None:
    async with open_box(root, level) as box:
        files = box.sandbox.workspace
        stale = await refused(files.write("a.txt", b"x", expected=b"something else"))
        made = await refused(files.write("a.txt", b"x", expected=None))
        gone = await refused(files.write("b.txt", b"x", expected=b"it was there"))
        kept = await refused(files.remove("a.txt", expected=b"something else"))
    assert {error.code for error in (stale, made, gone, kept)} == {Code.STALE_SNAPSHOT}
    assert (root / "a.txt").read_text() == "hello\n"


@pytest.mark.req("SBX-03")
async def test_a_new_file_makes_its_folders_and_a_removed_one_is_gone(
    open_box: Any, root: Path, level: str
) -> None:
    async with open_box(root, level) as box:
        await box.sandbox.workspace.write("x/y/z.txt", b"1", expected=None)
        await box.sandbox.workspace.remove("a.txt", expected=b"hello\n")
    assert (root / "x/y/z.txt").read_bytes() == b"1"
    assert not (root / "a.txt").exists()


@pytest.mark.req("SBX-03")
@pytest.mark.parametrize(
    "path",
    [
        *("../out/new.txt", "folder/new.txt", "dangling", ".git/config", ".git/hooks/pre-commit"),
        *(".git/HEAD", ".GIT/config", "sub/.git/hooks/x", ".vscode/tasks.json", ".mcp.json"),
        *(".envrc", ".env.production", "git~1/config", ".g\u200cit/config", ".hackamore/x", ".git"),
        *("../project/../out/new.txt", "sub/../../out/new.txt", ".bashrc", "server.key"),
    ],
)
async def test_what_may_not_be_written_stays_as_it_is(
    open_box: Any, root: Path, level: str, path: str
) -> None:
    out = root.parent / "out"
    (root / "folder").symlink_to(out)
    (root / "dangling").symlink_to(out / "new.txt")
    (root / "sub").mkdir()
    before = sorted(str(p) for place in (root, out) for p in place.rglob("*"))
    async with open_box(root, level) as box:
        error = await refused(box.sandbox.workspace.write(path, b"x", expected=None))
    assert error.code in (Code.PATH_OUTSIDE, Code.PERMISSION_DENIED, Code.NOT_A_FILE)
    assert sorted(str(p) for place in (root, out) for p in place.rglob("*")) == before


@pytest.mark.req("TOOL-04")
async def test_a_sparse_file_is_refused_before_it_is_read(open_box: Any, root: Path) -> None:
    with (root / "big").open("wb") as file:
        file.truncate(8 * 1024**3)
    async with open_box(root) as box:
        error = await refused(box.sandbox.workspace.read("big", max_bytes=1024))
    assert error.code is Code.FILE_TOO_LARGE


@pytest.mark.req("TOOL-04")
async def test_a_worker_that_hangs_is_replaced_and_the_next_call_works(
    open_box: Any, root: Path
) -> None:
    async with open_box(root) as box:
        connection = await box.sandbox.link.connection()
        os.kill(descendants(connection.pid)[-1], signal.SIGSTOP)
        error = await refused(box.sandbox.workspace.read("a.txt"))
        assert error.code is Code.TIMEOUT
        assert (await box.sandbox.workspace.read("a.txt")).data == b"hello\n"


@pytest.mark.req("TOOL-01")
async def test_listing_leaves_out_what_is_hidden_or_ignored(
    open_box: Any, root: Path, level: str
) -> None:
    (root / ".gitignore").write_text("build/\n*.log\n!keep.log\n/only-here\n")
    for path in ("build/x", "a.log", "keep.log", "only-here", "sub/only-here", "sub/y.log"):
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text("x")
    (root / "sub" / ".gitignore").write_text("!y.log\n")
    (root / ".github").mkdir()
    (root / ".github" / "x.yml").write_text("x")
    (root / "node_modules").mkdir()
    async with open_box(root, level) as box:
        deep = await box.sandbox.workspace.list(".", recursive=True)
        flat = await box.sandbox.workspace.list("./sub", recursive=False)
        few = await box.sandbox.workspace.list(".", recursive=True, limit=3)
    assert [entry.path for entry in deep.entries] == [
        *(".github", ".github/x.yml", ".gitignore", "a.txt", "keep.log", "sub"),
        *("sub/.gitignore", "sub/only-here", "sub/y.log"),
    ]
    assert [entry.path for entry in flat.entries] == [
        *("sub/.gitignore", "sub/only-here", "sub/y.log")
    ]
    assert len(few.entries) == 3
    assert few.truncated


@pytest.mark.req("TOOL-01")
async def test_searching_finds_lines_with_their_neighbours_and_no_secrets(
    open_box: Any, root: Path, level: str
) -> None:
    (root / "b.py").write_text("one\nCANARY two\nthree\nfour\n")
    (root / "b.txt").write_text("CANARY\n")
    (root / "image.py").write_bytes(b"CANARY\0\1\2")
    (root / "out").symlink_to(root.parent / "out")
    async with open_box(root, level) as box:
        found = await box.sandbox.workspace.search(".", "CAN.RY", glob="*.py")
        everything = await box.sandbox.workspace.search(".", "CANARY", glob=None)
        one_file = await box.sandbox.workspace.search("b.txt", "CANARY", glob=None)
        bad = await refused(box.sandbox.workspace.search(".", "(", glob=None))
    (match,) = found.matches
    assert (match.path, match.line, match.text) == ("b.py", 2, "CANARY two")
    assert (match.before, match.after) == (("one",), ("three",))
    assert [m.path for m in everything.matches] == ["b.py", "b.txt"]
    assert [m.path for m in one_file.matches] == ["b.txt"]
    assert bad.code is Code.INVALID_REQUEST


@pytest.mark.req("TOOL-01")
async def test_searching_without_ripgrep_finds_the_same(
    open_box: Any, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "b.py").write_bytes(b"one\r\nCANARY two\r\nthree\r\n")
    (root / "image.py").write_bytes(b"CANARY\0\1\2")
    async with open_box(root) as box:
        with_ripgrep = await box.sandbox.workspace.search(".", "CANARY", glob=None)
    monkeypatch.setenv("PATH", str(tmp_path))
    async with open_box(root) as box:
        without = await box.sandbox.workspace.search(".", "CANARY", glob=None)
    assert with_ripgrep == without
    assert [m.text for m in without.matches] == ["CANARY two"]


@pytest.mark.req("SBX-03")
async def test_a_file_that_holds_a_token_is_hidden_and_one_without_is_not(
    open_box: Any, root: Path
) -> None:
    (root / ".npmrc").write_text("//registry.example/:_authToken=CANARY\n")
    (root / "sub").mkdir()
    (root / "sub" / ".npmrc").write_text("save-exact=true\n")
    async with open_box(root) as box:
        files = box.sandbox.workspace
        assert (await refused(files.read(".npmrc"))).code is Code.PERMISSION_DENIED
        assert (await files.read("sub/.npmrc")).data == b"save-exact=true\n"
        assert (await files.search(".", "CANARY", glob=None)).matches == ()
        assert (await files.search("sub/.npmrc", "save", glob=None)).matches == ()
        assert b"CANARY" not in (await box.run("cat .npmrc")).output
        assert (await box.run("cat sub/.npmrc")).output == b"save-exact=true\n"


@pytest.mark.req("SBX-03")
async def test_a_folder_swapped_for_a_link_never_leads_outside(open_box: Any, root: Path) -> None:
    race, link = root / "race", root / "link"
    race.mkdir()
    (race / "secret.txt").write_text("inside")
    link.symlink_to(root.parent / "out")
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            _LIBC.renameat2(-1, bytes(race), -1, bytes(link), _EXCHANGE)

    swapper = threading.Thread(target=swap)
    swapper.start()
    answers: set[bytes | Code] = set()
    try:
        async with open_box(root) as box:
            for number in range(1500):
                try:
                    answers.add((await box.sandbox.workspace.read("race/secret.txt")).data)
                    await box.sandbox.workspace.write(f"race/{number}", b"x", expected=None)
                except WorkspaceError as error:
                    answers.add(error.code)
    finally:
        stop.set()
        swapper.join()
    assert b"inside" in answers
    assert b"CANARY\n" not in answers
    assert sorted(p.name for p in (root.parent / "out").iterdir()) == ["secret.txt"]


@pytest.mark.req("SBX-03")
async def test_a_root_given_through_a_link_means_the_same_files(
    open_box: Any, root: Path, tmp_path: Path
) -> None:
    link = tmp_path / "link-to-project"
    link.symlink_to(root)
    async with open_box(link) as box:
        assert (await box.sandbox.workspace.read(f"{link}/a.txt")).data == b"hello\n"
        assert (await box.sandbox.workspace.read(f"{root}/a.txt")).data == b"hello\n"
        assert box.sandbox.workspace.root == str(root)


@pytest.mark.req("SBX-03")
@pytest.mark.parametrize("name", ["with spaces", "-a 'b\"\nc\u00e9", "--bind", "日本語"])
async def test_any_folder_name_works(open_box: Any, tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    (folder / "a.txt").write_text("hello\n")
    async with open_box(folder) as box:
        assert (await box.sandbox.workspace.read("a.txt")).data == b"hello\n"
        assert (await box.run("cat a.txt; pwd")).output.decode() == f"hello\n{folder}\n"
