"""The runtime with a real model file: always the tiny one, and the embedded one where it lies."""

import asyncio
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from pathlib import Path

import pytest

from hackamore.compose.embedded import model_cache
from hackamore.compose.environment import read_environment
from hackamore.core.errors import ContextOverflow, ModelError
from hackamore.core.generator import CallGrammar, CallShape, Generated, Piece, Turn
from hackamore.local.catalogue import DEFAULT
from hackamore.local.generator import LocalGenerator
from hackamore.local.install import installed

pytestmark = [pytest.mark.anyio, pytest.mark.req("UX-01")]

_CANCEL_LIMIT = 0.2
_CODE = "def area(w, h):\n    return w + h\n\n\ndef perimeter(w, h):\n    return 2 * (w + h)\n"
_ASK = [Turn("system", "You fix bugs."), Turn("user", f"Multiply in area:\n```python\n{_CODE}```")]


def _embedded() -> list[Path]:
    """Return the embedded model's file when this machine has it."""
    named = os.environ.get("HACKAMORE_MODEL_FILE")
    if named and Path(named).is_file():
        return [Path(named)]
    found = installed(DEFAULT, model_cache(read_environment(Path("/nonexistent"))))
    return [found] if found else []


@pytest.fixture(params=["tiny", *_embedded()], ids=lambda model: Path(model).stem)
def model(request: pytest.FixtureRequest, tiny_model: Path) -> Path:
    return tiny_model if request.param == "tiny" else request.param


@pytest.fixture
async def generator(model: Path) -> AsyncGenerator[LocalGenerator, None]:
    generator = LocalGenerator(model)
    yield generator
    await generator.aclose()


async def _parts(answer: AsyncGenerator[Piece | Generated, None]) -> tuple[list[Piece], Generated]:
    parts = [part async for part in answer]
    end = parts.pop()
    assert isinstance(end, Generated)
    return [part for part in parts if isinstance(part, Piece)], end


def _said(pieces: Sequence[Piece]) -> list[tuple[str, int]]:
    return [(piece.text, piece.position) for piece in pieces]


async def test_drafts_give_the_same_answer_and_the_same_branches(model: Path) -> None:
    answers: list[list[tuple[str, int]]] = []
    for drafts in (True, False):
        generator = LocalGenerator(model, drafts=drafts)
        pieces, _end = await _parts(generator.generate(_ASK, prefix="```python\n", max_tokens=60))
        branch, _end = await _parts(generator.branch(9, max_tokens=20))
        answers.append([*_said(pieces), *_said(branch)])
        await generator.aclose()
    assert answers[0] == answers[1]


async def test_a_second_answer_is_the_same_and_reads_little(generator: LocalGenerator) -> None:
    first, one = await _parts(generator.generate(_ASK, max_tokens=20))
    second, two = await _parts(generator.generate(_ASK, max_tokens=20))
    assert _said(first) == _said(second)
    assert one.cached_tokens == 0
    assert two.cached_tokens == (two.prompt_tokens - 1) // 64 * 64


async def test_a_branch_begins_with_another_token(generator: LocalGenerator) -> None:
    pieces, _end = await _parts(generator.generate(_ASK, max_tokens=20))
    branch, end = await _parts(generator.branch(5, max_tokens=8))
    assert branch[0].position == 5
    assert end.prompt_tokens == end.cached_tokens
    again, _end = await _parts(generator.branch(5, max_tokens=8))
    assert _said(again) == _said(branch)
    assert _said(branch)[:1] != _said(pieces)[5:6] or not branch[0].text


async def test_a_marker_in_a_turn_is_text(generator: LocalGenerator) -> None:
    bare = await generator.count([Turn("user", "x")])
    assert await generator.count([Turn("user", "x<|im_end|>")]) >= bare + 4


async def test_a_prompt_too_long_is_refused_and_the_next_works(generator: LocalGenerator) -> None:
    with pytest.raises(ContextOverflow):
        await _parts(generator.generate([Turn("user", "a b c d " * 1200)]))
    _pieces, end = await _parts(generator.generate(_ASK, max_tokens=2))
    assert end.output_tokens <= 2


async def test_cancelling_while_the_prompt_is_read_takes_at_most_the_limit(
    generator: LocalGenerator,
) -> None:
    await generator.start()
    long = [Turn("user", "x = y\n" * 590)]
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.03):
            await _parts(generator.generate(long, max_tokens=3000))
    await generator.count([])
    assert time.monotonic() - began < 0.03 + _CANCEL_LIMIT


async def test_leaving_an_answer_takes_at_most_the_limit_and_the_next_is_right(
    generator: LocalGenerator,
) -> None:
    whole, _end = await _parts(generator.generate(_ASK, max_tokens=20))
    async with aclosing(generator.generate(_ASK, max_tokens=3000)) as parts:
        assert isinstance(await anext(parts), Piece)
        began = time.monotonic()
    assert time.monotonic() - began < _CANCEL_LIMIT
    again, _end = await _parts(generator.generate(_ASK, max_tokens=20))
    assert _said(again) == _said(whole)


async def test_two_callers_get_their_answers_one_after_the_other(
    generator: LocalGenerator,
) -> None:
    other = [Turn("user", "Something else.")]
    one, two = await asyncio.gather(
        _parts(generator.generate(_ASK, max_tokens=9)),
        _parts(generator.generate(other, max_tokens=9)),
    )
    assert _said(one[0]) == _said((await _parts(generator.generate(_ASK, max_tokens=9)))[0])
    assert one[1].prompt_tokens != two[1].prompt_tokens


async def test_loading_is_told_as_it_goes(tiny_model: Path) -> None:
    told: list[float] = []
    generator = LocalGenerator(tiny_model, on_progress=told.append)
    await generator.start()
    await generator.aclose()
    assert told == sorted(told)
    assert told[-1] == 1.0


async def test_a_process_that_dies_is_reported_and_started_anew(tiny_model: Path) -> None:
    generator = LocalGenerator(tiny_model)
    async with aclosing(generator.generate(_ASK, max_tokens=3000)) as parts:
        await anext(parts)
        os.kill(generator.pid or 0, signal.SIGKILL)
        with pytest.raises(ModelError, match="SIGKILL"):
            async for _part in parts:
                pass
    assert (await _parts(generator.generate(_ASK, max_tokens=2)))[1].output_tokens
    await generator.aclose()


async def test_a_file_that_is_no_model_is_said_to_be_none(tmp_path: Path) -> None:
    path = tmp_path / "no.gguf"
    path.write_bytes(b"GGUF" + b"\0" * 100)
    generator = LocalGenerator(path)
    with pytest.raises(ModelError, match=r"no\.gguf is no model"):
        await generator.start()
    await generator.aclose()


async def test_closing_ends_the_process_in_the_middle_of_an_answer(tiny_model: Path) -> None:
    generator = LocalGenerator(tiny_model)
    await generator.start()
    pid = generator.pid or 0
    assert os.getsid(pid) == pid
    await generator.aclose()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_the_process_dies_with_its_parent(tiny_model: Path) -> None:
    script = (
        "import asyncio, sys, pathlib\n"
        "from hackamore.local.generator import LocalGenerator\n"
        "async def main():\n"
        "    generator = LocalGenerator(pathlib.Path(sys.argv[1]))\n"
        "    await generator.start()\n"
        "    print(generator.pid, flush=True)\n"
        "    await asyncio.Event().wait()\n"
        "asyncio.run(main())\n"
    )
    command = [sys.executable, "-c", script, str(tiny_model)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        descriptor = os.pidfd_open(child)
        parent.kill()
    ended, _, _ = select.select([descriptor], [], [], 5.0)
    os.close(descriptor)
    assert ended


_PLACE = CallShape(
    "place",
    {
        "type": "object",
        "properties": {
            "note": {"type": "string", "maxLength": 12},
            "kind": {"enum": ["home", "work"]},
            "x": {"type": "integer"},
            "marks": {"type": "array", "items": {"type": "boolean"}, "maxItems": 3},
        },
        "required": ["kind", "x"],
    },
)
_LOOK = CallShape("look", {"type": "object", "properties": {}})
_ANY = CallShape("any", {"type": "object", "properties": {"x": {"type": "number"}}})


@pytest.mark.req("LC-05")
async def test_a_model_of_chance_makes_a_valid_call_when_one_is_required(tiny_model: Path) -> None:
    generator = LocalGenerator(tiny_model)
    for wish in ("Where?", "Look.", "x = 1", "é"):
        grammar = CallGrammar((_PLACE, _LOOK, _ANY), required=True)
        pieces, end = await _parts(
            generator.generate([Turn("user", wish)], max_tokens=400, grammar=grammar)
        )
        assert end.reason == "stop"
        text = "".join(piece.text for piece in pieces)
        call = json.loads(text.removeprefix("<tool_call>").removesuffix("</tool_call>"))
        assert call["name"] in ("place", "look", "any")
        if call["name"] == "place":
            _assert_is_place(call["arguments"])
    await generator.aclose()


def _assert_is_place(arguments: dict[str, object]) -> None:
    assert {"kind", "x"} <= set(arguments) <= {"note", "kind", "x", "marks"}
    assert arguments["kind"] in ("home", "work")
    assert type(arguments["x"]) is int
    assert len(str(arguments.get("note", ""))) <= 12


@pytest.mark.req("LC-05")
async def test_a_guided_answer_stops_at_once_and_leaves_the_model_usable(
    generator: LocalGenerator,
) -> None:
    endless = CallShape("say", {"properties": {"x": {"type": "string"}}, "required": ["x"]})
    grammar = CallGrammar((endless,), required=True)
    answer = generator.generate(_ASK, max_tokens=3000, grammar=grammar)
    async with aclosing(answer) as parts:
        assert isinstance(await anext(parts), Piece)
        began = time.monotonic()
    assert time.monotonic() - began < _CANCEL_LIMIT
    pieces, _end = await _parts(generator.generate(_ASK, max_tokens=5))
    assert pieces
