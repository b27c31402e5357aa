"""How fast the formats read: MB/s, whole and by single characters, beside floors of this run.

python bench/formats_bench.py
"""

import sys
import time
from collections.abc import Callable, Iterable

from hackamore.core.format import Parser
from hackamore.formats.xml import XmlFormat
from hackamore.testing.sample_tools import SAMPLE_TOOLS

MB = 1_000_000
_SENTENCE = "The parser reads prose with `code`, a < b, <b>tags</b> and lists.\n- one\n- two\n\n"
_LINE = "    if a < b and c[0] > d: return '<div class=\"x\">' + value + '</div>'\n"
_CALL = "Reading.\n<read_file>\n<path>src/package/module_{n}.py</path>\n</read_file>\n"


def of_size(text: str, size: int) -> str:
    return (text * (size // len(text) + 1))[:size]


def prose(size: int) -> str:
    return of_size(_SENTENCE, size)


def one_value(size: int) -> str:
    value = of_size(_LINE, size)
    return f"<write_to_file>\n<path>a.py</path>\n<content>\n{value}\n</content>\n</write_to_file>"


def small_calls(size: int) -> str:
    return "".join(_CALL.format(n=n) for n in range(size // len(_CALL)))


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


def row(name: str, text: str) -> str:
    xml = XmlFormat()
    size = len(text) / MB
    whole = seconds(lambda: read(xml.parser(SAMPLE_TOOLS), [text]))
    single = seconds(lambda: read(xml.parser(SAMPLE_TOOLS), text))
    least_whole = seconds(lambda: floor_whole(text))
    least_single = seconds(lambda: floor_single(text))
    return (
        f"{name:12} {size:4.1f} MB  whole {size / whole:8.1f} MB/s (floor"
        f" {size / least_whole:8.1f})  by characters {size / single:6.2f} MB/s"
        f" (floor {size / least_single:6.2f}, {single / least_single:4.1f} times it)"
    )


def main() -> None:
    megabytes = [float(argument) for argument in sys.argv[1:]] or [1, 2, 4]
    for make in (prose, one_value, small_calls):
        for size in megabytes:
            print(row(make.__name__, make(int(size * MB))), flush=True)


if __name__ == "__main__":
    main()
