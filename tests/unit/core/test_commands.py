"""Command lines are judged by their words: what is not understood is never allowed."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.core.commands import CommandRules, judge_line
from hackamore.core.protected import DEFAULT_HIDDEN

_CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "cases" / "security_shell.json").read_text(encoding="utf-8")
)
_ALLOW = (
    *("git status", "git log", "git diff", "git branch", "ls", "cat", "grep", "echo", "find"),
    *("sed", "sort", "head", "uniq", "python -m pytest", "npm test", "npm install"),
)
_RULES = CommandRules(_ALLOW, hidden=DEFAULT_HIDDEN)


@pytest.mark.req("SBX-02", "SBX-07", "AGT-12")
@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["id"])
def test_every_case_of_the_list_holds(case: dict[str, Any]) -> None:
    rules = CommandRules(tuple(case["input"]["allow"]), hidden=DEFAULT_HIDDEN)
    assert judge_line(case["input"]["command"], rules).answer == case["expected"]["decision"]


@pytest.mark.req("AGT-12")
@pytest.mark.parametrize(
    "line",
    [
        *("git status", "git  status", "git\tstatus", "git status -sb", "git --no-pager diff"),
        *("git log --oneline -5", "git log -n 3 --author=me", "git diff HEAD~1 -- src/a.py"),
        *("git diff main..dev --stat", "git 'status'", "git status;", "git status\n"),
        *("git status && ls -la src", "git status | cat", "ls\ncat README.md", "ls ||\ncat a"),
        *(
            "cat -n src/a.py",
            "head -n 5 a.py",
            "head -5 a.py",
            "grep -rn 'a|b;c' src",
            "echo 'x;y'",
        ),
        *("grep -A3 -e x src", 'grep "foo\\.bar$" a.py', "ls 2>/dev/null", "npm test 2>&1 | head"),
        *("find . -name '*.py' -type f", r"find . \( -name a -o -name b \)", "sed -n '1,9p' a.py"),
        *("timeout 60 npm test", "time npm test", "nice npm test", "LC_ALL=C sort a", "sort -k2 a"),
        *("python -m pytest", "python -m pytest -q -x -k name", "python -m pytest tests/a.py::t"),
        *("echo -e hi", "echo {}", "cat .env.example", "npm install", "command ls"),
    ],
)
def test_what_only_reads_is_allowed_in_any_spelling(line: str) -> None:
    assert judge_line(line, _RULES).answer == "allow"


@pytest.mark.req("SBX-02", "SBX-07")
@pytest.mark.parametrize(
    "line",
    [
        *("git --output=x diff", "git diff --output=x", "git diff --outp=x", "git diff --ext-diff"),
        *("git log -p --textconv", "git branch -D x", "git branch new", "git -p log"),
        *("git --exec-path=. status", "git push", "git log -Ofile", "git log HEAD:a"),
        *("git status --porcelain --help", "git log --since -p", "git diff ../x", "git"),
        *("git status\ncurl evil", "git status\n\ncurl evil", "git status &&", "&& ls", "ls ;; ls"),
        *("ls>x", "ls >> x", "echo x>>f", "echo x >| f", "ls &> f", "ls >&f", "ls <> f", "cat <a"),
        *(
            "cat $IFS",
            "cat$IFS/etc/passwd",
            "ls$IFS-la",
            "cat /etc/passwd",
            "cat ~/.ssh/x",
            "cat ~",
        ),
        *("cat ../x", "cat src/../../x", "cat -- /etc/passwd", "find / -delete", "find . -delete"),
        *("find . -fprint x", "find . -ok rm {} +", "find . -files0-from x", "find -L / -name a"),
        *(
            "sed -n '1e id' f",
            "sed -i s/a/b/ f",
            "sed 's/a/b/e' f",
            "sed -n 1p -i f",
            "sed -n '1w x' f",
        ),
        *("sort -o x a", "sort -nox a", "sort --compress-program=sh a", "sort --comp=sh a"),
        *("uniq a b", "tee x", "ls | tee x", "env", "env ls", "xargs ls", "ls | xargs cat"),
        *("python -c 1", "npm install evil", "npm test x", "npm tests", "npm", "python -m pytestx"),
        *('ls "$(id)"', "ls `id`", "ls $(id)", "\\ls", '"ls"', "l\\s", "'git' status", "ls $'a'"),
        *(
            "git\u00a0status",
            "git status\u200b",
            "git\u3000status",
            "ls \x0b",
            "ls \x1b[A",
            "ls\x7f",
        ),
        *("git st\\\natus", "git \\\nstatus", "!!", "! ls", "cat<(id)", "cat <<x", "cat <<<x"),
        *(
            "((1))",
            "[[ a ]]",
            "[ a ]",
            "coproc ls",
            "trap ls EXIT",
            "export A=1",
            ". a",
            "source a",
        ),
        *(
            "exec ls",
            "eval ls",
            "A=1",
            "A=1 ls",
            "PATH=. ls",
            "LC_ALL=C",
            "(ls)",
            "{ ls; }",
            "ls {a,b}",
        ),
        *(
            "if ls; then ls; fi",
            "for a in b; do ls; done",
            "function ls { id; }",
            "ls #",
            "ls & ls",
        ),
        *("ls *", "cat *.py", "ls ?", "ls [a]", "l?", "'", 'echo "', "", " ", ";", "ls |& cat"),
        *("sudo ls", "sh -c ls", "bash -c 'ls'", "nohup ls", "timeout ls", "timeout -k 1 2 ls"),
        *(
            "time -p ls",
            "command -p ls",
            "nice -n x ls",
            "/bin/ls",
            "./ls",
            "LS",
            "python -m pytest -p x",
        ),
        *(
            "python -m pytest @x",
            "python -m pytest /tmp",
            "python -m pytest -c x",
            "head --lin=5 a",
        ),
        *(
            "echo ${x}",
            'echo "${x}"',
            'echo "$x"',
            "echo $((1))",
            "echo $[1]",
            'echo $"x"',
            "echo a=~",
        ),
        *(
            "grep -f x y",
            "grep -rf x y",
            "grep x /etc",
            "grep --file=x y",
            "grep -e x /etc",
            "ls >",
        ),
        *("git status\x00"[:-1] + "\x85", "cat a\u2028id", "echo \ud800", "echo \U000e0041"),
    ],
)
def test_what_could_do_more_is_asked(line: str) -> None:
    judged = judge_line(line, _RULES)
    assert judged.answer == "ask"
    assert judged.reason


@pytest.mark.req("SBX-02", "SBX-07")
@pytest.mark.parametrize(
    "line",
    [
        *("cat .env", "cat ./src/../.env", "cat src/.env.local", "grep -r x .env", "cat <.env"),
        *("ls && cat .env", "cat .env | id", "timeout 5 cat .env", "head -n 1 id_rsa", "ls .ssh"),
        *(
            'cat ".env"',
            "cat .en\\v",
            "sort server.key",
            "cat .ENV",
            "cat -- .env",
            "sed -n 1p .env",
        ),
        *("ls\0", "git status\0"),
    ],
)
def test_hidden_files_and_nul_are_denied(line: str) -> None:
    assert judge_line(line, _RULES).answer == "deny"


@pytest.mark.req("AGT-12")
@pytest.mark.parametrize(
    "line",
    [
        *("git push", "git push origin", "ls && git push", "ls; (git push)", "echo $(git push)"),
        *(
            'echo "$(git push)"',
            "git -C . push",
            "git -c a=b push",
            "/usr/bin/git push",
            "g\\it push",
        ),
        *("sudo git push", "sh -c 'git push'", "xargs git push", "env A=1 git push", "git push &"),
        *("rm -fr x", "rm -r -f x", "rm x -rf", "find . -exec rm -rf {} +", "eval git push"),
        *(
            "timeout 5 git push",
            "{ git push; }",
            "A=1 git push",
            "git push >x",
            "if git push; then x",
        ),
    ],
)
def test_a_denied_command_is_found_wherever_it_stands(line: str) -> None:
    rules = CommandRules((*_ALLOW, "git push"), deny=("git push", "rm -rf"))
    assert judge_line(line, rules).answer == "deny"


@pytest.mark.req("AGT-12")
def test_deny_wins_over_ask_and_ask_over_allow() -> None:
    assert judge_line("ls", CommandRules(("ls",), ("ls",))).answer == "ask"
    assert judge_line("ls", CommandRules(("ls",), ("ls",), ("ls",))).answer == "deny"
    assert (
        judge_line("git log push", CommandRules(("git log",), deny=("git push",))).answer == "allow"
    )


_PARTS = st.sampled_from(
    [
        "ls",
        "git status",
        "git push",
        "cat .env",
        "$x",
        "`id`",
        "$(ls)",
        "|",
        ";",
        "&&",
        ">x",
        "'",
        " ",
    ]
)
_UNKNOWN = st.sampled_from(
    ["$x", "`id`", "$(id)", "*", "<(id)", "${x@P}", "&", "$'x'", "<<x", "\r"]
)
_PATTERNS = st.lists(st.sampled_from(["ls", "git status", "git push", "cat", "git"]), max_size=3)
_RANK = {"allow": 0, "ask": 1, "deny": 2}


@pytest.mark.req("SBX-02")
@given(st.lists(_PARTS).map(" ".join), _UNKNOWN, st.lists(_PARTS).map(" ".join))
def test_a_line_with_an_unknown_part_is_never_allowed(before: str, part: str, after: str) -> None:
    before, after = before.replace("'", ""), after.replace("'", "")
    assert judge_line(f"{before} {part} {after}", _RULES).answer != "allow"


@pytest.mark.req("SBX-02")
@given(st.text() | st.lists(_PARTS).map(" ".join), _PATTERNS, _PATTERNS, _PATTERNS)
def test_rules_that_ask_or_deny_never_widen(
    line: str, allow: list[str], ask: list[str], deny: list[str]
) -> None:
    less = judge_line(line, CommandRules(tuple(allow)))
    more = judge_line(line, CommandRules(tuple(allow), tuple(ask), tuple(deny)))
    assert _RANK[more.answer] >= _RANK[less.answer]


@pytest.mark.req("SBX-02", "SBX-07")
@pytest.mark.parametrize(
    "line",
    [
        *("sed -n 1p {''-e,'1e id'} a", "sort {''-o,OUT} a", "cat {''/etc/hostname,a}"),
        *(
            "cat {.e'n'v,a}",
            r"cat {\.env,a}",
            'cat {"",.env}',
            "cat .en{'v',x}",
            "grep K {.env,''a}",
        ),
        *("find {''vic,-delete}", "git diff {''--output=x,HEAD}", 'cat {"",a}', "cat a{'',b}"),
        *("git log -p -- '.en*'", "git diff -- 'a?'", "'LC_ALL=C' ls", 'LC_ALL="C" ls'),
    ],
)
def test_braces_patterns_and_assignments_with_quotes_are_never_allowed(line: str) -> None:
    assert judge_line(line, _RULES).answer in ("ask", "deny")


@pytest.mark.req("SBX-02")
@pytest.mark.parametrize(
    "line",
    [
        *("{'rm',a.txt}", "{rm,-rf,x}", "flock l rm -rf x", "taskset 1 rm a", "X='a' rm f"),
        *("bash -c 'rm a'", 'sudo sh -c "rm a"', "fakeroot rm a"),
    ],
)
def test_a_denied_program_is_found_in_braces_and_behind_what_runs_it(line: str) -> None:
    assert judge_line(line, CommandRules(_ALLOW, deny=("rm",))).answer == "deny"
