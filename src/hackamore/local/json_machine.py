"""Which bytes may come next in a JSON value of a known shape. Pure; knows no tokens and no model.

A state is a stack of parts still to come, first one first. A byte either leads to another state or
to none. Parts are small: fixed text, the inside of a string, a number; all others only say what
they may be made of (`ways`), and the machine follows all ways at once until one is left.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Final, Protocol, TypeAlias

_DIGITS: Final = frozenset(b"0123456789")
_LONGEST_NUMBER: Final = 15
_SPACE, _DELETE = 0x20, 0x7F
_FIRST_OF_TWO, _FIRST_OF_THREE, _FIRST_OF_FOUR, _LAST_OF_FOUR = 0xC2, 0xE0, 0xF0, 0xF4


class Part(Protocol):
    """Something that is still to come."""

    @property
    def may_end(self) -> bool:
        """Whether it can be left as it is, so that what follows begins."""
        ...

    def step(self, byte: int) -> "State | None":
        """Return what is still to come of it after `byte`, or None when that cannot come."""
        ...


State: TypeAlias = tuple[Part, ...]


def step(state: State, byte: int) -> State | None:
    """Return the state after one byte, or None when it may not come."""
    for position, part in enumerate(state):
        rest = part.step(byte)
        if rest is not None:
            return (*rest, *state[position + 1 :])
        if not part.may_end:
            return None
    return None


def steps(state: State, data: bytes) -> State | None:
    """Return the state after all of `data`, or None."""
    found: State | None = state
    for byte in data:
        if found is None:
            return None
        found = step(found, byte)
    return found


def may_end(state: State) -> bool:
    """Whether nothing more has to come."""
    return all(part.may_end for part in state)


def forced(state: State) -> bytes:
    """Return the bytes that come next whatever is chosen; empty when there is a choice."""
    text = b""
    for position, part in enumerate(state):
        if isinstance(part, Fixed):
            text += part.text
            continue
        ways = part.ways() if isinstance(part, Ways) else ()
        return text + (forced((*ways[0], *state[position + 1 :])) if len(ways) == 1 else b"")
    return text


@dataclass(frozen=True, slots=True)
class Fixed:
    """Text that comes exactly so; never empty."""

    text: bytes
    may_end: bool = False

    def step(self, byte: int) -> State | None:
        """See `Part.step`."""
        if byte != self.text[0]:
            return None
        return (Fixed(self.text[1:]),) if len(self.text) > 1 else ()


class Ways(ABC):
    """A part that only says what it may be made of: one of several states."""

    may_end = False

    @abstractmethod
    def ways(self) -> tuple[State, ...]:
        """Return the states."""

    def step(self, byte: int) -> State | None:
        """Follow all ways that fit the byte; see `Part.step`."""
        found = tuple(after for state in self.ways() if (after := step(state, byte)) is not None)
        if len(found) > 1 and any(found):
            return (Either(found),)
        return found[0] if found else None


@dataclass(frozen=True)
class Either(Ways):
    """One of the given states."""

    states: tuple[State, ...]

    @property
    def may_end(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride] - read only
        """Whether one of them can end."""
        return any(may_end(state) for state in self.states)

    def ways(self) -> tuple[State, ...]:
        """See `Ways.ways`."""
        return self.states


@dataclass(frozen=True, slots=True)
class OneOf:
    """One byte out of some."""

    bytes: frozenset[int]
    may_end: bool = False

    def step(self, byte: int) -> State | None:
        """See `Part.step`."""
        return () if byte in self.bytes else None


@dataclass(frozen=True, slots=True)
class Characters:
    """The inside of a string with its closing quote: valid UTF-8, escapes as JSON has them.

    Attributes:
        least: Characters that must come.
        most: Characters that may come; None for any number.
    """

    least: int = 0
    most: int | None = None
    may_end: bool = False

    def step(self, byte: int) -> State | None:
        """See `Part.step`."""
        if byte == ord('"'):
            return () if self.least <= 0 else None
        needs = _needs(byte)
        if needs is None or self.most == 0:
            return None
        most = None if self.most is None else self.most - 1
        return (*needs, Characters(self.least - 1, most))


_HEX: Final = OneOf(frozenset(b"0123456789abcdefABCDEF"))
_NO_SURROGATE: Final = Either(
    (
        (OneOf(_HEX.bytes - frozenset(b"dD")), _HEX, _HEX, _HEX),
        (OneOf(frozenset(b"dD")), OneOf(frozenset(b"01234567")), _HEX, _HEX),
    )
)
_ESCAPE: Final = Either(((OneOf(frozenset(b'"\\/bfnrt')),), (Fixed(b"u"), _NO_SURROGATE)))
_LATER_BYTE: Final = OneOf(frozenset(range(0x80, 0xC0)))
_SECOND_BYTES: Final = {
    0xE0: OneOf(frozenset(range(0xA0, 0xC0))),
    0xED: OneOf(frozenset(range(0x80, 0xA0))),
    0xF0: OneOf(frozenset(range(0x90, 0xC0))),
    0xF4: OneOf(frozenset(range(0x80, 0x90))),
}


def _needs(byte: int) -> State | None:
    """Return what must follow the first byte of a character; None when it is no first byte."""
    if byte == ord("\\"):
        return (_ESCAPE,)
    if _SPACE <= byte < _DELETE:
        return ()
    if not _FIRST_OF_TWO <= byte <= _LAST_OF_FOUR:
        return None
    later = (byte >= _FIRST_OF_THREE) + (byte >= _FIRST_OF_FOUR)
    return (_SECOND_BYTES.get(byte, _LATER_BYTE), *[_LATER_BYTE] * later)


@dataclass(frozen=True, slots=True)
class Number:
    """A number of at most fifteen digits, without an exponent.

    Attributes:
        whole: It is an integer.
        signed: It may be negative.
        written: What stands there so far.
    """

    whole: bool
    signed: bool = True
    written: bytes = b""

    @property
    def may_end(self) -> bool:
        """Whether it is a number already."""
        return self.written[-1:].isdigit()

    def step(self, byte: int) -> State | None:
        """See `Part.step`."""
        if not self._fits(byte):
            return None
        return (replace(self, written=self.written + bytes([byte])),)

    def _fits(self, byte: int) -> bool:
        if byte == ord("-"):
            return self.signed and not self.written
        digits = self.written.lstrip(b"-")
        if byte == ord("."):
            fresh = self.may_end and b"." not in digits
            return fresh and not self.whole and len(digits) < _LONGEST_NUMBER - 1
        return byte in _DIGITS and digits != b"0" and len(digits) < _LONGEST_NUMBER
