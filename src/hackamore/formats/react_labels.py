"""The labels of ReAct's lines, in the spellings that models use."""

from collections.abc import Iterable, Mapping
from enum import Enum, auto
from typing import Final

from hackamore.formats.tags import Tags


class Label(Enum):
    """What a line begins with."""

    THOUGHT = auto()
    ACTION = auto()
    INPUT = auto()
    OBSERVATION = auto()
    ANSWER = auto()


BOLD: Final = "**"
_COLONS: Final = (":", "\uff1a")
_WORDS: Final[Mapping[str, Label]] = {
    "Thought": Label.THOUGHT,
    "Action": Label.ACTION,
    "Action Input": Label.INPUT,
    "Observation": Label.OBSERVATION,
    "FinalAnswer": Label.ANSWER,
    "Final Answer": Label.ANSWER,
    "Final answer": Label.ANSWER,
}


def _spellings(word: str) -> Iterable[str]:
    for colon in _COLONS:
        yield from (f"{word}{colon}", f"{BOLD}{word}{colon}", f"{BOLD}{word}{BOLD}{colon}")


LABELS: Final[Mapping[str, Label]] = {
    text: label for word, label in _WORDS.items() for text in _spellings(word)
}
INPUT_LABELS: Final = Tags(text for text, label in LABELS.items() if label is Label.INPUT)
STOPS: Final = ("\nObservation:", "\nObservation\uff1a", "\n**Observation")


def is_open_bold(text: str) -> bool:
    """Whether the label `text` has bold marks that are closed only after it."""
    return text.count(BOLD) == 1
