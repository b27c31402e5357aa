"""The part of a test file that matters: its head and the test that failed. Pure."""

import ast
from typing import Final

_WHOLE: Final = 2200


def of_tests(code: str, failed: str, limit: int = _WHOLE) -> str:
    """Return the file, or when it is long what the failed test needs of it.

    Args:
        code: The test file.
        failed: The name of the test that failed; may be empty.
        limit: Characters up to which the file is kept whole.
    """
    if len(code) <= limit:
        return code
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError):
        return _around(code, failed, limit)
    kept = [node for node in tree.body if not _is_other_test(node, failed)]
    parts = [ast.get_source_segment(code, node) or "" for node in kept]
    return _around("\n\n".join(parts) + "\n", failed, limit)


def _is_other_test(node: ast.stmt, failed: str) -> bool:
    """Whether the statement only holds tests, and not the one that failed."""
    if isinstance(node, ast.ClassDef):
        names = [child.name for child in node.body if isinstance(child, ast.FunctionDef)]
        return node.name.startswith("Test") and failed not in names
    is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    return is_function and node.name.startswith("test") and node.name != failed


def _around(code: str, name: str, limit: int) -> str:
    """Return at most `limit` characters of the code, with `name` among them."""
    at = code.find(name) if name else 0
    start = max(0, min(at - limit // 4, len(code) - limit))
    return code[start : start + limit]
