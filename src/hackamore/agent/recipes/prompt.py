"""What small models are told: short, one message, everything at hand, code first."""

from collections.abc import Sequence

from hackamore.agent.recipes.evidence import Evidence
from hackamore.agent.recipes.paths import language
from hackamore.core.generator import Turn

_FIX_SYSTEM = "You are an expert programmer. You fix bugs with the smallest change that is right."
_TEST_SYSTEM = "You are an expert programmer. You write short tests with exact expected values."
_ANSWER_SYSTEM = "You are an expert programmer. You answer briefly, from the files shown."


def fence(path: str) -> str:
    """Return what opens a code block for the file."""
    return f"```{language(path)}\n"


def block(path: str, text: str) -> str:
    """Return the file as a named code block."""
    return f"{path}:\n{fence(path)}{text.rstrip()}\n```\n"


def for_fix(request: str, target: str, code: str, evidence: Evidence) -> list[Turn]:
    """Return the prompt that asks for the whole new target file."""
    parts = [block(target, code)]
    if evidence.test_code:
        parts.append(block(evidence.test_path, evidence.test_code))
    parts.append(f"The test run says:\n```\n{evidence.failure}\n```\n")
    wish = f"{request.strip()}\n" if request.strip() else ""
    parts.append(
        f"{wish}There is a bug in {target}. The tests are right and stay as they are. "
        f"Write the complete new {target}, with the bug fixed and everything else unchanged."
    )
    return [Turn("system", _FIX_SYSTEM), Turn("user", "\n".join(parts))]


def for_tests(request: str, path: str, code: str) -> list[Turn]:
    """Return the prompt that asks for a file of tests."""
    wish = f"{request.strip()}\n" if request.strip() else ""
    words = (
        f"{wish}Write pytest tests for {path}: at most eight short functions, one "
        "behaviour each, with small inputs. Cover every function, every branch and the values at "
        "its limits. Assert exact results."
    )
    return [Turn("system", _TEST_SYSTEM), Turn("user", f"{block(path, code)}\n{words}")]


def for_answer(request: str, files: Sequence[tuple[str, str]]) -> list[Turn]:
    """Return the prompt that asks a question about files."""
    parts = [block(path, text) for path, text in files]
    return [Turn("system", _ANSWER_SYSTEM), Turn("user", "\n".join([*parts, request.strip()]))]
