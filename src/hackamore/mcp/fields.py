"""The keys of one server's entry, read by kind. What is wrong is noted, never raised.

Pure.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final, TypeVar, cast

from hackamore.mcp.expansion import Expanded, ExpansionError, Surroundings

_LONGEST_WAIT: Final = 86_400
_LONGEST_NUMBER: Final = 10**15
_UNUSABLE: Final = re.compile("[\x00\ud800-\udfff]")

S = TypeVar("S", bound=float | None)
"""A number of seconds, or none."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something to tell about a key."""

    key: str
    message: str
    warning: bool = False


@dataclass(frozen=True, slots=True)
class Fields:
    """One entry's keys. A key that is null counts as not given.

    Attributes:
        raw: The entry as it was written; never changed.
        surroundings: Fills in placeholders.
        notes: What is wrong so far.
        within: Stands before the keys that are told: where in the entry these are.
    """

    raw: Mapping[str, object]
    surroundings: Surroundings
    notes: list[Note] = field(default_factory=list[Note])
    within: str = ""

    def wrong(self, key: str, message: str) -> None:
        """Note that the entry cannot be used."""
        self.notes.append(Note(f"{self.within}{key}", message))

    def odd(self, key: str, message: str) -> None:
        """Note something that does no harm."""
        self.notes.append(Note(f"{self.within}{key}", message, warning=True))

    def given(self, key: str) -> bool:
        """Tell whether a key is there and not null."""
        return self.raw.get(key) is not None

    def plain(self, key: str) -> str | None:
        """Read a text without placeholders."""
        value = self.raw.get(key)
        if value is not None and not isinstance(value, str):
            self.wrong(key, f"must be a text, not {_kind(value)}")
            return None
        return value

    def text(self, key: str) -> Expanded | None:
        """Read a text and fill in its placeholders."""
        value = self.plain(key)
        return None if value is None else self._expand(key, value)

    def texts(self, key: str) -> tuple[Expanded, ...]:
        """Read a list of texts and fill in their placeholders."""
        found = (self._expand(key, value) for value in self.names(key))
        return tuple(one for one in found if one is not None)

    def names(self, key: str) -> tuple[str, ...]:
        """Read a list of texts without placeholders."""
        return self.list_of(key, self.raw.get(key))

    def list_of(self, key: str, value: object) -> tuple[str, ...]:
        """Read a list of texts that stands at `key`, however deep."""
        if value is None:
            return ()
        items = _items(value)
        if items is None:
            self.wrong(key, f"must be a list of texts, not {_kind(value)}")
            return ()
        if not all(isinstance(item, str) for item in items):
            self.wrong(key, "must hold nothing but texts, in quotes")
            return ()
        return tuple(cast(Sequence[str], items))

    def table(self, key: str) -> dict[str, Expanded]:
        """Read texts by name; numbers count as texts, null as not given."""
        value = self.raw.get(key)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            self.wrong(key, f"must be an object of texts, not {_kind(value)}")
            return {}
        found: dict[str, Expanded] = {}
        for name, one in cast(Mapping[object, object], value).items():
            expanded = None if one is None else self._entry(key, name, one)
            if isinstance(name, str) and expanded is not None:
                found[name] = expanded
        return found

    def inner(self, key: str) -> "Fields":
        """Return the keys of an object within the entry; what is wrong there is noted here."""
        table: Mapping[str, object] = {}
        value = self.raw.get(key)
        if isinstance(value, Mapping):
            table = cast(Mapping[str, object], value)
        elif value is not None:
            self.wrong(key, f"must be an object, not {_kind(value)}")
        return Fields(table, self.surroundings, self.notes, f"{self.within}{key}.")

    def yes(self, key: str) -> bool | None:
        """Read true or false."""
        value = self.raw.get(key)
        if value is not None and not isinstance(value, bool):
            self.wrong(key, f"must be true or false, not {_kind(value)}")
            return None
        return value

    def seconds(self, key: str, default: S, *, zero: bool = False) -> float | S:
        """Read a number of seconds."""
        value = self.raw.get(key)
        if value is None:
            return default
        if isinstance(value, timedelta):
            value = value.total_seconds()
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.wrong(key, f"must be a number of seconds, not {_kind(value)}")
        elif not (value > 0 or (zero and value == 0)):
            least = "0 or more" if zero else "above 0"
            self.wrong(key, f"must be a number of seconds {least}")
        elif value > _LONGEST_WAIT:
            self.wrong(key, "is more than a day; the unit is seconds, not milliseconds")
        else:
            return float(value)
        return default

    def _entry(self, key: str, name: object, value: object) -> Expanded | None:
        """Read one value of a table."""
        if not isinstance(name, str) or not name or _UNUSABLE.search(name):
            self.wrong(key, f"has a name that cannot be used: {name!r}")
            return None
        if isinstance(value, int | float) and not isinstance(value, bool) and _short(value):
            value = str(value)
        if not isinstance(value, str):
            self.wrong(f"{key}.{name}", f"must be a text, not {_kind(value)}")
            return None
        return self._expand(f"{key}.{name}", value)

    def _expand(self, key: str, text: str) -> Expanded | None:
        try:
            expanded = self.surroundings.expand(text)
        except ExpansionError as error:
            self.wrong(key, str(error))
            return None
        if _UNUSABLE.search(expanded.value):
            self.wrong(key, "holds a character that cannot be passed on")
            return None
        return expanded


def _items(value: object) -> Sequence[object] | None:
    fits = isinstance(value, Sequence) and not isinstance(value, str | bytes)
    return cast(Sequence[object], value) if fits else None


def _short(number: float) -> bool:
    """Whether a number is one that somebody would write out."""
    return abs(number) < _LONGEST_NUMBER


def _kind(value: object) -> str:
    """Name what a value is, in JSON's words and without showing it: it may be a secret."""
    match value:
        case bool():
            return "true or false"
        case str():
            return "a text"
        case int() | float():
            return "a number"
        case Mapping():
            return "an object"
        case Sequence():
            return "a list"
        case _:
            return f"a {type(value).__name__}"
