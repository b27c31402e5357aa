"""The parent's side of the model process: start it, speak frames with it, end it.

The only module here that starts processes of the runtime. The child gets no environment, its own
session (Ctrl-C in a terminal does not reach it) and exactly the folders that hold its modules.
"""

import asyncio
import contextlib
import importlib.util
import json
import signal
import sys
from collections import deque
from pathlib import Path
from typing import Final

from hackamore.core.errors import ModelError
from hackamore.core.json import JSONObject
from hackamore.wire.frames import FrameDecoder, FrameError, encode_frame

_BOOT: Final = (
    "import json, sys; sys.path += json.loads(sys.argv[1]); "
    "from hackamore.local.child import main; main()"
)
_READ: Final = 65536


class ModelProcess:
    """One child process. Not safe for two readers: `receive` belongs to one task at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None  # noqa: S101 - asked for in `start`
        assert process.stdout is not None  # noqa: S101 - asked for in `start`
        self._process = process
        self._stdin = process.stdin
        self._stdout = process.stdout
        self._decoder = FrameDecoder()
        self._frames: deque[JSONObject] = deque()

    @classmethod
    async def start(cls) -> "ModelProcess":
        """Start the child; it loads nothing yet.

        Raises:
            ModelError: The runtime is not installed.
        """
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-I",
            "-c",
            _BOOT,
            json.dumps(_module_folders()),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={"PYTHONDONTWRITEBYTECODE": "1", "OMP_WAIT_POLICY": "passive"},
            start_new_session=True,
        )
        return cls(process)

    @property
    def pid(self) -> int:
        """The child's process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._process.returncode is None

    def send(self, header: JSONObject) -> None:
        """Send a request; returns at once. A dead child shows when its answer is awaited."""
        with contextlib.suppress(ConnectionError):
            self._stdin.write(encode_frame(header))

    async def receive(self) -> JSONObject:
        """Wait for the next frame.

        Raises:
            ModelError: The child has died or speaks nonsense.
        """
        while not self._frames:
            data = await self._stdout.read(_READ)
            if not data:
                raise ModelError(await self._last_words(), hint="It is started anew when needed.")
            try:
                self._frames += [frame.header for frame in self._decoder.feed(data)]
            except FrameError as error:
                raise ModelError(f"The model's process speaks nonsense: {error}") from error
        return self._frames.popleft()

    async def kill(self) -> None:
        """End it now, and wait until it is gone."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        self._stdin.close()
        await self._process.wait()

    async def _last_words(self) -> str:
        status = await self._process.wait()
        if status >= 0:
            return f"The model's process ended with exit status {status}."
        name = signal.Signals(-status).name
        memory = " Perhaps there is too little memory." if name == "SIGKILL" else ""
        return f"The model's process was ended by {name}.{memory}"


def _module_folders() -> list[str]:
    """Return the folders that hold our own package and the runtime's.

    Raises:
        ModelError: One of them is not installed.
    """
    return list(dict.fromkeys(_folder(name) for name in ("hackamore", "numpy", "ik_llama_cpp")))


def _folder(package: str) -> str:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise ModelError(
            f"The runtime for models on this machine is not installed ({package} is missing).",
            hint="Install it with: pip install 'hackamore[local]'",
        )
    return str(Path(spec.origin).parent.parent)
