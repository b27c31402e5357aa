"""The formats by name."""

from collections.abc import Mapping
from typing import Final

from hackamore.core.errors import UsageError
from hackamore.core.format import Format
from hackamore.formats.auto import AutoFormat
from hackamore.formats.hermes import HermesFormat
from hackamore.formats.native import NativeFormat
from hackamore.formats.react import ReactFormat
from hackamore.formats.xml import XmlFormat
from hackamore.formats.xml_prompt import McpStyle

FORMATS: Final[Mapping[str, Format]] = {
    "auto": AutoFormat(),
    "native": NativeFormat(),
    "xml": XmlFormat(),
    "react": ReactFormat(),
    "hermes": HermesFormat(),
}


def get_format(name: str, xml_mcp: McpStyle = "wrapped") -> Format:
    """Return the format called `name`; `xml_mcp` is how XML calls the tools of MCP servers.

    Raises:
        UsageError: There is none of that name.
    """
    found = FORMATS.get(name)
    if found is None:
        raise UsageError(
            f"There is no tool-call format {name!r}.", hint=f"Choose one of: {', '.join(FORMATS)}."
        )
    return XmlFormat(xml_mcp) if name == "xml" else found
