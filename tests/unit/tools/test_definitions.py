"""Definitions are found with ctags where it is there, and without it."""

import json
from typing import Any

import pytest

from hackamore.core.workspace import Command
from hackamore.testing.fake_workspace import ScriptedResult
from hackamore.tools.definitions import definitions_of

pytestmark = pytest.mark.anyio
_PYTHON = (
    "class A:\n    def f(self):\n        def local(): ...\n\n    class B: ...\n\nasync def g(): ..."
)
_FILES = {"src/a.py": _PYTHON, "src/b.txt": "def no(): ...", "src/deep/c.py": "x = 1", ".env": ""}


@pytest.mark.req("TOOL-01")
async def test_a_folder_shows_the_definitions_of_its_own_files(bench: Any) -> None:
    output = await bench(_FILES).call("list_code_definition_names", path="src")
    assert output.text == (
        "src/a.py\n  class A (line 1)\n    method f (line 2)\n    class B (line 5)\n"
        "  function g (line 7)"
    )


@pytest.mark.req("TOOL-01")
async def test_one_file_is_enough_and_a_hidden_one_is_refused(bench: Any) -> None:
    box = bench(_FILES)
    assert "class A" in (await box.call("list_code_definition_names", path="src/a.py")).text
    assert (await box.call("list_code_definition_names", path=".env")).is_error
    assert (await box.call("list_code_definition_names", path="none.py")).is_error


@pytest.mark.req("TOOL-01")
async def test_ctags_is_believed_where_it_answers(bench: Any) -> None:
    tags = [
        {"name": "Known", "kind": "class", "line": 1, "language": "Python"},
        {"name": "f", "kind": "member", "line": 2, "scope": "Known", "language": "Python"},
        {"name": "x", "kind": "variable", "line": 3, "language": "Python"},
    ]
    lines = [json.dumps({"_type": "tag", "path": "./src/a.py", **tag}) for tag in tags]

    def answer(command: Command) -> ScriptedResult:
        assert command.line.startswith("ctags --options=NONE ")
        assert "./src/a.py" in command.line
        return ScriptedResult("\n".join(["no json", *lines]))

    output = await bench(_FILES, answer).call("list_code_definition_names", path="src")
    assert output.text == "src/a.py\n  class Known (line 1)\n    method f (line 2)"


@pytest.mark.req("TOOL-01", "TOOL-03")
async def test_a_file_with_very_many_definitions_is_cut_and_says_so(bench: Any) -> None:
    source = "".join(f"def f{number}(): ...\n" for number in range(2_500))
    output = await bench({"a.py": source}).call("list_code_definition_names", path="a.py")
    assert "Only the first 2,000 definitions" in output.text
    assert output.structured["truncated"] is True
    assert len(output.structured["files"]["a.py"]) == 2_000


@pytest.mark.req("TOOL-03")
async def test_a_name_that_hides_something_is_shown_as_it_is(bench: Any) -> None:
    files = {"a.js": "function a\u202eb() {}"}
    tag = {"_type": "tag", "path": "./a.js", "name": "a\u202eb", "kind": "function", "line": 1}

    def answer(_: Command) -> ScriptedResult:
        return ScriptedResult(json.dumps(tag))

    output = await bench(files, answer).call("list_code_definition_names", path="a.js")
    assert "\u202e" not in output.text


@pytest.mark.req("TOOL-01")
async def test_types_of_typescript_are_shown_with_ctags_too(bench: Any) -> None:
    tag = {"name": "T", "kind": "alias", "line": 1, "language": "TypeScript"}
    line = json.dumps({"_type": "tag", "path": "./a.ts", **tag})

    def answer(_: Command) -> ScriptedResult:
        return ScriptedResult(line)

    output = await bench({"a.ts": "\n"}, answer).call("list_code_definition_names", path="a.ts")
    assert output.text == "a.ts\n  type T (line 1)"


@pytest.mark.req("TOOL-01")
async def test_a_file_name_is_no_part_of_the_command_line(bench: Any) -> None:
    box = bench({"a; touch x.py": "def f(): ..."})
    output = await box.call("list_code_definition_names", path=".")
    assert "'./a; touch x.py'" in box.sandbox.commands[0].line
    assert "function f" in output.text


@pytest.mark.req("TOOL-01")
@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        ("a.py", "class A:\n  def f(:\n", ["class A", "function f"]),
        ("a.ts", "export class A {\n  async f(x: T) {\n    if (x) {\n", ["class A", "method f"]),
        ("a.js", "const f = (a) => a\nfunction g() {\n", ["function f", "function g"]),
        ("a.go", "type S struct {\nfunc (s *S) M() {\nfunc F() {", "struct S,method M,function F"),
        (
            "a.rs",
            "pub struct S;\nimpl S {\n    pub fn f() {",
            "struct S,implementation S,function f",
        ),
        (
            "A.java",
            "public class A {\n  public int f(int x) {\n    return g(x);",
            "class A,method f",
        ),
        ("a.kt", "data class A(val x: Int)\nfun f() {", "class A,function f"),
        ("a.c", "struct s {\nint f(int x) {\n  return g(x);\nint h(void);", "struct s,function f"),
        ("a.cs", "namespace N.M {\n  class A {\n    void F()\n", "namespace N.M,class A,method F"),
        ("a.rb", "module M\n  class A\n    def f?\n", "module M,class A,method f?"),
        ("a.php", "final class A {\n  public function f() {", "class A,function f"),
        ("a.swift", "struct S {\n  func f() {", "struct S,function f"),
    ],
)
def test_languages_are_known_by_their_looks(path: str, text: str, names: str | list[str]) -> None:
    expected = names.split(",") if isinstance(names, str) else names
    assert [f"{d.kind} {d.name}" for d in definitions_of(path, text) or ()] == expected


@pytest.mark.req("TOOL-01", "TOOL-04")
def test_lines_made_to_be_slow_are_not() -> None:
    for line in ("a " * 199, "static " * 50, "func (" * 60, "impl<" * 70, "a<b,c*&" * 50):
        for ending in ("c", "java", "rs", "ts", "go", "php"):
            assert definitions_of(f"a.{ending}", f"{line}\n" * 20) is not None
