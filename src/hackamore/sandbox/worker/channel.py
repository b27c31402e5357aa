"""The worker's end of the pipe to the host: requests in, replies out."""

import os
from collections.abc import Iterator

from hackamore.core.json import JSON
from hackamore.sandbox.worker.refusal import Refusal
from hackamore.wire.frames import Frame, FrameDecoder, encode_frame

_CHUNK = 1024 * 1024


class Channel:
    """Frames over two descriptors."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self.incoming = incoming
        self._outgoing = outgoing
        self._decoder = FrameDecoder()

    def receive(self) -> Iterator[Frame]:
        """Yield the frames that have come whole.

        Raises:
            EOFError: The host is gone.
        """
        data = os.read(self.incoming, _CHUNK)
        if not data:
            raise EOFError
        yield from self._decoder.feed(data)

    def send_bytes(self, data: bytes) -> None:
        """Send bytes that are whole frames already."""
        view = memoryview(data)
        while view:
            view = view[os.write(self._outgoing, view) :]

    def reply(self, request: int, payload: bytes = b"", **fields: JSON) -> None:
        """Answer a request that succeeded."""
        self.send_bytes(reply(request, payload, **fields))

    def refuse(self, request: int, error: Refusal) -> None:
        """Answer a request that did not."""
        self.send_bytes(refused(request, error))

    def tell(self, request: int, payload: bytes, **fields: JSON) -> None:
        """Send news of a request that goes on."""
        self.send_bytes(encode_frame({"id": request, "event": "output", **fields}, payload))


def reply(request: int, payload: bytes = b"", **fields: JSON) -> bytes:
    """Return the frame of a success."""
    return encode_frame({"id": request, "ok": True, **fields}, payload)


def refused(request: int, error: Refusal) -> bytes:
    """Return the frame of a refusal."""
    return encode_frame(
        {"id": request, "ok": False, "code": error.code.value, "message": error.message}
    )
