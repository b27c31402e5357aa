"""The C runtime behind `Backend`: the only module that imports `ik_llama_cpp` and numpy.

Runs in the child process. The layer's functions carry no types, hence `Any` here and only here.
"""

import ctypes
import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from hackamore.local.choice import Choice, Stopped

_BATCH: Final = 64
_FEW: Final = 64
_LOG = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)


class LoadError(Exception):
    """The file is no model that this runtime can run."""


class Llama:
    """One model and one context on one sequence. Greedy; at most 64 tokens a step."""

    def __init__(
        self,
        model: Path,
        *,
        context: int,
        threads: int,
        on_progress: Callable[[float], None],
        should_stop: Callable[[], bool],
    ) -> None:
        self._c: Any = importlib.import_module("ik_llama_cpp._ctypes_api")
        self._numpy: Any = importlib.import_module("numpy")
        self._should_stop = should_stop
        self._bind()
        self._model: Any = self._load(model, on_progress)
        self._context: Any = self._open_context(context, threads)
        self._vocabulary = int(
            self._c.llama_vocab_n_tokens(self._c.llama_model_get_vocab(self._model))
        )
        self._batch: Any = self._c.llama_batch_init(_BATCH, 0, 1)

    @property
    def context(self) -> int:
        """Tokens that fit."""
        return int(self._c._lib.llama_n_ctx(self._context))

    def tokenize(self, text: str) -> list[int]:
        """Return the tokens of plain text."""
        return self._tokenize(text, special=False)

    def marker(self, name: str) -> int:
        """Return the one token of a chat marker.

        Raises:
            LoadError: The model has no such marker.
        """
        tokens = self._tokenize(name, special=True)
        if len(tokens) != 1:
            raise LoadError(f"the model has no chat marker {name}")
        return tokens[0]

    def piece(self, token: int) -> bytes:
        """Return the token's bytes; nothing for an end marker."""
        buffer = ctypes.create_string_buffer(256)
        size = self._c.llama_token_to_piece(self._model, token, buffer, len(buffer), 0, True)
        return buffer.raw[: max(size, 0)]

    def is_end(self, token: int) -> bool:
        """Whether the token ends an answer."""
        return bool(self._c.llama_token_is_eog(self._model, token))

    def evaluate(self, tokens: Sequence[int], position: int, wanted: int) -> list[Choice]:
        """Read at most 64 tokens; see `Backend.evaluate`.

        An aborted decode reports success and leaves stale logits, so that only our own flag
        tells; what it read is forgotten again.
        """
        self._fill(tokens, position, wanted)
        status = self._c.llama_decode(self._context, self._batch)
        if self._should_stop():
            self.keep(position)
            raise Stopped
        if status != 0:
            self.keep(position)
            raise LoadError(f"the runtime could not evaluate {len(tokens)} tokens ({status})")
        return [self._choice(index) for index in range(len(tokens) - wanted, len(tokens))]

    def best(self, allows: Callable[[int], bool]) -> int | None:
        """Return the likeliest token that is allowed; see `Backend.best`.

        Mostly one of the first few is, so that the whole vocabulary is seldom put in order.
        """
        pointer = self._c.llama_get_logits_ith(self._context, -1)
        logits = -self._numpy.ctypeslib.as_array(pointer, shape=(self._vocabulary,))
        few = self._numpy.argpartition(logits, min(_FEW, self._vocabulary - 1))[:_FEW]
        for token in few[logits[few].argsort(kind="stable")].tolist():
            if allows(token):
                return int(token)
        every = logits.argsort(kind="stable").tolist()
        return next((int(token) for token in every if allows(token)), None)

    def keep(self, length: int) -> None:
        """Forget all but the first `length` tokens."""
        self._c._lib.llama_kv_cache_seq_rm(self._context, 0, length, -1)

    def _bind(self) -> None:
        """Declare the functions that the layer leaves out, and silence the library's log."""
        library = self._c._lib
        library.llama_kv_cache_seq_rm.argtypes = [
            ctypes.c_void_p,
            ctypes.c_int32,
            ctypes.c_int32,
            ctypes.c_int32,
        ]
        library.llama_kv_cache_seq_rm.restype = ctypes.c_bool
        library.llama_n_ctx.argtypes = [ctypes.c_void_p]
        library.llama_n_ctx.restype = ctypes.c_uint32
        library.llama_log_set.argtypes = [_LOG, ctypes.c_void_p]
        library.llama_log_set.restype = None
        self._log = _LOG(_ignore)
        library.llama_log_set(self._log, None)

    def _load(self, model: Path, on_progress: Callable[[float], None]) -> Any:  # noqa: ANN401 - C
        def progress(fraction: float, _data: object) -> bool:
            on_progress(fraction)
            return not self._should_stop()

        self._c.llama_backend_init()
        parameters = self._c.llama_model_default_params()
        parameters.repack_tensors = True
        parameters.use_mmap = False
        parameters.flash_attn = False
        parameters.n_gpu_layers = 0
        callback = self._c.llama_progress_callback(progress)
        parameters.progress_callback = callback
        found = self._c.llama_model_load_from_file(bytes(model), parameters)
        if not found:
            raise LoadError(f"{model.name} is no model that this runtime can load")
        return found

    def _open_context(self, size: int, threads: int) -> Any:  # noqa: ANN401 - C
        def abort(_data: object) -> bool:
            return self._should_stop()

        self._abort = self._c.ggml_abort_callback(abort)
        parameters = self._c.llama_context_default_params()
        parameters.n_ctx = size
        parameters.n_batch = parameters.n_ubatch = _BATCH
        parameters.n_threads = parameters.n_threads_batch = threads
        parameters.flash_attn = False
        parameters.abort_callback = self._abort
        found = self._c.llama_init_from_model(self._model, parameters)
        if not found:
            raise LoadError(f"there is not enough memory for a context of {size} tokens")
        return found

    def _tokenize(self, text: str, *, special: bool) -> list[int]:
        """Tokenise. The layer calls the first argument a vocabulary; it must be the model."""
        data = text.encode("utf-8", "replace")
        room = len(data) + 8
        buffer = (self._c.llama_token * room)()
        count = self._c.llama_tokenize(self._model, data, len(data), buffer, room, False, special)
        return list(buffer[: max(count, 0)])

    def _fill(self, tokens: Sequence[int], position: int, wanted: int) -> None:
        batch = self._batch
        batch.n_tokens = len(tokens)
        for index, token in enumerate(tokens):
            batch.token[index] = token
            batch.pos[index] = position + index
            batch.n_seq_id[index] = 1
            batch.seq_id[index][0] = 0
            batch.logits[index] = index >= len(tokens) - wanted

    def _choice(self, index: int) -> Choice:
        pointer = self._c.llama_get_logits_ith(self._context, index)
        logits = self._numpy.ctypeslib.as_array(pointer, shape=(self._vocabulary,))
        best = int(logits.argmax())
        highest = float(logits[best])
        logits[best] = -self._numpy.inf
        second = int(logits.argmax())
        margin = highest - float(logits[second])
        logits[best] = highest
        return Choice(best, second, margin)


def _ignore(_level: int, _text: bytes, _data: object) -> None:
    """Take a line of the library's log."""
