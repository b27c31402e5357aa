"""What a faulty server is told, and what it tells about itself in a file."""

import json
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

_WRITING: Final = threading.Lock()


@dataclass(frozen=True)
class Options:
    """The flags of the command line.

    Attributes:
        record: Gets a line of JSON for each thing noticed: ``{"kind": …, "value": …}``.
        once: The fault happens only while this file is missing, and makes it.
        count: How many: tools, notifications a second, bytes, lines; by the fault.
        seconds: How long something takes; by the fault.
        sse: Over HTTP, answer by event streams instead of plain JSON.
    """

    record: Path | None = None
    once: Path | None = None
    count: int = 0
    seconds: float = 0.0
    sse: bool = False

    def note(self, kind: str, value: Any) -> None:
        """Write down what was noticed."""
        if self.record is not None:
            with _WRITING, self.record.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"kind": kind, "value": value}) + "\n")

    def due(self) -> bool:
        """Return whether the fault is to happen now."""
        if self.once is None:
            return True
        try:
            self.once.touch(exist_ok=False)
        except FileExistsError:
            return False
        return True
