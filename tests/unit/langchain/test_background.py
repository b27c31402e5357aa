"""Sync callers get their coroutines run."""

import asyncio
import contextvars
import threading

import pytest

from hackamore.langchain.background import BackgroundRunner

pytestmark = [pytest.mark.anyio, pytest.mark.req("LC-01")]

_USER: contextvars.ContextVar[str] = contextvars.ContextVar("user", default="nobody")


async def _user() -> str:
    await asyncio.sleep(0)
    return _USER.get()


def test_no_thread_starts_before_it_is_needed() -> None:
    before = threading.active_count()
    runner = BackgroundRunner()
    assert threading.active_count() == before
    assert runner.run_sync(_user()) == "nobody"
    assert threading.active_count() == before + 1
    assert runner.run_sync(_user()) == "nobody"
    assert threading.active_count() == before + 1


def test_the_callers_context_holds() -> None:
    token = _USER.set("me")
    try:
        assert BackgroundRunner().run_sync(_user()) == "me"
    finally:
        _USER.reset(token)


def test_exceptions_come_back() -> None:
    async def fail() -> None:
        raise ValueError("bad")

    with pytest.raises(ValueError, match="bad"):
        BackgroundRunner().run_sync(fail())


def test_a_call_from_the_loops_own_thread_does_not_wait_for_itself() -> None:
    runner = BackgroundRunner()

    async def outer() -> str:
        return runner.run_sync(_user())

    assert runner.run_sync(outer()) == "nobody"


async def test_who_can_await_stays_on_their_own_loop() -> None:
    async def where() -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    assert await BackgroundRunner().run(where()) is asyncio.get_running_loop()
