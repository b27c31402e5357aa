"""Patches: unified diffs and the form that begins with *** Begin Patch."""

import difflib

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hackamore.core.codes import Code
from hackamore.core.edit import FilePatch
from hackamore.core.errors import EditError
from hackamore.edits.patch import Patches

_PATCHES = Patches()
_LINES = st.lists(st.sampled_from(["a", "b", "  c", "", "def f():", "x = 1", "ä€"]), max_size=12)


def _only(patch: str) -> FilePatch:
    (one,) = _PATCHES.read(patch)
    return one


def _applied(text: str, patch: str) -> str:
    return _PATCHES.apply(text, _only(patch))


def _update(*body: str) -> str:
    return "\n".join(["*** Begin Patch", "*** Update File: a.py", *body, "*** End Patch"])


@pytest.mark.req("TOOL-02")
@given(old=_LINES, new=_LINES, ends=st.booleans(), context=st.integers(0, 3))
def test_a_diff_made_by_a_tool_gives_the_new_text(
    old: list[str], new: list[str], ends: bool, context: int
) -> None:
    before = "".join(f"{line}\n" for line in old)
    after = "".join(f"{line}\n" for line in new)
    if ends and after and new[-1]:
        after = after[:-1]
    assume(before != after)
    lines = difflib.unified_diff(
        before.splitlines(True), after.splitlines(True), "a/x", "b/x", n=context
    )
    diff = "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
    assert _applied(before, diff) == after


@pytest.mark.req("TOOL-02")
def test_line_counts_that_are_wrong_do_no_harm() -> None:
    diff = "--- a/x\n+++ b/x\n@@ -1,99 +1,2 @@\n a\n-b\n+B\n"
    assert _applied("a\nb\nc\n", diff) == "a\nB\nc\n"


@pytest.mark.req("TOOL-02")
def test_line_ends_and_the_bom_are_kept() -> None:
    diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n a\n-b\n+B1\n+B2\n"
    assert _applied("\ufeffa\r\nb\r\nc", diff) == "\ufeffa\r\nB1\r\nB2\r\nc"


@pytest.mark.req("TOOL-02")
def test_a_line_number_decides_between_equal_places() -> None:
    text = "x\ny\nx\ny\n"
    assert _applied(text, "--- a/x\n+++ b/x\n@@ -3,1 +3,1 @@\n-x\n+z\n") == "x\ny\nz\ny\n"
    with pytest.raises(EditError) as caught:
        _applied(text, "--- a/x\n+++ b/x\n@@ -9,1 +9,1 @@\n-x\n+z\n")
    assert caught.value.code is Code.EDIT_AMBIGUOUS
    assert "lines 1, 3" in str(caught.value)


@pytest.mark.req("TOOL-02")
def test_a_header_decides_between_equal_places() -> None:
    text = "def f():\n    pass\ndef g():\n    pass\n"
    patch = _update("@@ def g():", "-    pass", "+    return 1")
    assert _applied(text, patch) == "def f():\n    pass\ndef g():\n    return 1\n"


@pytest.mark.req("TOOL-02")
def test_the_end_of_the_file_can_be_meant() -> None:
    patch = _update("@@", "+last", "*** End of File")
    assert _applied("a\nb\n", patch) == "a\nb\nlast\n"


@pytest.mark.req("TOOL-02")
def test_old_lines_that_are_not_there_are_explained_with_the_nearest() -> None:
    with pytest.raises(EditError) as caught:
        _applied("total = 1\n", _update("-totals = 1", "+total = 2"))
    assert caught.value.code is Code.EDIT_NOT_FOUND
    assert "total = 1" in caught.value.hint


@pytest.mark.req("TOOL-02")
def test_hunks_stand_in_the_order_of_the_file() -> None:
    patch = _update("@@", "-b", "+B", "@@", "-a", "+A")
    with pytest.raises(EditError):
        _applied("a\nb\n", patch)


@pytest.mark.req("TOOL-02")
def test_a_patch_names_files_that_come_go_and_move() -> None:
    patch = """*** Begin Patch
*** Add File: new.txt
+one
+
+two
*** Delete File: old.txt
*** Update File: a.py
*** Move to: b.py
@@
-x
+y
*** End Patch
"""
    added, deleted, moved = _PATCHES.read(patch)
    assert (added.kind, added.path) == ("add", "new.txt")
    assert _PATCHES.apply("", added) == "one\n\ntwo\n"
    assert deleted == FilePatch("delete", "old.txt")
    assert (moved.path, moved.moved_to) == ("a.py", "b.py")
    assert _PATCHES.apply("x\n", moved) == "y\n"


@pytest.mark.req("TOOL-02")
def test_gits_own_diffs_are_read() -> None:
    diff = """diff --git a/new.txt b/new.txt
new file mode 100644
index 0000000..5626abf
--- /dev/null
+++ b/new.txt
@@ -0,0 +1 @@
+one
diff --git a/old.txt b/old.txt
deleted file mode 100644
index 5626abf..0000000
--- a/old.txt
+++ /dev/null
@@ -1 +0,0 @@
-one
diff --git a/a b.txt b/c.txt
similarity index 100%
rename from a b.txt
rename to c.txt
diff --git a/x.py b/x.py
index 1..2 100644
--- a/x.py
+++ b/x.py
@@ -1,2 +1,2 @@ def f():
 a
--- sql comment
+-- SQL comment
"""
    new, old, renamed, changed = _PATCHES.read(diff)
    assert (new.kind, new.path) == ("add", "new.txt")
    assert (old.kind, old.path) == ("delete", "old.txt")
    assert (renamed.path, renamed.moved_to, renamed.hunks) == ("a b.txt", "c.txt", ())
    assert _PATCHES.apply("a\n-- sql comment\n", changed) == "a\n-- SQL comment\n"


@pytest.mark.req("TOOL-02")
def test_a_fence_around_the_patch_is_no_part_of_it() -> None:
    fenced = "```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n```\n"
    assert _applied("a\n", fenced) == "b\n"


@pytest.mark.req("TOOL-02")
@pytest.mark.parametrize(
    "patch",
    [
        "",
        "hello",
        "*** Begin Patch\n*** End Patch",
        "*** Begin Patch\nrm -rf\n*** Delete File: a\n*** End Patch",
        _update(),
        _update("@@", "no mark"),
        "*** Begin Patch\n*** Add File: a\nno plus\n*** End Patch",
        "diff --git a/x b/x\nindex 1..2\nGIT binary patch\nliteral 0",
    ],
)
def test_what_is_no_patch_is_refused_with_the_form(patch: str) -> None:
    with pytest.raises(EditError) as caught:
        _PATCHES.read(patch)
    assert caught.value.code is Code.INVALID_REQUEST
    assert caught.value.hint


@pytest.mark.req("TOOL-02")
@given(st.text(alphabet="*+-@ \nabd/:ilepFUtBgn0123,", max_size=300))
def test_no_text_makes_it_fail_in_another_way(text: str) -> None:
    for patch in (
        text,
        f"*** Begin Patch\n*** Update File: a\n{text}",
        f"--- a/x\n+++ b/x\n{text}",
    ):
        try:
            for one in _PATCHES.read(patch):
                _PATCHES.apply("a\nb\nd\n", one)
        except EditError:
            continue


@pytest.mark.req("TOOL-02")
@pytest.mark.parametrize("header", ["@@ -1,2 +1,2", "@@", "@@ ... @@", "@@ -1 @@ def f():"])
def test_hunk_headers_are_read_as_models_write_them(header: str) -> None:
    assert _applied("a\nb\n", f"--- a/x\n+++ b/x\n{header}\n a\n-b\n+B\n") == "a\nB\n"


@pytest.mark.req("TOOL-02")
def test_a_blank_line_at_the_end_of_a_hunk_counts_when_it_has_its_space() -> None:
    assert _applied("\n", "--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n+a\n \n") == "a\n\n"


@pytest.mark.req("TOOL-02")
def test_copies_and_headers_that_are_none_are_refused() -> None:
    for patch in (
        "diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n",
        "--- a/x\n+++ b/x\n@@oops\n-a\n+b\n",
    ):
        with pytest.raises(EditError):
            _PATCHES.read(patch)
