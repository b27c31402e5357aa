"""How fast the formats read: MB/s, whole and by single characters, beside floors of this run.

python bench/formats_bench.py
"""

import sys
import time
from collections.abc import Callable, Iterable, Mapping

from hackamore.core.format import Parser
from hackamore.formats.registry import get_format
from hackamore.formats.strict_json import write_json
from hackamore.testing.sample_tools import SAMPLE_TOOLS

MB = 1_000_000
_SENTENCE = "The parser reads prose with `code`, a < b, <b>tags</b> and lists.\n- one\n- two\n\n"
_LINE = "    if a < b and c[0] > d: return '<div class=\"x\">' + value + '</div>'\n"
_XML_CALL = "Reading.\n<read_file>\n<path>src/package/module_{n}.py</path>\n</read_file>\n"
_HERMES_CALL = (
    'Reading.\n<tool_call>\n{"name": "read_file", "arguments": {"path": "src/pkg/module_%d.py"}}'
    "\n</tool_call>\n"
)


def of_size(text: str, size: int) -> str:
    return (text * (size // len(text) + 1))[:size]


def prose(size: int) -> str:
    return of_size(_SENTENCE, size)


def _value(size: int) -> dict[str, str]:
    return {"path": "a.py", "content": of_size(_LINE, size)}


def xml_value(size: int) -> str:
    value = _value(size)["content"]
    return f"<write_to_file>\n<path>a.py</path>\n<content>\n{value}\n</content>\n</write_to_file>"


def xml_calls(size: int) -> str:
    return "".join(_XML_CALL.format(n=n) for n in range(size // len(_XML_CALL)))


def react_value(size: int) -> str:
    return f"Thought: Writing.\nAction: write_to_file({write_json(_value(size))})"


def hermes_value(size: int) -> str:
    call = write_json({"name": "write_to_file", "arguments": _value(size)})
    return f"<tool_call>\n{call}\n</tool_call>"


def hermes_calls(size: int) -> str:
    return "".join(_HERMES_CALL % n for n in range(size // len(_HERMES_CALL)))


ROWS: Mapping[str, tuple[Callable[[int], str], ...]] = {
    "xml": (prose, xml_value, xml_calls),
    "react": (prose, react_value),
    "hermes": (prose, hermes_value, hermes_calls),
    "auto": (prose, xml_value, hermes_value),
}


def seconds(run: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return best


def read(parser: Parser, pieces: Iterable[str]) -> None:
    for piece in pieces:
        parser.feed(piece)
    parser.close()


class Floor:
    """The least that a parser of single characters does: take each and give it out."""

    def feed(self, text: str) -> tuple[str, ...]:
        return (text,)


def floor_whole(text: str) -> None:
    at = text.find("<")
    while at >= 0:
        at = text.find("<", at + 1)


def floor_single(text: str) -> None:
    floor = Floor()
    for piece in text:
        floor.feed(piece)


def row(form: str, name: str, text: str) -> str:
    parser = get_format(form).parser
    size = len(text) / MB
    whole = seconds(lambda: read(parser(SAMPLE_TOOLS), [text]))
    single = seconds(lambda: read(parser(SAMPLE_TOOLS), text))
    least_whole = seconds(lambda: floor_whole(text))
    least_single = seconds(lambda: floor_single(text))
    return (
        f"{form:6} {name:12} {size:4.1f} MB  whole {size / whole:8.1f} MB/s (floor"
        f" {size / least_whole:8.1f})  by characters {size / single:6.2f} MB/s"
        f" (floor {size / least_single:6.2f}, {single / least_single:4.1f} times it)"
    )


def main() -> None:
    megabytes = [float(argument) for argument in sys.argv[1:]] or [1, 2]
    for form, makers in ROWS.items():
        for make in makers:
            for size in megabytes:
                print(row(form, make.__name__, make(int(size * MB))), flush=True)


if __name__ == "__main__":
    main()
