"""A code fence that holds calls: an example, or a request, which only its end tells."""

from dataclasses import dataclass, field

from hackamore.core.tools import ToolSpec
from hackamore.formats.xml_call import RawCall


@dataclass(frozen=True, slots=True)
class HeldCall:
    """A call inside the fence."""

    raw: RawCall
    spec: ToolSpec
    call_id: str


@dataclass(slots=True)
class Held:
    """All that was read since the fence began."""

    pieces: list[str] = field(default_factory=list[str])
    calls: list[HeldCall] = field(default_factory=list[HeldCall])

    def add(self, text: str) -> None:
        """Keep `text` back."""
        self.pieces.append(text)

    @property
    def text(self) -> str:
        """The fence and all in it, as it was written."""
        return "".join(self.pieces)
