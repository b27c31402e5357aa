"""What a model is told of a call that was not run: the same words in every format."""

from collections.abc import Callable, Iterable

from hackamore.core.json import JSONObject
from hackamore.core.tools import ToolSpec


def missing_values(names: Iterable[str]) -> str:
    """Return a sentence on required parameters that were not given."""
    listed = ", ".join(repr(name) for name in names)
    return f"Missing value for required parameter {listed}."


def right_form(spec: ToolSpec, write: Callable[[str, JSONObject], str]) -> str:
    """Return a sentence that shows how `spec` is called; `write` writes a call."""
    return f"The right form:\n{write(spec.name, example_of(spec))}"


def example_of(spec: ToolSpec) -> JSONObject:
    """Return arguments that show a call of `spec`."""
    return spec.example or dict.fromkeys(spec.required, "…")
