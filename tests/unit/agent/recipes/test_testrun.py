"""Reading the output of test runs."""

import pytest

from hackamore.agent.recipes import testrun

pytestmark = pytest.mark.req("AGT-16")

_OUTPUT = """\
.F
=================================== FAILURES ===================================
__________________________________ test_total __________________________________
tests/test_prices.py:5: in test_total
    assert total([(250, 2)]) == 500
shop/prices.py:6: in total
    return sum(a + b for a, b in items)
E   assert 252 == 500
E    +  where 252 = <function total at 0x7f3a2b4c5d60>([(250, 2)])
E    +  in /tmp/pytest-of-x/pytest-3/data.txt took '90s'
=========================== short test summary info ============================
FAILED tests/test_prices.py::TestAll::test_total - assert 252 == 500
1 failed, 1 passed in 0.03s
"""


def test_the_digest_holds_what_failed_and_nothing_that_changes() -> None:
    text = testrun.digest(_OUTPUT)
    assert "E   assert 252 == 500" in text
    assert "return sum(a + b for a, b in items)" in text
    assert "0x7f3a" not in text
    assert "pytest-3" not in text
    assert "0.03" not in text
    assert "'90s'" in text
    assert testrun.digest(_OUTPUT.replace("0.03s", "0.71s").replace("7f3a", "7a11")) == text


def test_the_digest_is_short() -> None:
    assert len(testrun.digest("E   assert 1 == 2 " * 500)) <= 1100


def test_files_are_named_the_innermost_first() -> None:
    assert testrun.named_files(_OUTPUT) == ("tests/test_prices.py", "shop/prices.py")


def test_the_failed_test_is_named() -> None:
    assert testrun.failed_test(_OUTPUT) == "test_total"


@pytest.mark.parametrize(
    ("command", "short"),
    [
        ("python -m pytest -q", "python -m pytest -q -x --tb=short -p no:cacheprovider"),
        ("pytest --tb=no -x", "pytest --tb=no -x -q -p no:cacheprovider"),
        ("npm test", "npm test"),
    ],
)
def test_pytest_is_asked_to_be_brief(command: str, short: str) -> None:
    assert testrun.short_command(command) == short
