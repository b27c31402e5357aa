"""``autoApprove``: tools of servers that need no asking, as long as they say what they said."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from hackamore.core.approval import ApprovalRequest
from hackamore.mcp.entry import ServerEntry
from hackamore.mcp.private_file import write_private


class AutoApproval:
    """Remembers the description of each tool that it let pass; a changed one is asked about.

    Args:
        path: Where the descriptions' hashes are kept.
        workspace: Where the servers are used; what was let pass elsewhere does not count here.
        entries: Whose ``autoApprove`` counts.
    """

    def __init__(self, path: Path, workspace: Path, entries: Iterable[ServerEntry]) -> None:
        self._path = path
        self._workspace = str(workspace)
        self._tools = {entry.name: entry.auto_approve for entry in entries}

    def covers(self, request: ApprovalRequest) -> bool:
        """Return whether the person need not be asked."""
        key, digest = self._key(request), _digest(request)
        if not self._names(request):
            return False
        known = self._read()
        if key not in known:
            return self._keep(known, key, digest)
        return known[key] == digest

    def allowed(self, request: ApprovalRequest) -> None:
        """Take note that the person said yes to the tool as it now describes itself."""
        if self._names(request):
            self._keep(self._read(), self._key(request), _digest(request))

    def _names(self, request: ApprovalRequest) -> bool:
        names = self._tools.get(request.server or "", frozenset())
        return request.server_tool in names or "*" in names

    def _read(self) -> dict[str, object]:
        try:
            found: object = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}  # pyright: ignore[reportUnknownVariableType]

    def _keep(self, known: dict[str, object], key: str, digest: str) -> bool:
        """Remember a description; False where that cannot be done, and so has to be asked."""
        try:
            write_private(self._path, json.dumps({**known, key: digest}, indent=2) + "\n")
        except OSError:
            return False
        return True

    def _key(self, request: ApprovalRequest) -> str:
        return json.dumps([self._workspace, request.server, request.server_tool])


def _digest(request: ApprovalRequest) -> str:
    return hashlib.sha256(request.description.encode("utf-8", "surrogatepass")).hexdigest()
