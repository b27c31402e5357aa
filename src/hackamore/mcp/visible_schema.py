"""A schema as a model may read it: without anything in it that cannot be seen. Pure.

Titles and descriptions lose what cannot be seen. Names of parameters and values must reach the
server as they are, so one that hides something is not offered at all.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias, cast

from hackamore.mcp.visible import hides_something, name_hides_something, visible

Schema: TypeAlias = dict[str, Any]

_WORDS: Final = frozenset({"title", "description"})
_DEEPEST: Final = 100


def visible_schema(schema: Mapping[str, Any]) -> tuple[Schema, bool]:
    """Return `schema` without what cannot be seen, and whether there was any such thing."""
    cleaner = _Cleaner()
    return cleaner.cleaned(schema, 0), cleaner.found


class _Cleaner:
    """Copies one schema.

    Attributes:
        found: Whether something was taken out that cannot be seen.
    """

    def __init__(self) -> None:
        self.found = False

    def cleaned(self, schema: Mapping[str, Any], depth: int) -> Schema:
        cleaned: Schema = {}
        for name, value in schema.items():
            if name in _WORDS and isinstance(value, str):
                self.found = self.found or hides_something(value)
                cleaned[name] = visible(value)
            elif not self._hides(name) and not self._hides(value):
                cleaned[name] = self._value(value, depth)
                if name == "enum" and value and not cleaned[name]:
                    del cleaned[name]
        return cleaned

    def _value(self, value: object, depth: int) -> object:
        if depth > _DEEPEST:
            return True
        if isinstance(value, dict):
            return self.cleaned(cast(Schema, value), depth + 1)
        return (
            list(self._items(cast("list[object]", value), depth))
            if isinstance(value, list)
            else value
        )

    def _items(self, values: list[object], depth: int) -> Iterator[object]:
        for value in values:
            if not self._hides(value):
                yield self._value(value, depth + 1)

    def _hides(self, value: object) -> bool:
        hides = isinstance(value, str) and name_hides_something(value)
        self.found = self.found or hides
        return hides
