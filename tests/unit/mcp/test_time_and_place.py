"""When to try again, how long to wait, and what a server is given of our environment."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.mcp.backoff import Backoff
from hackamore.mcp.patience import Patience
from hackamore.mcp.surroundings import server_environment


class _Clock:
    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


@pytest.mark.req("MCP-06")
@given(st.integers(1, 40))
def test_the_next_try_is_later_each_time_capped_and_spread(failures: int) -> None:
    backoff = Backoff(_Clock())
    for _ in range(failures):
        backoff.failed()
    step = min(2.0, 0.25 * 2 ** (failures - 1))
    assert step / 2 <= backoff.left() <= step


@pytest.mark.req("MCP-06")
def test_the_first_try_and_the_one_after_a_success_are_due_at_once() -> None:
    clock = _Clock()
    backoff = Backoff(clock)
    assert backoff.left() == 0
    for _ in range(20):
        backoff.failed()
    clock.time += 2.1
    assert backoff.left() == 0
    backoff.worked()
    backoff.failed()
    assert backoff.left() <= 0.25


@pytest.mark.req("MCP-06")
def test_two_clients_do_not_try_at_the_same_moment() -> None:
    lefts: set[float] = set()
    for _ in range(20):
        backoff = Backoff(_Clock())
        backoff.failed()
        lefts.add(backoff.left())
    assert len(lefts) > 15


@pytest.mark.req("MCP-10")
async def test_what_takes_too_long_is_told_once_and_what_ends_in_time_is_not() -> None:
    patience, late = Patience(), list[str]()
    with patience.within(0.01, lambda: late.append("slow")):
        await asyncio.sleep(0.05)
    with patience.within(0.01, lambda: late.append("quick")):
        pass
    await asyncio.sleep(0.03)
    assert late == ["slow"]


@pytest.mark.req("MCP-10")
async def test_no_time_passes_while_the_person_is_asked() -> None:
    patience, late = Patience(), asyncio.Event()
    with patience.within(0.05, late.set):
        with patience.asking(), patience.asking():
            await asyncio.sleep(0.1)
            assert not late.is_set()
        await asyncio.wait_for(late.wait(), 2)


@pytest.mark.req("MCP-10")
async def test_what_begins_while_the_person_is_asked_has_its_whole_time() -> None:
    patience, late = Patience(), asyncio.Event()
    asking = patience.asking()
    asking.__enter__()
    with patience.within(0.03, late.set):
        await asyncio.sleep(0.06)
        assert not late.is_set()
        asking.__exit__(None, None, None)
        await asyncio.wait_for(late.wait(), 2)


@pytest.mark.req("MCP-11")
def test_a_server_is_given_what_programs_need_and_none_of_our_secrets() -> None:
    ours = {
        "PATH": "/bin",
        "HOME": "/home/ada",
        "LANG": "C.UTF-8",
        "OPENAI_API_KEY": "sk-1",
        "AWS_SECRET_ACCESS_KEY": "x",
        "HACKAMORE_TOKEN": "t",
        "LD_PRELOAD": "evil.so",
        "PYTHONPATH": "/x",
    }
    given_to_it = server_environment(ours, {"TOKEN": "its own", "HOME": "/else"})
    assert given_to_it == {"PATH": "/bin", "HOME": "/else", "LANG": "C.UTF-8", "TOKEN": "its own"}
