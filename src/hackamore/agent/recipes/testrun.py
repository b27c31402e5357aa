"""The project's tests: the command, and what its output says in a few stable lines."""

import re
from collections.abc import Iterator
from typing import Final

_LIMIT: Final = 1100
_PYTEST_OPTIONS: Final = (
    (" -q", "-q"),
    (" -x", "-x"),
    (" --tb", "--tb=short"),
    ("no:cacheprovider", "-p no:cacheprovider"),
)
_FRAME: Final = re.compile(r"(?:^|[\s\"'(])([\w./-]+\.[a-z]{1,4})(?:\"?, line |:)(\d+)")
_FAILED: Final = re.compile(r"^(?:FAILED|ERROR) ([\w./-]+)")
_TELLING: Final = re.compile(
    r"^E\s|^\s*>|^(?:FAILED|ERROR)\b|Error\b|Exception\b|^\s*(?:expected|actual|\+|-)\b|assert",
    re.IGNORECASE,
)
_NOISE: Final = (
    (re.compile(r"0x[0-9a-fA-F]+"), "0x0"),
    (re.compile(r"(?:/private)?/(?:tmp|var/folders)/(?:[^\s'\",:)/]+/)+"), ""),
    (re.compile(r"(?:/private)?/(?:tmp|var/folders)/[^\s'\",:)]+"), "/tmp/x"),  # noqa: S108 - text
    (re.compile(r"\bin \d+\.\d+s\b"), "in 0s"),
    (re.compile(r"\x1b\[[0-9;]*[A-Za-z]"), ""),
)


def short_command(command: str) -> str:
    """Return the test command with pytest's options for short output and no cache files."""
    if "pytest" not in command:
        return command
    missing = [option for mark, option in _PYTEST_OPTIONS if mark not in command]
    return " ".join([command, *missing])


def digest(output: str) -> str:
    """Return the lines that say what failed: at most 1,100 characters, equal between runs."""
    lines = list(dict.fromkeys(_telling_lines(_calm(output))))
    text = "\n".join(lines) if lines else _calm(output)[-_LIMIT:]
    return text[:_LIMIT].rstrip()


def named_files(output: str) -> tuple[str, ...]:
    """Return the files that the output names with a line or as failed, last named first."""
    found: list[str] = []
    for line in output.splitlines():
        match = _FRAME.search(line) or _FAILED.match(line)
        if match:
            found.append(match[1].removeprefix("./"))
    return tuple(dict.fromkeys(reversed(found)))


def failed_test(output: str) -> str:
    """Return the name of the first test that failed, or nothing."""
    match = re.search(r"^(?:FAILED|ERROR) \S+?::(?:\w+::)*(\w+)", output, re.MULTILINE)
    return match[1] if match else ""


def cannot_run(output: str) -> bool:
    """Whether the output says that there is no test runner rather than failing tests."""
    return bool(re.search(r"No module named '?(pytest|unittest)\b|command not found", output))


def _calm(output: str) -> str:
    """Take out what differs between two runs of the same tests."""
    for pattern, instead in _NOISE:
        output = pattern.sub(instead, output)
    return output


def _telling_lines(output: str) -> Iterator[str]:
    """Yield the lines of frames, the code line under each, and those that tell a failure."""
    after_frame = False
    for line in output.splitlines():
        frame = bool(_FRAME.search(line))
        if frame or after_frame or _TELLING.search(line):
            yield line.rstrip()
        after_frame = frame
