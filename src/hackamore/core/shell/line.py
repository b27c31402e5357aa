"""What a command line consists of, once it is read."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    """One word as the program would get it.

    Attributes:
        text: The word without its quotes.
        known: bash passes exactly `text`; False when file names would take its place.
        plain: It was written without quotes and backslashes.
    """

    text: str
    known: bool = True
    plain: bool = True


@dataclass(frozen=True, slots=True)
class Redirection:
    """A ``2>&1`` or ``> file``: `operator` without the number in front, and where it leads."""

    operator: str
    target: Word


@dataclass(frozen=True, slots=True)
class SimpleCommand:
    """A program with its arguments.

    Attributes:
        words: The program and its arguments.
        assignments: The ``NAME=value`` in front of it.
        redirections: Where its input and output lead.
    """

    words: tuple[Word, ...] = ()
    assignments: tuple[str, ...] = ()
    redirections: tuple[Redirection, ...] = ()


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """Why a line may do more than was read of it, in words for people."""

    reason: str


@dataclass(frozen=True, slots=True)
class CommandLine:
    """Simple commands that run one after the other or side by side.

    Attributes:
        commands: What was read; all of the line only when `unclear` is None.
        unclear: The first thing that was not understood.
    """

    commands: tuple[SimpleCommand, ...]
    unclear: NotUnderstood | None = None
