"""Frames: how our own processes speak over a pipe.

A frame is two big-endian 32-bit lengths, a JSON object in UTF-8, and raw bytes (file content,
command output) that need no encoding. The reader treats the other side as hostile: lengths have
limits, the JSON is strict, and anything else is a `FrameError`.
"""

import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NoReturn, cast

from hackamore.core.json import JSON, JSONObject

_LENGTHS: Final = struct.Struct("!II")
MAX_HEADER: Final = 4 * 1024 * 1024
MAX_PAYLOAD: Final = 16 * 1024 * 1024


class FrameError(ValueError):
    """The bytes are no frame; the stream cannot be read any further."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One message: an object, and bytes beside it."""

    header: JSONObject
    payload: bytes = b""


def encode_frame(header: JSONObject, payload: bytes = b"") -> bytes:
    """Return the bytes of a frame.

    Raises:
        FrameError: It is longer than a reader would take.
    """
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    body = text.encode("utf-8", "surrogatepass")
    _check_lengths(len(body), len(payload))
    return _LENGTHS.pack(len(body), len(payload)) + body + payload


class FrameDecoder:
    """Takes bytes as they come and gives frames when they are whole."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Yield the frames that `data` completes.

        Raises:
            FrameError: The other side does not speak this protocol.
        """
        self._buffer += data
        while len(self._buffer) >= _LENGTHS.size:
            header, payload = _LENGTHS.unpack_from(self._buffer)
            _check_lengths(header, payload)
            end = _LENGTHS.size + header + payload
            if len(self._buffer) < end:
                return
            middle = _LENGTHS.size + header
            frame = Frame(
                _parse(bytes(self._buffer[_LENGTHS.size : middle])),
                bytes(self._buffer[middle:end]),
            )
            del self._buffer[:end]
            yield frame


def _check_lengths(header: int, payload: int) -> None:
    if header > MAX_HEADER or payload > MAX_PAYLOAD:
        raise FrameError(f"a frame of {header} + {payload} bytes is too long")


def _parse(body: bytes) -> JSONObject:
    try:
        value = cast(JSON, json.loads(body.decode("utf-8", "surrogatepass"), parse_constant=_no))
    except (ValueError, RecursionError) as error:
        raise FrameError(f"a frame's header is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise FrameError("a frame's header is not an object")
    return cast(JSONObject, value)


def _no(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")
