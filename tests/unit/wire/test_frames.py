"""Frames between processes."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.core.json import JSON
from hackamore.wire.frames import MAX_HEADER, FrameDecoder, FrameError, encode_frame

_HEADERS = st.dictionaries(st.text(), st.none() | st.booleans() | st.integers() | st.text())


@pytest.mark.req("SBX-03")
@given(
    frames=st.lists(st.tuples(_HEADERS, st.binary(max_size=200)), max_size=4),
    cut=st.integers(min_value=1, max_value=50),
)
def test_frames_come_back_however_the_bytes_are_cut(
    frames: list[tuple[dict[str, JSON], bytes]], cut: int
) -> None:
    data = b"".join(encode_frame(header, payload) for header, payload in frames)
    decoder = FrameDecoder()
    got = [
        (frame.header, frame.payload)
        for start in range(0, len(data), cut)
        for frame in decoder.feed(data[start : start + cut])
    ]
    assert got == frames


@pytest.mark.req("SBX-03")
@pytest.mark.parametrize(
    "data",
    [
        struct.pack("!II", MAX_HEADER + 1, 0),
        struct.pack("!II", 2, 0xFFFFFFFF),
        struct.pack("!II", 1, 0) + b"{",
        struct.pack("!II", 2, 0) + b"[]",
        struct.pack("!II", 11, 0) + b'{"a": NaN }',
        struct.pack("!II", 20000, 0) + b'{"a":' + b"[" * 19995,
        struct.pack("!II", 2, 0) + b"\xff\xfe",
    ],
)
def test_what_is_no_frame_is_an_error(data: bytes) -> None:
    with pytest.raises(FrameError):
        list(FrameDecoder().feed(data))
