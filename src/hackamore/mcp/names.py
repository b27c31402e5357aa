"""Names for models: valid everywhere, distinct, and the same whatever other servers there are.

Model APIs take ``^[a-zA-Z0-9_-]{1,64}$``. A name that fits stays as it is; one that does not gets
the hash of what it stands for, so that it neither depends on its neighbours nor meets them.
"""

import hashlib
import re
from typing import Final

LONGEST: Final = 64
_JOINT: Final = "__"
_ODD: Final = re.compile(r"[^a-zA-Z0-9_-]+")
_HASH: Final = 8
_MARK: Final = re.compile(rf"_[0-9a-f]{{{_HASH}}}\Z")
"""What only names with a hash end in; a plain one that does gets a hash of its own."""


def public_name(server: str, tool: str) -> str:
    """Return the name of a server's tool among those of many: ``server__tool``."""
    plain = f"{server}{_JOINT}{tool}"
    if _fits(plain) and _parts_again(server, tool):
        return plain
    return _marked(f"{_odd_out(server)}{_JOINT}{_odd_out(tool)}", f"{server}\0{tool}")


def bare_name(tool: str) -> str:
    """Return the name of a tool whose server is the only one."""
    return tool if _fits(tool) else _marked(_odd_out(tool), tool)


def _fits(name: str) -> bool:
    return 0 < len(name) <= LONGEST and not _ODD.search(name) and not _MARK.search(name)


def _parts_again(server: str, tool: str) -> bool:
    """Whether the first joint is where they were joined: no other pair then reads the same."""
    return bool(server) and bool(tool) and _JOINT not in f"{server}_" and not tool.startswith("_")


def _odd_out(text: str) -> str:
    return _ODD.sub("_", text).strip("_") or "x"


def _marked(readable: str, meaning: str) -> str:
    mark = hashlib.sha256(meaning.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH]
    return f"{readable[: LONGEST - _HASH - 1]}_{mark}"
