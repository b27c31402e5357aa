"""Small changes that break code."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.agent.recipes.mutants import Mutant, mutants

pytestmark = pytest.mark.req("AGT-16")


def _texts(code: str) -> list[str]:
    return [mutant.text.strip() for mutant in mutants(code)]


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("flag = a < b", "flag = a >= b"),
        ("flag = a in b", "flag = a not in b"),
        ("flag = a is None", "flag = a is not None"),
        ("x = a - b", "x = (a + b)"),
        ("x = a // b", "x = (a * b)"),
        ("x = 7", "x = 8"),
        ("x = 0.5", "x = 1.5"),
        ("return a", "return None"),
        ("flag = a and b", "flag = (a or b)"),
        ("x = 'é' * a", "x = ('é' + a)"),
    ],
)
def test_each_kind_of_change_is_made(line: str, changed: str) -> None:
    assert _texts(f"def f(a, b):\n    {line}\n") == [changed]


def test_a_condition_is_turned_round() -> None:
    code = "def f(a):\n    if a.ready():\n        go()\n    b = 'x' if a else 'y'\n"
    assert _texts(code) == ["if (not (a.ready())):", "b = 'x' if (not (a)) else 'y'"]


@pytest.mark.parametrize(
    "code",
    [
        '"""Only words, 3 of them."""\n',
        "if __name__ == '__main__':\n    run(1)\n",
        "x: Literal[3]\n",
        "def f(a) -> Literal[3]:\n    return None\n",
        "x = f'{a + b}'\n",
        "flag = True\n",
        "x = (\n    a\n    - b\n)\n",
        "def broken(:\n",
        "",
    ],
)
def test_what_does_not_run_or_has_no_line_of_its_own_is_left_alone(code: str) -> None:
    assert mutants(code) == ()


def test_they_are_few_and_spread_over_the_functions() -> None:
    code = "".join(
        f"def f{n}(a):\n    if a > {n + 5}:\n        return a + {n + 9}\n    return a * 3\n\n\n"
        for n in range(6)
    )
    found = mutants(code, 6)
    assert len(found) == 6
    assert {(mutant.line - 1) // 6 for mutant in found} == set(range(6))


def test_a_change_is_one_line() -> None:
    assert Mutant(2, "  b").applied("a\nb\nc\n") == "a\n  b\nc\n"


_EXPRESSION = st.recursive(
    st.sampled_from(["a", "b", "1", "2.5", "'é + 1'", "f(a)"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "//", "%"]), inner).map(
            lambda parts: "({} {} {})".format(*parts)
        ),
        st.tuples(inner, st.sampled_from(["<", "==", "in", "and", "or"]), inner).map(
            lambda parts: "({} {} {})".format(*parts)
        ),
        st.tuples(inner, inner, inner).map(lambda parts: "({} if {} else {})".format(*parts)),
        inner.map("(not {})".format),
    ),
    max_leaves=8,
)


@given(st.lists(_EXPRESSION, min_size=1, max_size=4))
def test_every_mutant_parses_and_means_something_else(expressions: list[str]) -> None:
    body = "".join(f"    x{n} = {one}\n" for n, one in enumerate(expressions))
    code = f"def f(a, b):\n{body}    return a\n"
    for mutant in mutants(code):
        changed = mutant.applied(code)
        assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(code))
        assert len(changed.splitlines()) == len(code.splitlines())
