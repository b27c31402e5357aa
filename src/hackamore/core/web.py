"""The port to the web: one page, read for the model. Behind it stands a broker, or a fake."""

from dataclasses import dataclass
from typing import ClassVar, Protocol

from hackamore.core.codes import Code
from hackamore.core.errors import HackamoreError


class FetchError(HackamoreError):
    """A page cannot be had; `code` says why: refused, too slow, or not there."""

    default_code: ClassVar[Code] = Code.NOT_FOUND


@dataclass(frozen=True, slots=True)
class Page:
    """What a server answered.

    Attributes:
        url: Where it was found in the end.
        status: Of HTTP.
        media_type: As the server names it, without parameters; may be empty.
        text: For a model: HTML as Markdown, other text as it is; None when it is no text.
        size: Bytes of the body after decompression, as far as it was read.
        truncated: There was more than was read.
        moved_to: The address at another site that the server points to, which was not fetched.
    """

    url: str
    status: int
    media_type: str
    text: str | None
    size: int
    truncated: bool = False
    moved_to: str | None = None


class Web(Protocol):
    """Where pages come from. Cancelling `fetch` closes its connection."""

    async def fetch(self, url: str, *, max_bytes: int = 2 * 1024 * 1024) -> Page:
        """Read one page with GET, without cookies and credentials.

        Raises:
            FetchError: The address is wrong or refused, or nothing came in time.
        """
        ...
