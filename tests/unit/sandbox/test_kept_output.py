"""What is kept of a command's output: head and tail, whatever the pieces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.sandbox.worker.output import KeptOutput


@pytest.mark.req("SBX-05")
@given(st.lists(st.binary(max_size=40), max_size=30), st.integers(2, 60))
def test_any_cutting_keeps_the_same_head_and_tail(pieces: list[bytes], limit: int) -> None:
    whole = b"".join(pieces)
    kept = KeptOutput(limit)
    head = b"".join(kept.take(piece) for piece in pieces)
    tail = kept.tail()
    if len(whole) <= limit:
        assert (head + tail, kept.omitted) == (whole, 0)
    else:
        assert head == whole[: limit // 2]
        assert tail == whole[len(whole) - (limit - limit // 2) :]
        assert kept.omitted == len(whole) - limit
