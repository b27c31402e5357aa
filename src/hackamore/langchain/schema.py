"""What a model is shown of a tool's parameters: a JSON Schema that the strictest provider takes.

Providers refuse whole requests for a ``$ref``, a combinator at the root, or a missing
``properties``. So references are written out, choices at the root become one list of parameters,
and what cannot be told simply is left open. Calls are checked by the server's own schema.
"""

from collections.abc import Callable, Iterator, Sized
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import unquote

from hackamore.core.json import JSON, JSONObject
from hackamore.langchain.schema_enums import with_text_enums
from hackamore.langchain.schema_merge import both, either, with_choices
from hackamore.langchain.schema_values import (
    View,
    fits,
    is_array,
    is_object,
    is_pattern,
    required_names,
    sound_keywords,
    with_type,
)

_REFERENCES_DEEP: Final = (8, 4, 2, 1)
"""How many references may stand inside each other; the first that fits in the size is taken."""
_LARGEST: Final = 100_000
_DEEPEST: Final = 20
_SAME_REFERENCE: Final = 2
_NODE: Final = 16
_OF_OBJECTS: Final = (
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
)


def provider_view(schema: JSONObject) -> dict[str, object]:
    """Return `schema` as a model is shown it: an object with ``properties``, self-contained.

    There is no ``$schema``, no ``$ref``, and no combinator at the root. Recursion is cut after a
    few rounds, and earlier when the view would grow beyond about 100,000 characters. References
    to other documents are never fetched. `schema` is left as it is.
    """
    for deep in _REFERENCES_DEEP:
        try:
            return _Viewer(schema, deep, _Room(_LARGEST)).root()
        except _TooLarge:
            continue
    return _Viewer(schema, 0, _Room(None)).root()


class _TooLarge(Exception):
    """The view does not fit in its room."""


@dataclass(slots=True)
class _Room:
    """The characters that a view may still take; None is without limit."""

    left: int | None

    def take(self, characters: int) -> None:
        if self.left is None:
            return
        self.left -= characters
        if self.left < 0:
            raise _TooLarge


@dataclass(frozen=True, slots=True)
class _Viewer:
    """Views the parts of one schema.

    Attributes:
        document: What references point into.
        deep: How many references may stand inside each other.
        room: Shared by all parts.
        followed: The references that this part stands inside of.
        depth: How many schemas this part stands inside of.
    """

    document: JSONObject
    deep: int
    room: _Room
    followed: tuple[str, ...] = field(default=())
    depth: int = 0

    def root(self) -> View:
        view = self.view(self.document) or {}
        view = with_choices(view, view.pop("anyOf", []), ())
        kept = {name: view[name] for name in _OF_OBJECTS if name in view}
        return with_text_enums(_complete({"type": "object", "properties": {}, **kept}))

    def view(self, schema: JSON) -> View | None:
        """Return a view of `schema`; None when nothing fits it."""
        if schema is False:
            return None
        if not is_object(schema):
            return {}
        if self.depth > _DEEPEST:
            return _outline(schema)
        self.room.take(_NODE + len(schema) + sum(map(_length, schema.values())))
        view = sound_keywords(schema)
        self.room.take(sum(map(len, map(repr, view.values()))))
        view = self._with_parts(view, schema)
        for part in self._conjuncts(schema):
            view = both(part, view)
        return _complete(self._with_choices(view, schema))

    def _with_parts(self, view: View, schema: JSONObject) -> View:
        view |= self._named("properties", schema, lambda name: name != "$ref")
        names = required_names(schema)
        view |= {"required": names} if names else {}
        view |= self._named("patternProperties", schema, is_pattern)
        for name in ("additionalProperties", "propertyNames"):
            if name in schema:
                view |= self._inner(name, schema[name])
        if _means_array(view) or "items" in schema or "prefixItems" in schema:
            view["items"] = self._items(schema)
        return view

    def _named(self, keyword: str, schema: JSONObject, is_name: Callable[[str], bool]) -> View:
        """Return the schemas under `keyword` by name; {} when there are none."""
        found = schema.get(keyword)
        if not is_object(found):
            return {}
        views: View = {}
        deeper = self._deeper()
        for name, inner in found.items():
            if _is_text(name) and is_name(name):
                self.room.take(len(name))
                view = deeper.view(inner)
                views |= {} if view is None else {name: view}
        return {keyword: views}

    def _inner(self, keyword: str, schema: JSON) -> View:
        if isinstance(schema, bool):
            return {keyword: schema}
        return {keyword: self._deeper().view(schema)} if is_object(schema) else {}

    def _items(self, schema: JSONObject) -> View:
        """Return one view for all items: not every provider knows items by position."""
        items = schema.get("items")
        placed = items if is_array(items) else schema.get("prefixItems", ())
        rest = schema.get("additionalItems") if placed is items else items
        schemas: list[JSON] = list(placed) if is_array(placed) else []
        if is_object(rest):
            schemas.append(rest)
        views = map(self._deeper().view, schemas)
        return either([view for view in views if view is not None])

    def _conjuncts(self, schema: JSONObject) -> Iterator[View]:
        """Yield what must hold besides: a reference's target and the parts of ``allOf``."""
        reference = schema.get("$ref")
        if isinstance(reference, str):
            yield self._referenced(reference)
        parts = schema.get("allOf")
        if is_array(parts):
            for part in parts:
                yield self._deeper().view(part) or {}

    def _referenced(self, reference: str) -> View:
        target = _target(self.document, reference)
        if not is_object(target):
            return {}
        if len(self.followed) >= self.deep or self.followed.count(reference) >= _SAME_REFERENCE:
            return _outline(target)
        inside = replace(self, followed=(*self.followed, reference), depth=self.depth + 1)
        return inside.view(target) or {}

    def _with_choices(self, view: View, schema: JSONObject) -> View:
        choices = self._choices(schema)
        sometimes = list(_conditional(schema))
        possible = [one for one in map(self._deeper().view, sometimes) if one] if sometimes else []
        if view.get("type") == "object" or "properties" in view:
            return with_choices(view, choices, possible)
        if len(choices) == 1:
            return both(choices[0], view)
        return {**view, "anyOf": choices} if choices else view

    def _choices(self, schema: JSONObject) -> list[View]:
        for keyword in ("anyOf", "oneOf"):
            found = schema.get(keyword)
            if is_array(found):
                views = map(self._deeper().view, found)
                return [view for view in views if view is not None]
        return []

    def _deeper(self) -> "_Viewer":
        return _Viewer(self.document, self.deep, self.room, self.followed, self.depth + 1)


def _complete(view: View) -> View:
    """Say what `view` means without saying it, and take back a default that cannot be."""
    view = with_type(view)
    if "default" in view and not fits(view["default"], view):
        del view["default"]
    if "properties" in view:
        missing = [name for name in view.get("required", []) if name not in view["properties"]]
        view["properties"] = {**view["properties"], **{name: {} for name in missing}}
    return view


def _means_array(view: View) -> bool:
    kinds = view.get("type", "")
    return kinds == "array" or (is_array(kinds) and "array" in kinds)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _length(value: JSON) -> int:
    return len(value) if isinstance(value, Sized) else 0


def _outline(schema: JSONObject) -> View:
    """Return the little that is said where the view is cut."""
    view = sound_keywords(schema)
    outline = {name: view[name] for name in ("type", "description") if name in view}
    return {**outline, "items": {}} if _means_array(outline) else outline


def _conditional(schema: JSONObject) -> Iterator[JSON]:
    """Yield the schemas that hold only sometimes."""
    for keyword in ("then", "else"):
        if keyword in schema:
            yield schema[keyword]
    dependent = schema.get("dependentSchemas")
    if is_object(dependent):
        yield from dependent.values()


def _target(document: JSONObject, reference: str) -> JSON:
    """Return what a JSON pointer within the document points at; None when nothing."""
    if reference != "#" and not reference.startswith("#/"):
        return None
    found: JSON = document
    for step in reference.split("/")[1:]:
        key = unquote(step).replace("~1", "/").replace("~0", "~")
        if is_object(found):
            found = found.get(key)
        elif is_array(found) and key in map(str, range(len(found))):
            found = found[int(key)]
        else:
            return None
    return found
