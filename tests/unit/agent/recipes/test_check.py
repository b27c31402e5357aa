"""Which rewritten files are worth a test run."""

import pytest

from hackamore.agent.recipes.check import Unfit, checked

pytestmark = pytest.mark.req("AGT-16")

_OLD = (
    "import json\nfrom a import b\n\nLIMIT = 3\n\n\nclass C:\n    def f(self):\n        return 1\n"
)


@pytest.mark.parametrize(
    ("new", "why"),
    [
        ("def f(:\n", "parse"),
        ("\0", "parse"),
        (_OLD + "# a comment\n", "changes nothing"),
        (_OLD.replace("LIMIT = 3\n", ""), "loses LIMIT"),
        (_OLD.replace("def f", "def g"), "loses C.f"),
        (_OLD.replace("3", "4") + "\n\ndef b():\n    return 2\n", "defines anew"),
    ],
)
def test_a_python_file_that_is_not_worth_it_is_refused(new: str, why: str) -> None:
    with pytest.raises(Unfit, match=why):
        checked("x.py", _OLD, new)


def test_a_python_file_that_is_changed_is_taken() -> None:
    assert checked("x.py", _OLD, _OLD.replace("1", "2")) == _OLD.replace("1", "2")


def test_a_file_that_did_not_parse_before_may_become_anything() -> None:
    assert checked("x.py", "def f(:\n", "def g(): return 1") == "def g(): return 1\n"


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("return re.sub('a', 'b', x)", "import re"),
        ("return defaultdict(list)", "from collections import defaultdict"),
        ("return datetime.timedelta(1)", "import datetime"),
        ("return datetime.now()", "from datetime import datetime"),
    ],
)
def test_a_forgotten_standard_import_is_added_after_the_docstring(body: str, line: str) -> None:
    new = f'"""Doc."""\nfrom __future__ import annotations\n\n\ndef f(x):\n    {body}\n'
    result = checked("x.py", "def f(x):\n    return x\n", new)
    assert result.splitlines()[2] == line


def test_a_name_that_is_bound_anywhere_is_not_imported() -> None:
    new = "def f(re, *, json=1):\n    for time in re:\n        print(time, json)\n"
    assert checked("x.py", "def f(re, *, json=1):\n    return re\n", new) == new


@pytest.mark.parametrize("new", ["export function a() {\n return 1; }", "function b() {}"])
def test_a_script_that_loses_a_name_or_changes_nothing_is_refused(new: str) -> None:
    with pytest.raises(Unfit):
        checked("x.js", "export function a() { return 1; }\n", new)
