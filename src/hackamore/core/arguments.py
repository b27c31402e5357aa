"""Whether the arguments of a known program are harmless, and which files they name."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from hackamore.core.shell.line import Word
from hackamore.core.usages import USAGES, Usage, words_of

Reader: TypeAlias = Callable[[tuple[Word, ...]], "Arguments"]


@dataclass(slots=True)
class Arguments:
    """What was read of a program's arguments.

    Attributes:
        problem: The first thing that is not known to be harmless, or None.
        files: The paths that are named.
    """

    problem: str | None = None
    files: list[str] = field(default_factory=list[str])

    def doubt(self, reason: str) -> None:
        """Note why the call may do harm; the first reason stays."""
        self.problem = self.problem or reason

    def file(self, path: str) -> None:
        """Note a file that the program would read."""
        if path == "-":
            return
        self.files.append(path)
        if path.startswith(("/", "~")):
            self.doubt(f"{path} may lie outside the workspace")
        elif ".." in path.split("/"):
            self.doubt(f"{path} goes up with ..")


def read_arguments(name: tuple[str, ...], words: tuple[Word, ...]) -> Arguments | None:
    """Return what `words` ask of the program `name`; None when it is not in the table."""
    special = _SPECIAL.get(name)
    if special is not None:
        arguments = special(words)
    elif name in USAGES:
        arguments = _ByTable(USAGES[name]).read(words)
    else:
        return None
    for word in words:
        if not word.known:
            arguments.doubt(f"which files {word.text} means is not known beforehand")
    return arguments


class _ByTable:
    """Reads arguments by one line of the table."""

    def __init__(self, usage: Usage) -> None:
        self._usage = usage
        self._found = Arguments()
        self._operands: list[str] = []
        self._has_pattern = False

    def read(self, words: tuple[Word, ...]) -> Arguments:
        texts = iter(word.text for word in words)
        for text in texts:
            if text == "--":
                self._operands += texts
            elif text.startswith("-") and text != "-":
                self._option(text, texts)
            else:
                self._operands.append(text)
        self._take_operands()
        return self._found

    def _option(self, text: str, following: Iterator[str]) -> None:
        usage = self._usage
        name, equals, _ = text.partition("=")
        if usage.digits and re.fullmatch(r"-\d+", text):
            return
        if text.startswith("--"):
            if name in usage.flags:
                return
            if name in usage.valued:
                self._valued(name, following, attached=bool(equals))
                return
        elif text[:2] in usage.valued:
            self._valued(text[:2], following, attached=text != text[:2])
            return
        elif set(re.sub(r"^-U\d+$", "U", text).lstrip("-")) <= set(usage.letters):
            return
        self._found.doubt(f"the option {text} is not known to be harmless")

    def _valued(self, name: str, following: Iterator[str], *, attached: bool) -> None:
        self._has_pattern = self._has_pattern or name in self._usage.patterns
        if attached:
            return
        value = next(following, None)
        if value is None or value.startswith("-"):
            self._found.doubt(f"the option {name} has no clear value")

    def _take_operands(self) -> None:
        operands = self._operands
        if self._usage.operands == "pattern" and not self._has_pattern:
            operands = operands[1:]
        if operands and (self._usage.operands == "none" or len(operands) > self._usage.most):
            self._found.doubt(f"{operands[-1]} is more than it should be given")
        for operand in operands:
            self._operand(operand)

    def _operand(self, operand: str) -> None:
        match self._usage.operands:
            case "files" | "pattern":
                self._found.file(operand)
            case "revisions":
                self._found.file(operand)
                if ":" in operand or "@{" in operand:
                    self._found.doubt(f"{operand} is not a plain revision")
                if set(operand) & set("*?["):
                    self._found.doubt(f"which files {operand} means is not known beforehand")
            case "tests":
                self._found.file(operand.partition("::")[0])
                if operand.startswith("@"):
                    self._found.doubt(f"{operand} reads further arguments from a file")
            case "text" | "none":
                pass


def _echo(words: tuple[Word, ...]) -> Arguments:
    return Arguments()


_SED_PRINT: Final = re.compile(r"(\d+|\$)(,(\d+|\$))?p")


def _sed(words: tuple[Word, ...]) -> Arguments:
    """Only ``sed -n 10,20p file``: a script of sed can also run, read and write."""
    found = Arguments()
    texts = [word.text for word in words]
    for text in texts[2:]:
        found.file(text)
        if text.startswith("-"):
            found.doubt(f"the option {text} is not known to be harmless")
    if texts[:1] != ["-n"] or not _SED_PRINT.fullmatch("".join(texts[1:2])):
        found.doubt("a script of sed can run commands and write files")
    return found


_FIND_ALONE: Final = words_of(
    "-print -print0 -not -o -or -a -and -true -false -prune -empty -depth -mount -xdev ! ( )"
)
_FIND_VALUED: Final = words_of(
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -type -maxdepth -mindepth "
    "-size -mtime -mmin -perm"
)


def _find(words: tuple[Word, ...]) -> Arguments:
    """Paths, then tests and prints; nothing that runs, deletes or writes."""
    found = Arguments()
    texts = [word.text for word in words]
    while texts and not texts[0].startswith(("-", "(", "!")):
        found.file(texts.pop(0))
    rest = iter(texts)
    for text in rest:
        if text in _FIND_VALUED:
            value = next(rest, None)
            if value is None:
                found.doubt(f"{text} has no value")
        elif text not in _FIND_ALONE:
            found.doubt(f"{text} of find is not known to be harmless")
    return found


_SPECIAL: Final[Mapping[tuple[str, ...], Reader]] = {
    ("echo",): _echo,
    ("sed",): _sed,
    ("find",): _find,
}
