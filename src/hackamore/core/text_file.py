"""Text in files, kept to the byte: encoding, byte order mark, line ends and final newline.

`decode` and `encode` are inverse: what was not changed comes back as the same bytes, also where
the encoding was guessed wrongly. Text that does not fit a file's encoding is refused, never
converted. The text keeps its own line ends; `adopt` gives new text the line ends of the old.
"""

import codecs
import difflib
import re
from dataclasses import dataclass, replace
from typing import Final

from hackamore.core.codes import Code
from hackamore.core.east_asian import is_chinese, is_japanese, is_korean
from hackamore.core.errors import EditError

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MOST_COMPARED: Final = 1_000_000
"""Pairs of lines; beyond that, comparing old and new lines would take too long."""
_SNIFFED: Final = 8192
_FIRST_PRINTABLE: Final = 0x20
_USUAL_CONTROLS: Final = b"\t\n\r\f\x08\x1b"
_MAX_CONTROLS: Final = 0.1
_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_PLAUSIBLE: Final = (("euc-kr", is_korean), ("gbk", is_chinese), ("cp932", is_japanese))


class NotText(ValueError):
    """The bytes are no text."""


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file's text and what is needed to write it back.

    Attributes:
        text: With the line ends of the file.
        encoding: Python's name of it.
        bom: The byte order mark at the start, or empty.
    """

    text: str
    encoding: str = "utf-8"
    bom: bytes = b""

    def encode(self) -> bytes:
        """Return the file's bytes."""
        return self.bom + self.text.encode(self.encoding)

    def with_text(self, text: str) -> "TextFile":
        """Return the same file with other text, byte for byte as given.

        Raises:
            EditError: The file's encoding lacks a character of it.
        """
        try:
            text.encode(self.encoding)
        except UnicodeEncodeError as error:
            raise _lacking(self.encoding, text[error.start]) from error
        return replace(self, text=text)

    def adopt(self, text: str) -> "TextFile":
        """Return the same file with new content in this file's manner.

        Lines that were there keep their own line ends, new ones get that of the line before.
        A final newline that was there stays.

        Raises:
            EditError: The file's encoding lacks a character of it.
        """
        if not self.text:
            return self.with_text(text)
        new = _with_final_newline(self.text, with_plain_line_ends(text))
        if "\r" in self.text:
            new = _with_line_ends(split_lines(self.text), new)
        return self.with_text(new)


def decode(data: bytes) -> TextFile:
    """Read a file's bytes as text.

    Raises:
        NotText: They are something else: a picture, a program, an archive.
    """
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _with_bom(data, bom, encoding)
    if _looks_binary(data):
        raise NotText("binary")
    text = _decoded(data, "utf-8")
    if text is not None:
        return TextFile(text)
    for encoding, plausible in _PLAUSIBLE:
        text = _decoded(data, encoding)
        if text is not None and plausible(text):
            return TextFile(text, encoding)
    text = _decoded(data, "cp1252")
    if text is not None:
        return TextFile(text, "cp1252")
    return TextFile(data.decode("latin-1"), "latin-1")  # has a character for every byte


def split_lines(text: str) -> list[str]:
    """Split at line ends (LF, CRLF, CR), which the lines keep."""
    lines: list[str] = []
    start = 0
    for found in _LINE_END.finditer(text):
        lines.append(text[start : found.end()])
        start = found.end()
    return [*lines, text[start:]] if start < len(text) else lines


def with_plain_line_ends(text: str) -> str:
    """Return the text with LF for every line end, as models see it."""
    return _LINE_END.sub("\n", text) if "\r" in text else text


def _with_bom(data: bytes, bom: bytes, encoding: str) -> TextFile:
    text = _decoded(data[len(bom) :], encoding)
    if text is None or "\0" in text:  # UTF-32 begins like UTF-16, with a NUL behind
        raise NotText("a byte order mark with something else behind it")
    return TextFile(text, encoding, bom)


def _lacking(encoding: str, char: str) -> EditError:
    if encoding.startswith("utf-"):
        return EditError(
            f"The new text has half a character (U+{ord(char):04X}). Nothing was changed.",
            hint="Write the whole character.",
            code=Code.INVALID_REQUEST,
        )
    return EditError(
        f"The file is not in UTF-8 but, it seems, in {encoding}, which has no {char!r} "
        f"(U+{ord(char):04X}). Nothing was changed.",
        hint="Use other characters, or convert the file first, with a command such as iconv.",
        code=Code.INVALID_REQUEST,
    )


def _decoded(data: bytes, encoding: str) -> str | None:
    """Decode, if it comes back as the same bytes."""
    try:
        text = data.decode(encoding)
        return text if text.encode(encoding) == data else None
    except UnicodeError:
        return None


def _looks_binary(data: bytes) -> bool:
    head = data[:_SNIFFED]
    if b"\0" in head:
        return True
    controls = sum(byte < _FIRST_PRINTABLE and byte not in _USUAL_CONTROLS for byte in head)
    return controls > len(head) * _MAX_CONTROLS


def _with_final_newline(old: str, new: str) -> str:
    return f"{new}\n" if new and old.endswith(("\n", "\r")) and not new.endswith("\n") else new


def _with_line_ends(old: list[str], new: str) -> str:
    """Give each line of `new` the line end of the old line that it equals or follows."""
    ends = [_line_end(line) for line in old]
    kinds = {end for end in ends if end}
    if len(kinds) == 1:
        return new.replace("\n", kinds.pop())
    wanted = [line.removesuffix("\n") for line in new.split("\n")]
    bare = [line.removesuffix(end) for line, end in zip(old, ends, strict=True)]
    chosen = [""] * len(wanted)
    if len(bare) * len(wanted) > _MOST_COMPARED:
        return new.replace("\n", max(kinds, key=ends.count))
    matcher = difflib.SequenceMatcher(None, bare, wanted, autojunk=False)
    for block in matcher.get_matching_blocks():
        chosen[block.b : block.b + block.size] = ends[block.a : block.a + block.size]
    end = ends[0] or "\n"
    for index, own in enumerate(chosen):
        end = own or end
        chosen[index] = end
    chosen[-1] = ""  # what follows the last line end of the new text has none
    return "".join(line + end for line, end in zip(wanted, chosen, strict=True))


def _line_end(line: str) -> str:
    found = _LINE_END.search(line)
    return found.group() if found else ""
