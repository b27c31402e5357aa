"""A tiny model with random weights for these tests: a real GGUF file of half a megabyte.

Two layers of the qwen2 architecture, a vocabulary of the 256 bytes and the chat markers. It says
nonsense, but by the same code and at every length, so the runtime can be tested anywhere.
"""

import random
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

_EMBEDDING, _LAYERS, _HEADS, _FEED, _CONTEXT = 64, 2, 4, 128, 4096
_ALIGNMENT = 32
_STRING, _UINT32, _FLOAT32, _INT32, _ARRAY = 8, 4, 6, 5, 9
_NORMAL, _CONTROL = 1, 3
_MARKERS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "tiny.gguf"
    write_tiny_model(path)
    return path


def write_tiny_model(path: Path, seed: int = 7) -> None:
    """Write the model; the same seed gives the same bytes."""
    tensors = _tensors(random.Random(seed))  # noqa: S311 - weights, not secrets
    metadata = _metadata()
    with path.open("wb") as file:
        file.write(b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(metadata)))
        for key, kind, value in metadata:
            file.write(_text(key) + struct.pack("<I", kind) + _value(kind, value))
        offset = 0
        for name, shape, data in tensors:
            file.write(_text(name) + struct.pack("<I", len(shape)))
            file.write(struct.pack(f"<{len(shape)}Q", *shape) + struct.pack("<IQ", 0, offset))
            offset += len(data) + -len(data) % _ALIGNMENT
        file.write(b"\0" * (-file.tell() % _ALIGNMENT))
        for _name, _shape, data in tensors:
            file.write(data + b"\0" * (-len(data) % _ALIGNMENT))


def _byte_letters() -> list[str]:
    """Return the letter that stands for each byte in byte-level vocabularies."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    letters = {byte: chr(byte) for byte in plain}
    letters |= {byte: chr(256 + index) for index, byte in enumerate(others)}
    return [letters[byte] for byte in range(256)]


def _metadata() -> list[tuple[str, int, Any]]:
    letters = _byte_letters()
    tokens = [*letters, letters[ord("a")] + letters[ord("b")], *_MARKERS]
    kinds = [_NORMAL] * 257 + [_CONTROL] * len(_MARKERS)
    merge = f"{letters[ord('a')]} {letters[ord('b')]}"
    return [
        ("general.architecture", _STRING, "qwen2"),
        ("general.name", _STRING, "tiny"),
        ("qwen2.block_count", _UINT32, _LAYERS),
        ("qwen2.context_length", _UINT32, _CONTEXT),
        ("qwen2.embedding_length", _UINT32, _EMBEDDING),
        ("qwen2.feed_forward_length", _UINT32, _FEED),
        ("qwen2.attention.head_count", _UINT32, _HEADS),
        ("qwen2.attention.head_count_kv", _UINT32, _HEADS),
        ("qwen2.attention.layer_norm_rms_epsilon", _FLOAT32, 1e-6),
        ("qwen2.rope.freq_base", _FLOAT32, 10000.0),
        ("tokenizer.ggml.model", _STRING, "gpt2"),
        ("tokenizer.ggml.pre", _STRING, "qwen2"),
        ("tokenizer.ggml.tokens", _ARRAY, (_STRING, tokens)),
        ("tokenizer.ggml.token_type", _ARRAY, (_INT32, kinds)),
        ("tokenizer.ggml.merges", _ARRAY, (_STRING, [merge])),
        ("tokenizer.ggml.bos_token_id", _UINT32, 257),
        ("tokenizer.ggml.eos_token_id", _UINT32, 259),
    ]


def _tensors(chance: random.Random) -> list[tuple[str, tuple[int, ...], bytes]]:
    words = 257 + len(_MARKERS)
    shapes: dict[str, tuple[int, ...]] = {
        "token_embd.weight": (_EMBEDDING, words),
        "output_norm.weight": (_EMBEDDING,),
        "output.weight": (_EMBEDDING, words),
    }
    for layer in range(_LAYERS):
        block = f"blk.{layer}"
        for part in ("q", "k", "v"):
            shapes[f"{block}.attn_{part}.weight"] = (_EMBEDDING, _EMBEDDING)
            shapes[f"{block}.attn_{part}.bias"] = (_EMBEDDING,)
        shapes[f"{block}.attn_output.weight"] = (_EMBEDDING, _EMBEDDING)
        shapes[f"{block}.attn_norm.weight"] = (_EMBEDDING,)
        shapes[f"{block}.ffn_norm.weight"] = (_EMBEDDING,)
        shapes[f"{block}.ffn_gate.weight"] = (_EMBEDDING, _FEED)
        shapes[f"{block}.ffn_up.weight"] = (_EMBEDDING, _FEED)
        shapes[f"{block}.ffn_down.weight"] = (_FEED, _EMBEDDING)
    return [(name, shape, _weights(name, shape, chance)) for name, shape in shapes.items()]


def _weights(name: str, shape: Sequence[int], chance: random.Random) -> bytes:
    count = shape[0] * (shape[1] if len(shape) > 1 else 1)
    if "norm" in name:
        return struct.pack(f"<{count}f", *[1.0] * count)
    spread = 1.0 if name == "token_embd.weight" else 0.2
    weights = [chance.gauss(0, spread) for _ in range(count)]
    if name == "output.weight":  # Markers are never the likeliest: no answer ends by itself.
        weights[-len(_MARKERS) * _EMBEDDING :] = [0.0] * (len(_MARKERS) * _EMBEDDING)
    return struct.pack(f"<{count}f", *weights)


def _text(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def _value(kind: int, value: Any) -> bytes:
    if kind == _STRING:
        return _text(value)
    if kind == _ARRAY:
        inner, items = value
        packed = b"".join(_value(inner, item) for item in items)
        return struct.pack("<IQ", inner, len(items)) + packed
    return struct.pack({_UINT32: "<I", _INT32: "<i", _FLOAT32: "<f"}[kind], value)
