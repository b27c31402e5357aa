"""Tells a model of a tool's parameters in words, for formats without schemas."""

from collections.abc import Iterable, Sequence

from hackamore.core.json import JSONObject
from hackamore.core.tools import ToolSpec
from hackamore.formats.schema import allowed_types


def parameter_lines(spec: ToolSpec) -> Iterable[str]:
    """Yield a line on each parameter of `spec`."""
    for name, schema in spec.properties.items():
        kind = kind_of(schema, spec.parameters)
        notes = [note for note in (kind, "" if name in spec.required else "optional") if note]
        about = f" ({', '.join(notes)})" if notes else ""
        description = schema.get("description")
        words = f": {description}" if isinstance(description, str) else ""
        yield f"- {name}{about}{words}"


def kind_of(schema: JSONObject, root: JSONObject) -> str:
    """Return what a value is, where it is not just any text."""
    values = schema.get("enum")
    if isinstance(values, Sequence) and not isinstance(values, str):
        return " | ".join(str(value) for value in values)
    kinds = allowed_types(schema, root) - {"null"}
    return "" if "string" in kinds else " or ".join(sorted(kinds))
