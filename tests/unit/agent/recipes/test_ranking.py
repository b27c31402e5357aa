"""Which files a failure or a request points to."""

import pytest

from hackamore.agent.recipes.excerpt import of_tests
from hackamore.agent.recipes.ranking import imported, mentioned, rank, words

pytestmark = pytest.mark.req("AGT-16")

_FILES = ("app/__init__.py", "app/cart.py", "app/money.py", "lib/util.js", "tests/test_cart.py")


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("from app.cart import total", ("app/cart.py",)),
        ("from app import cart, other", ("app/__init__.py", "app/cart.py")),
        ("import app.money", ("app/money.py",)),
        ("from .money import x", ("app/money.py",)),
        ("const u = require('./util')", ("lib/util.js",)),
        ("import { a } from './util.js'", ("lib/util.js",)),
        ("import os", ()),
    ],
)
def test_imports_lead_to_files(code: str, found: tuple[str, ...]) -> None:
    assert imported(code, _FILES) == found


def test_a_file_may_be_named_with_or_without_its_folder() -> None:
    assert mentioned("look at cart.py", _FILES) == ("app/cart.py",)
    assert mentioned("look at app/money.py please", _FILES) == ("app/money.py",)
    assert mentioned("mycart.py", _FILES) == ()


def test_tests_are_never_ranked() -> None:
    assert rank(_FILES, (("tests/test_cart.py", "app/cart.py"), 9)) == ("app/cart.py",)


def test_the_most_pointed_to_comes_first() -> None:
    assert rank(_FILES, (("app/cart.py",), 3), (("app/money.py", "app/money.py"), 2))[0] == (
        "app/money.py"
    )


def test_common_words_tell_nothing() -> None:
    assert words("What does the function parse_date use?") == ("parse_date",)


def test_a_long_test_file_is_cut_to_its_head_and_the_failed_test() -> None:
    tests = "".join(f"def test_{n}():\n    assert f({n}) == {n}\n\n\n" for n in range(200))
    part = of_tests(f"from m import f\n\n\n{tests}", "test_150")
    assert "from m import f" in part
    assert "f(150) == 150" in part
    assert "f(20) == 20" not in part
