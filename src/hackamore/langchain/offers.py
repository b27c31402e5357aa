"""Tools as LangChain's models take them, in the view that the strictest provider accepts."""

from collections.abc import Iterable
from typing import Any

from hackamore.core.json import JSONObject
from hackamore.core.tools import ToolSpec
from hackamore.langchain.schema import provider_view


class Offers:
    """Makes each tool's view once: they are offered with every request."""

    def __init__(self) -> None:
        self._views: dict[str, tuple[JSONObject, dict[str, object]]] = {}

    def of(self, specs: Iterable[ToolSpec]) -> list[dict[str, Any]]:
        """Return `specs` in OpenAI's form, which LangChain translates for the others."""
        return [
            {
                "type": "function",
                "function": {
                    "name": spec.name,
                    "description": spec.description,
                    "parameters": self._view(spec),
                },
            }
            for spec in specs
        ]

    def _view(self, spec: ToolSpec) -> dict[str, object]:
        known = self._views.get(spec.name)
        if known is None or known[0] is not spec.parameters:
            known = (spec.parameters, provider_view(spec.parameters))
            self._views[spec.name] = known
        return known[1]
