"""execute_command: a command line in the sandbox."""

import codecs
from typing import Final

from hackamore.core.bounded import MAX_CHARACTERS, bounded
from hackamore.core.codes import Code
from hackamore.core.effects import Effect
from hackamore.core.errors import UsageError
from hackamore.core.events import ToolProgress
from hackamore.core.tools import ToolContext, ToolOutput, ToolSpec
from hackamore.core.workspace import Command, CommandResult, Sandbox
from hackamore.tools.arguments import Arguments
from hackamore.tools.builtin_tool import BuiltinTool, described, parameters
from hackamore.tools.readable import readable

_DEFAULT_SECONDS: Final = 120.0
_MAX_SECONDS: Final = 3600.0
_MAX_BYTES: Final = 120_000  # Linux takes 131,071 in one argument
_ADVICE: Final = "Send the output to a file and read parts of it."
_SPEC: Final = ToolSpec(
    name="execute_command",
    description=(
        "Run a command line with bash in the workspace, in a sandbox: no network, no home folder, "
        "nothing writable but the workspace and /tmp, standard input empty. Processes left in the "
        "background end with the command."
    ),
    parameters=parameters(
        {
            "command": described("string", "The command line."),
            "timeout": described("number", "Seconds until it is ended; 120 if not given."),
            "requires_approval": described("boolean", "Accepted and not used."),
        },
        required=["command"],
    ),
    effect=Effect.RUN,
    verbatim=frozenset(["command"]),
    example={"command": "python -m pytest -q"},
)


class ExecuteCommand(BuiltinTool):
    """Runs a command through the sandbox and shows its output as it comes."""

    spec = _SPEC

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    async def perform(self, arguments: Arguments, context: ToolContext) -> ToolOutput:
        """Run it to its end."""
        command = Command(_line(arguments), timeout=_timeout(arguments))
        progress = _Progress(context)
        result = await self._sandbox.execute(command, progress.take)
        shown = _shown(result)
        return ToolOutput(
            text=f"{_ending(result, command)}\n{shown}".rstrip(),
            is_error=result.timed_out,
            code=Code.TIMEOUT if result.timed_out else None,
            structured={
                "exit_code": result.exit_code,
                "output": shown,
                "timed_out": result.timed_out,
            },
            summary=_summary(result),
        )


class _Progress:
    """Tells the watchers of output, in whole characters."""

    def __init__(self, context: ToolContext) -> None:
        self._context = context
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def take(self, data: bytes) -> None:
        text = self._decoder.decode(data)
        if text:
            self._context.emit(ToolProgress(self._context.call_id, _SPEC.name, text))


def _line(arguments: Arguments) -> str:
    line = arguments.text("command")
    if "\0" in line:
        raise UsageError(
            "The command holds a NUL byte, which no command line can.",
            hint="Write it without, such as printf '\\0' in its place.",
        )
    size = len(line.encode("utf-8", "surrogatepass"))
    if size > _MAX_BYTES:
        raise UsageError(
            f"The command is too long: {size:,} bytes, and at most {_MAX_BYTES:,} can be passed.",
            hint="Write long content to a file with write_to_file, and use that.",
        )
    return line


def _timeout(arguments: Arguments) -> float:
    seconds = arguments.number("timeout")
    if seconds is None:
        return _DEFAULT_SECONDS
    if not 0 < seconds <= _MAX_SECONDS:
        raise UsageError(f"timeout must be between 0 and {_MAX_SECONDS:.0f} seconds.")
    return seconds


def _shown(result: CommandResult) -> str:
    """Return what a person would have seen, bounded; names the size of what was cut."""
    if not result.omitted:
        return bounded(readable(_text(result.output)), _ADVICE).text
    half = len(result.output) // 2
    whole = len(result.output) + result.omitted
    note = f"\n[… cut here: the output had {whole:,} bytes. {_ADVICE} …]\n"
    room = (MAX_CHARACTERS - len(note)) // 2
    head, tail = readable(_text(result.output[:half])), readable(_text(result.output[half:]))
    return head[:room] + note + tail[-room:]


def _text(output: bytes) -> str:
    return output.decode("utf-8", "replace")


def _ending(result: CommandResult, command: Command) -> str:
    if result.timed_out:
        return f"Ended after {command.timeout:g} s: the timeout. Output so far:"
    if result.exit_code is not None and result.exit_code < 0:
        return f"Ended by signal {-result.exit_code}. Output:"
    return f"Exit code {result.exit_code}." + (" Output:" if result.output else " No output.")


def _summary(result: CommandResult) -> str:
    if result.timed_out:
        return "timed out"
    return f"exit code {result.exit_code}"
