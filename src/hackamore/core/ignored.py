"""What the ``.gitignore`` of a folder says of the paths below it. Pure: others read the file."""

from dataclasses import dataclass

from hackamore.core.protected import PathMatcher


@dataclass(frozen=True, slots=True)
class Ignore:
    """The patterns of one ``.gitignore``, which count from its own folder.

    Attributes:
        base: That folder, ending with ``/``; empty for the workspace's root.
        matcher: The patterns.
    """

    base: str
    matcher: PathMatcher

    def judge(self, path: str, *, folder: bool) -> bool | None:
        """Judge a path below the folder; None when no pattern speaks of it."""
        return self.matcher.judge_entry(path.removeprefix(self.base), folder=folder)


def is_ignored(path: str, ignores: tuple[Ignore, ...], *, folder: bool) -> bool:
    """Tell whether a path is ignored; the innermost file that speaks of it decides.

    Args:
        path: Relative to the workspace; its folders are not ignored.
        ignores: Of the folders above it, the outermost first.
        folder: It is one.
    """
    verdicts = (ignore.judge(path, folder=folder) for ignore in reversed(ignores))
    return bool(next((verdict for verdict in verdicts if verdict is not None), False))
