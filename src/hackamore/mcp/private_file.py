"""Files that only their owner may read: tokens, consents, addresses with keys in them.

They are written whole or not at all, and never stand open to others, not even for a moment.
"""

import os
import tempfile
from pathlib import Path


def write_private(path: Path, text: str) -> None:
    """Replace `path` by a file of mode 0600 that holds `text`; make its folder (0700) if needed.

    Raises:
        OSError: The folder cannot be made or written to; the old file is as it was.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, fresh = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(fresh).replace(path)
    except BaseException:
        Path(fresh).unlink(missing_ok=True)
        raise
