"""The tally: what a run added up to, read from its own events."""

from hackamore.core.changes import FileChange
from hackamore.core.events import Event, FileChanged, StepStarted, TextDelta, Usage


class Tally:
    """Watches a run. A file changed twice is one change, one changed back is none."""

    def __init__(self) -> None:
        self.input_tokens = 0
        self.output_tokens = 0
        self.text = ""
        self._changes: dict[str, FileChange] = {}

    def watch(self, event: Event) -> None:
        """Take one event into account."""
        match event:
            case Usage():
                self.input_tokens += event.input_tokens
                self.output_tokens += event.output_tokens
            case StepStarted():
                self.text = ""
            case TextDelta():
                self.text += event.text
            case FileChanged():
                self._add(event.change)
            case _:
                pass

    def changes(self) -> tuple[FileChange, ...]:
        """Return what differs from before the run, in the order of paths."""
        real = (one for one in self._changes.values() if one.before != one.after)
        return tuple(sorted(real, key=lambda one: one.path))

    def _add(self, change: FileChange) -> None:
        first = self._changes.get(change.path)
        before = change.before if first is None else first.before
        self._changes[change.path] = FileChange(change.path, before, change.after)
