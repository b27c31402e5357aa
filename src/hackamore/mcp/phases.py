"""How long the parts of opening a connection took."""

import time
from dataclasses import dataclass, field


@dataclass(slots=True)
class Phases:
    """Seconds of each part, noted while a connection is opened.

    Attributes:
        start: Until the process ran; None where none is started.
        handshake: Until it was clear what is spoken; a process loads itself in this time too.
        listing: Until its tools were listed.
    """

    start: float | None = None
    handshake: float = 0.0
    listing: float = 0.0
    _since: float = field(default_factory=time.monotonic, repr=False)

    def started(self) -> None:
        """Note that the process runs."""
        self.start = self._lap()

    def shook_hands(self) -> None:
        """Note that the protocol's revision is agreed upon."""
        self.handshake = self._lap()

    def listed(self) -> None:
        """Note that the tools are known."""
        self.listing = self._lap()

    def _lap(self) -> float:
        before, self._since = self._since, time.monotonic()
        return self._since - before
