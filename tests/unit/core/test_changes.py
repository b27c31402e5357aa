"""Changes as diffs."""

import pytest

from hackamore.core.changes import FileChange


@pytest.mark.req("AGT-02")
def test_a_changed_line_stands_in_a_unified_diff() -> None:
    change = FileChange("a.py", "one\ntwo\n", "one\n2\n")
    assert change.kind == "modified"
    assert change.diff() == "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"


@pytest.mark.req("AGT-02")
def test_new_and_removed_files_name_no_file_on_the_other_side() -> None:
    assert FileChange("a", None, "x\n").diff().startswith("--- /dev/null\n+++ b/a\n")
    assert FileChange("a", "x\n", None).diff().startswith("--- a/a\n+++ /dev/null\n")


@pytest.mark.req("AGT-02")
def test_a_missing_final_newline_is_said() -> None:
    assert "\\ No newline at end of file\n" in FileChange("a", "x\n", "x").diff()


@pytest.mark.req("AGT-02")
def test_only_line_feeds_end_lines() -> None:
    assert FileChange("a", "x\u2028y\x0cz\n", "x\u2028y\x0cw\n").diff().count("\n-") == 1
