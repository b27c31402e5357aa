"""`LocalGenerator`: the port `TextGenerator` over a model process.

The process is started and the model loaded on first use; an answer that is no longer wanted is
cancelled within 200 ms, also while the prompt is read.
"""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncGenerator, Callable, Sequence
from pathlib import Path
from typing import Any, Final, Literal, cast

from hackamore.core.errors import ContextOverflow, ModelError
from hackamore.core.generator import CallGrammar, Generated, Piece, Turn
from hackamore.core.json import JSON, JSONObject
from hackamore.local.process import ModelProcess

_CANCEL_GRACE: Final = 2.0


class LocalGenerator:
    """A model file, ready to write. One answer at a time; a second caller waits."""

    def __init__(
        self,
        model: Path,
        *,
        context: int = 4096,
        threads: int = 1,
        drafts: bool = True,
        on_progress: Callable[[float], None] | None = None,
    ) -> None:
        """Remember what to load; nothing is started yet.

        Args:
            model: The GGUF file.
            context: Tokens that prompt and answer may have together.
            threads: Of computation. More than one is far slower on a busy machine.
            drafts: Whether to guess ahead from the prompt: the same answer, sooner.
            on_progress: Told the loaded part of the model, from 0 to 1.
        """
        self._model = model
        self._context = context
        self._settings: JSONObject = {"context": context, "threads": threads, "drafts": drafts}
        self._on_progress = on_progress
        self._turn = asyncio.Lock()
        self._ids = itertools.count(1)
        self._loading: asyncio.Task[ModelProcess] | None = None

    @property
    def context(self) -> int:
        """Tokens that prompt and answer may have together."""
        return self._context

    @property
    def pid(self) -> int | None:
        """The process that holds the model, when there is one."""
        process = self._loaded()
        return process.pid if process else None

    async def start(self) -> None:
        """Load the model now rather than on first use.

        Raises:
            ModelError: The runtime is missing, or the file cannot be loaded.
        """
        async with self._turn:
            await self._process()

    async def count(self, turns: Sequence[Turn]) -> int:
        """Return the number of tokens of a prompt."""
        async with self._turn:
            request = {"op": "count", "turns": _plain(turns), "prefix": ""}
            async with contextlib.aclosing(self._ask(request)) as events:
                return int((await anext(events))["tokens"])

    def generate(
        self,
        turns: Sequence[Turn],
        *,
        prefix: str = "",
        stop: Sequence[str] = (),
        max_tokens: int = 1024,
        grammar: CallGrammar | None = None,
    ) -> AsyncGenerator[Piece | Generated, None]:
        """Continue the answer that begins with `prefix`; see `TextGenerator.generate`.

        Raises:
            ContextOverflow: The prompt leaves no room for an answer.
            ModelError: The process died; the next call starts another.
        """
        return self._answer(
            {
                "op": "generate",
                "turns": _plain(turns),
                "prefix": prefix,
                "stop": list(stop),
                "max_tokens": max_tokens,
                "grammar": _plain_grammar(grammar),
            }
        )

    def branch(
        self, at: int, *, stop: Sequence[str] = (), max_tokens: int = 1024
    ) -> AsyncGenerator[Piece | Generated, None]:
        """Give another answer to the last prompt; see `TextGenerator.branch`."""
        return self._answer(
            {"op": "branch", "at": at, "stop": list(stop), "max_tokens": max_tokens}
        )

    async def aclose(self) -> None:
        """End the process, whatever it does."""
        loading, self._loading = self._loading, None
        if loading is None:
            return
        loading.cancel()
        with contextlib.suppress(asyncio.CancelledError, ModelError):
            await (await loading).kill()

    async def _answer(self, request: JSONObject) -> AsyncGenerator[Piece | Generated, None]:
        async with self._turn, contextlib.aclosing(self._ask(request)) as events:
            async for event in events:
                if event["event"] == "piece":
                    yield Piece(event["text"], event["margin"], event["at"])
                else:
                    yield _generated(event)

    async def _ask(self, request: JSONObject) -> AsyncGenerator[Any, None]:
        """Send a request and yield its events, the last included; cancel when left early."""
        process = await self._process()
        name = str(next(self._ids))
        process.send({**request, "id": name})
        over = False
        try:
            while not over:
                event = await _next_event(process, name)
                over = event["event"] != "piece"
                _raise_failure(event)
                yield event
        finally:
            if not over:
                await self._cancel(process, name)

    async def _cancel(self, process: ModelProcess, name: str) -> None:
        """Stop the request; a process that does not obey is ended."""
        process.send({"op": "cancel", "id": name})
        try:
            async with asyncio.timeout(_CANCEL_GRACE):
                while (await _next_event(process, name))["event"] == "piece":
                    pass
        except (TimeoutError, ModelError):
            await process.kill()

    async def _process(self) -> ModelProcess:
        """Return the process with the model loaded; a caller that goes away stops no loading."""
        process = self._loaded()
        if process is not None and process.alive:
            return process
        if self._loading is None or self._loading.done():
            self._loading = asyncio.create_task(self._load())
        return await asyncio.shield(self._loading)

    def _loaded(self) -> ModelProcess | None:
        task = self._loading
        if task is None or not task.done() or task.cancelled() or task.exception():
            return None
        return task.result()

    async def _load(self) -> ModelProcess:
        process = await ModelProcess.start()
        try:
            process.send({"op": "load", "model": str(self._model.resolve()), **self._settings})
            await self._wait_until_loaded(process)
        except BaseException:
            await process.kill()
            raise
        return process

    async def _wait_until_loaded(self, process: ModelProcess) -> None:
        while True:
            event = cast(Any, await process.receive())
            if event["event"] == "loaded":
                return
            if event["event"] == "failed":
                raise ModelError(f"The model could not be loaded: {event['message']}.")
            if self._on_progress is not None:
                self._on_progress(event["fraction"])


async def _next_event(process: ModelProcess, name: str) -> Any:  # noqa: ANN401 - our own child's
    """Return the next event of the request `name`; what is left of others is dropped."""
    while True:
        event = await process.receive()
        if event.get("id") == name:
            return event


def _raise_failure(event: Any) -> None:  # noqa: ANN401 - our own child's JSON
    if event["event"] == "overflow":
        raise ContextOverflow(
            f"The prompt has {event['prompt_tokens']} tokens, more than this model takes.",
            hint="Ask about less at a time.",
        )
    if event["event"] == "error":
        raise ModelError(f"The local model failed: {event['message']}.")


def _generated(event: Any) -> Generated:  # noqa: ANN401 - our own child's JSON
    reason: Literal["stop", "length"] = "stop" if event["reason"] == "stop" else "length"
    return Generated(reason, event["prompt_tokens"], event["cached_tokens"], event["output_tokens"])


def _plain(turns: Sequence[Turn]) -> list[list[str]]:
    return [[turn.role, turn.text] for turn in turns]


def _plain_grammar(grammar: CallGrammar | None) -> JSON:
    if grammar is None:
        return None
    tools = [[tool.name, tool.parameters] for tool in grammar.tools]
    return {"tools": tools, "required": grammar.required}
