"""Runs: every event is numbered, and the last one says how it ended."""

import asyncio

import pytest

from hackamore.agent.run import Numbers, Run, Work
from hackamore.core.changes import FileChange
from hackamore.core.codes import Code
from hackamore.core.errors import ModelAuth
from hackamore.core.events import (
    Emit,
    Event,
    FileChanged,
    RunEnded,
    RunResult,
    RunStarted,
    StepStarted,
    TextDelta,
    Usage,
)
from hackamore.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio


def _run(work: Work, numbers: Numbers | None = None) -> Run:
    started = RunStarted("go", "test:model", "act", "full", session_id="s1")
    return Run(started, work, request_id="r1", numbers=numbers or Numbers(), clock=FakeClock(5.0))


async def _events(run: Run) -> list[Event]:
    return [event async for event in run]


def _result(events: list[Event]) -> RunResult:
    last = events[-1]
    assert isinstance(last, RunEnded)
    return last.result


@pytest.mark.req("AGT-02")
async def test_events_are_numbered_without_gaps_from_run_to_run() -> None:
    async def work(emit: Emit) -> RunResult:
        emit(TextDelta("hi"))
        return RunResult("success", "hi", "done")

    numbers = Numbers()
    first = await _events(_run(work, numbers))
    second = await _events(_run(work, numbers))
    assert [event.seq for event in first + second] == [1, 2, 3, 4, 5, 6]
    assert {(e.session_id, e.request_id, e.time) for e in first} == {("s1", "r1", 5.0)}


@pytest.mark.req("AGT-02")
async def test_the_result_sums_up_tokens_changes_and_the_last_words() -> None:
    async def work(emit: Emit) -> RunResult:
        emit(StepStarted(1))
        emit(TextDelta("first"))
        emit(Usage(10, 1))
        emit(FileChanged("c1", FileChange("a", "1", "2")))
        emit(FileChanged("c1", FileChange("b", "x", "y")))
        emit(StepStarted(2))
        emit(TextDelta("last"))
        emit(Usage(20, 2))
        emit(FileChanged("c2", FileChange("a", "2", "3")))
        emit(FileChanged("c2", FileChange("b", "y", "x")))
        return RunResult("error", "", "max_steps", code=Code.LIMIT_EXCEEDED)

    result = _result(await _events(_run(work)))
    assert result.text == "last"
    assert (result.input_tokens, result.output_tokens) == (30, 3)
    assert result.changes == (FileChange("a", "1", "3"),)


@pytest.mark.req("UX-06")
async def test_an_error_of_ours_ends_the_run_with_its_words_and_code() -> None:
    async def work(emit: Emit) -> RunResult:
        raise ModelAuth("No key.", hint="Set one.")

    result = _result(await _events(_run(work)))
    assert result.status == "error"
    assert result.error == "No key. Set one."
    assert result.code is Code.MODEL_AUTH


@pytest.mark.req("AGT-02")
async def test_a_bug_is_loud_but_the_run_still_ends() -> None:
    async def work(emit: Emit) -> RunResult:
        raise ZeroDivisionError

    seen: list[Event] = []

    async def watch() -> None:
        async for event in _run(work):
            seen.append(event)  # noqa: PERF401  # a comprehension would lose them all at the error

    with pytest.raises(ZeroDivisionError):
        await watch()
    assert _result(seen).code is Code.INTERNAL


@pytest.mark.req("AGT-02")
async def test_a_cancel_in_the_middle_ends_the_run_as_cancelled() -> None:
    async def work(emit: Emit) -> RunResult:
        emit(TextDelta("…"))
        await asyncio.Event().wait()
        return RunResult("success", "", "done")

    run = _run(work)
    events: list[Event] = []
    async for event in run:
        events.append(event)
        if isinstance(event, TextDelta):
            run.cancel()
    assert _result(events).status == "cancelled"
    assert _result(events).code is Code.CANCELLED


@pytest.mark.req("AGT-02")
async def test_a_cancel_before_the_start_counts() -> None:
    ran = False

    async def work(emit: Emit) -> RunResult:
        nonlocal ran
        ran = True
        return RunResult("success", "", "done")

    run = _run(work)
    run.cancel()
    assert _result(await _events(run)).status == "cancelled"
    assert not ran


@pytest.mark.req("AGT-02")
async def test_whoever_leaves_early_stops_the_work() -> None:
    stopped = asyncio.Event()

    async def work(emit: Emit) -> RunResult:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return RunResult("success", "", "done")

    events = _run(work).__aiter__()
    await anext(events)
    await asyncio.sleep(0)
    await events.aclose()
    assert stopped.is_set()
