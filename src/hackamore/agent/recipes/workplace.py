"""A recipe's typed view of the tools: list, read, write, search and run, through `Hands`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from hackamore.agent.recipes.seam import Hands
from hackamore.core.codes import Code
from hackamore.core.json import JSON, JSONObject

_DENIALS: Final = frozenset({Code.APPROVAL_REJECTED, Code.PERMISSION_DENIED, Code.TOOL_NOT_ALLOWED})


class CallFailed(Exception):
    """A call that the recipe cannot do without failed.

    Attributes:
        words: The tool's own words.
        code: Why.
        denied: It was not allowed, rather than not possible.
    """

    def __init__(self, words: str, code: Code) -> None:
        super().__init__(words)
        self.words = words
        self.code = code
        self.denied = code in _DENIALS


@dataclass(frozen=True, slots=True)
class Hit:
    """A line that a search found."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a command ended; `exit_code` is None when it was stopped at its time limit."""

    exit_code: int | None
    output: str

    @property
    def green(self) -> bool:
        """Whether it succeeded."""
        return self.exit_code == 0


class Workplace:
    """The project's files and its test command, by ordinary tool calls.

    Every method raises `CallFailed` when the call was denied or did not work.
    """

    def __init__(self, hands: Hands) -> None:
        self._hands = hands

    async def files(self) -> tuple[str, ...]:
        """Return the paths of all files that may be seen."""
        found = await self._call("list_files", {"path": ".", "recursive": True})
        paths = (str(path).removeprefix("./") for path in _items(found, "files"))
        return tuple(path for path in paths if not path.endswith("/"))

    async def read(self, path: str) -> str:
        """Return a text file's content."""
        found = await self._call("read_file", {"path": path})
        if found.get("truncated"):
            raise CallFailed(f"{path} is too long to be read whole.", Code.FILE_TOO_LARGE)
        return str(found.get("content", ""))

    async def write(self, path: str, content: str) -> None:
        """Write a file whole."""
        await self._call("write_to_file", {"path": path, "content": content})

    async def restore(self, path: str) -> None:
        """Put a file back byte for byte as it was before the run changed it."""
        await self._call("restore_file", {"path": path})

    async def search(self, regex: str) -> tuple[Hit, ...]:
        """Return the lines that match, in all files."""
        found = await self._call("search_files", {"path": ".", "regex": regex})
        lines = (cast(JSONObject, item) for item in _items(found, "matches"))
        return tuple(Hit(str(line["path"]).removeprefix("./"), str(line["text"])) for line in lines)

    async def run(self, command: str, seconds: int) -> Outcome:
        """Run a command for at most `seconds`; failing is an outcome, not an error."""
        arguments: JSONObject = {"command": command, "timeout": seconds}
        output = await self._hands.call("execute_command", arguments)
        if not isinstance(output.structured, Mapping):
            raise CallFailed(output.text, output.code or Code.INTERNAL)
        code = output.structured.get("exit_code")
        exit_code = code if isinstance(code, int) and not _timed_out(output.structured) else None
        return Outcome(exit_code, str(output.structured.get("output", "")))

    async def _call(self, tool: str, arguments: JSONObject) -> JSONObject:
        output = await self._hands.call(tool, arguments)
        if output.is_error:
            raise CallFailed(output.text, output.code or Code.INTERNAL)
        return output.structured if isinstance(output.structured, Mapping) else {}


def _timed_out(result: JSONObject) -> bool:
    return result.get("timed_out") is True


def _items(result: JSONObject, name: str) -> Sequence[JSON]:
    found = result.get(name)
    return found if isinstance(found, Sequence) and not isinstance(found, str) else ()
