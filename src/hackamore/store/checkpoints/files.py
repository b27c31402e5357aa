"""Files of the store itself: written beside their place and renamed, so never seen half."""

import os
import secrets
from pathlib import Path


def write_whole(path: Path, data: bytes, *, lasting: bool) -> None:
    """Write a file at once.

    Args:
        path: Where; its folder is made when it is missing.
        data: Its content.
        lasting: Wait until the disk has it.
    """
    draft = f"{path.parent}/draft-{secrets.token_hex(8)}"
    descriptor = _new_file(draft, path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if lasting:
                os.fsync(descriptor)
        os.rename(draft, path)  # noqa: PTH104  # thousands in a row: pathlib would cost as much
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
    if lasting:
        _sync_folder(path.parent)


def _new_file(draft: str, folder: Path) -> int:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    try:
        return os.open(draft, flags, 0o600)
    except FileNotFoundError:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return os.open(draft, flags, 0o600)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
