"""The process that runs a model: requests come as frames on stdin, answers go out as frames.

Started by `process`; dies with its parent. What the C library prints cannot corrupt the frames:
they go to a duplicate of stdout, and descriptor 1 then leads nowhere.
"""

import contextlib
import ctypes
import os
import queue
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from hackamore.core.generator import CallGrammar, CallShape, Turn
from hackamore.core.json import JSONObject
from hackamore.local.chatml import encode
from hackamore.local.choice import Choice, Stopped
from hackamore.local.decoding import Decoder, Overflow
from hackamore.local.guide import Guide
from hackamore.local.llama import Llama, LoadError
from hackamore.local.stops import Pieces
from hackamore.wire.frames import FrameDecoder, encode_frame

_PR_SET_PDEATHSIG: Final = 1


class Inbox:
    """Reads requests in a thread of its own, so that a cancel is seen in the middle of work."""

    def __init__(self) -> None:
        self._requests: queue.Queue[Any] = queue.Queue()
        self._cancelled: set[object] = set()
        self._current: object = None
        threading.Thread(target=self._read, daemon=True).start()

    def take(self) -> Any:  # noqa: ANN401 - JSON of our own parent
        """Wait for the next request that is not yet cancelled."""
        request = self._requests.get()
        self._current = request.get("id")
        return request

    def stopped(self) -> bool:
        """Whether the request under way was cancelled."""
        return self._current in self._cancelled

    def _read(self) -> None:
        decoder = FrameDecoder()
        while data := os.read(0, 65536):
            for frame in decoder.feed(data):
                if frame.header.get("op") == "cancel":
                    self._cancelled.add(frame.header.get("id"))
                else:
                    self._requests.put(frame.header)
        os._exit(0)


class Child:
    """Answers requests one after the other."""

    def __init__(self, output: int) -> None:
        self._output = output
        self._inbox = Inbox()

    def run(self) -> None:
        """Load the model that the first request names, then serve."""
        request = self._inbox.take()
        try:
            self._model = Llama(
                Path(request["model"]),
                context=request["context"],
                threads=request["threads"],
                on_progress=lambda part: self._send({"event": "progress", "fraction": part}),
                should_stop=self._inbox.stopped,
            )
        except (LoadError, ImportError, OSError) as error:
            self._send({"event": "failed", "message": str(error)})
            return
        self._decoder = Decoder(self._model, drafts=request["drafts"])
        self._send({"event": "loaded", "context": self._model.context})
        while True:
            self._serve(self._inbox.take())

    def _serve(self, request: Any) -> None:  # noqa: ANN401 - JSON of our own parent
        try:
            end = self._perform(request)
        except Stopped:
            end = {"event": "cancelled"}
        except Overflow:
            end = {"event": "overflow", "prompt_tokens": self._decoder.prompt_tokens}
        except (LoadError, LookupError) as error:
            end = {"event": "error", "message": str(error)}
        self._send({**end, "id": request["id"]})

    def _perform(self, request: Any) -> JSONObject:  # noqa: ANN401 - JSON of our own parent
        if request["op"] == "branch":
            return self._write(request, self._decoder.branch(request["at"], request["max_tokens"]))
        turns = [Turn(role, text) for role, text in request["turns"]]
        prompt = encode(self._model, turns, request["prefix"])
        if request["op"] == "count":
            return {"event": "counted", "tokens": len(prompt)}
        if request["grammar"] is None:
            return self._write(request, self._decoder.generate(prompt, request["max_tokens"]))
        guide = Guide(_grammar(request["grammar"]))
        return self._write(request, self._decoder.guided(prompt, request["max_tokens"], guide))

    def _write(self, request: Any, choices: Iterator[Choice]) -> JSONObject:  # noqa: ANN401
        pieces = Pieces(request["stop"])
        written, reason = 0, "length"
        for position, choice in enumerate(choices, request.get("at", 0)):
            if self._inbox.stopped():
                raise Stopped
            written += 1
            if self._model.is_end(choice.token):
                reason = "stop"
                break
            for piece in pieces.add(self._model.piece(choice.token), choice.margin, position):
                self._send_piece(request["id"], piece.text, piece.margin, piece.position)
            if pieces.stopped:
                reason = "stop"
                break
        for piece in pieces.finish():
            self._send_piece(request["id"], piece.text, piece.margin, piece.position)
        return {
            "event": "done",
            "reason": reason,
            "prompt_tokens": self._decoder.prompt_tokens,
            "cached_tokens": min(self._decoder.cached, self._decoder.prompt_tokens),
            "output_tokens": written,
        }

    def _send_piece(self, request: object, text: str, margin: float, position: int) -> None:
        self._send(
            {"event": "piece", "id": str(request), "text": text, "margin": margin, "at": position}
        )

    def _send(self, header: JSONObject) -> None:
        data = encode_frame(header)
        while data:
            data = data[os.write(self._output, data) :]


def _grammar(data: Any) -> CallGrammar:  # noqa: ANN401 - JSON of our own parent
    tools = tuple(CallShape(name, parameters) for name, parameters in data["tools"])
    return CallGrammar(tools, data["required"])


def main() -> None:
    """Run until the parent closes stdin."""
    _die_with_parent()
    output = os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    with contextlib.suppress(BrokenPipeError):
        Child(output).run()


def _die_with_parent() -> None:
    """Ask the kernel to end this process with its parent; the end of stdin does so anyhow."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
