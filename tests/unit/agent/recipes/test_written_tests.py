"""The text of written tests: cut, cleaned, named."""

import pytest

from hackamore.agent.recipes import written_tests

pytestmark = pytest.mark.req("AGT-16")

_TWO = "def test_a():\n    assert f(1) == 2\n\n\ndef test_b():\n    assert f(2) == 3\n"


def test_an_answer_that_was_cut_off_ends_at_its_last_complete_statement() -> None:
    cut = f"{_TWO}\n\ndef test_c():\n    x = f(3)\n    assert f(x, ["
    assert written_tests.whole(cut).splitlines()[-1] == "    x = f(3)"
    assert written_tests.whole("def test_a(") == ""
    assert written_tests.whole(_TWO) == _TWO


def test_what_cannot_fail_and_what_is_no_test_is_dropped() -> None:
    text = (
        "import pytest\nimport os\nfrom m import f, g\nimport pytest\n\n"
        f"{_TWO}\ndef test_c():\n    f(3)\n\n\n"
        "def test_d():\n    with pytest.raises(ValueError):\n        f(math.pi)\n\n\n"
        "class TestMore:\n    def test_x(self):\n        assert g()\n\n\n"
        'if __name__ == "__main__":\n    pytest.main()\n'
    )
    tidy = written_tests.tidied(text)
    assert written_tests.names_of_tests(tidy) == ("test_a", "test_b", "test_d")
    assert tidy.startswith("import math\nimport pytest\nfrom m import f\n\n\ndef test_a")
    assert written_tests.tidied(tidy) == tidy


def test_tests_are_taken_out_by_name_with_their_decorators() -> None:
    text = f"import pytest\n\n\n@pytest.mark.parametrize('x', [1])\n{_TWO}"
    assert written_tests.tidied(text, {"test_a"}) == "def test_b():\n    assert f(2) == 3\n"


def test_of_two_tests_with_one_name_the_first_stays() -> None:
    text = f"{_TWO}\n\ndef test_a():\n    assert f(9) == 9\n"
    assert written_tests.tidied(text) == _TWO


@pytest.mark.parametrize(
    ("path", "files", "name"),
    [
        ("prices.py", [], "prices"),
        ("shop/prices.py", ["shop/__init__.py"], "shop.prices"),
        ("src/shop/prices.py", ["src/shop/__init__.py"], "shop.prices"),
        ("src/prices.py", ["src/__init__.py"], "src.prices"),
        ("shop/__init__.py", [], "shop"),
    ],
)
def test_a_module_is_imported_by_its_name(path: str, files: list[str], name: str) -> None:
    assert written_tests.module_name(path, files) == name


def test_everything_public_is_imported_at_the_head() -> None:
    code = "LIMIT = 3\n_x = 1\ndef f(): ...\ndef _g(): ...\nclass C: ...\ndef main(): ...\n"
    assert written_tests.head("m.py", code, []) == "import pytest\nfrom m import C, LIMIT, f\n\n\n"
    assert written_tests.head("m.py", "_x = 1\n", []) == ""


@pytest.mark.parametrize(
    ("files", "path"),
    [
        ([], "tests/test_prices.py"),
        (["tests/test_other.py"], "tests/test_prices.py"),
        (["test/unit/test_a.py", "test/test_b.py"], "test/test_prices.py"),
        (["shop/prices_test.py"], "shop/test_prices.py"),
        (["tests/unit/test_prices.py"], "tests/unit/test_prices_generated.py"),
        (
            ["tests/test_prices.py", "tests/test_prices_generated.py"],
            "tests/test_prices_generated_2.py",
        ),
    ],
)
def test_no_file_is_overwritten(files: list[str], path: str) -> None:
    assert written_tests.new_path("shop/prices.py", files) == path
