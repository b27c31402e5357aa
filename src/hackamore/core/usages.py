"""The table of harmless uses: which flags and operands of well-known programs only read.

A program that is not here may still be allowed, but then only word by word. Options that run
something, write a file or read one from a list of names are left out on purpose, and so are
abbreviations of options.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Operands: TypeAlias = Literal["none", "text", "files", "pattern", "revisions", "tests"]
"""What the words that are no options are: nothing, text, files, a pattern and then files,
revisions or files, test files."""


@dataclass(frozen=True, slots=True)
class Usage:
    """How a program may be called.

    Attributes:
        letters: Short options without a value, which may stand together.
        flags: Long options, alone or with ``=value``.
        valued: Options with a value in the same or the next word.
        patterns: Those of `valued` that take the place of the pattern.
        operands: What the other words are.
        most: Operands at most.
        digits: ``-5`` is an option.
    """

    letters: str = ""
    flags: frozenset[str] = frozenset()
    valued: frozenset[str] = frozenset()
    patterns: frozenset[str] = frozenset()
    operands: Operands = "files"
    most: int = 1_000
    digits: bool = False


def words_of(words: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(words.split())


_SHOWN: Final = words_of(
    "--stat --shortstat --numstat --name-only --name-status --summary --patch --no-patch --raw "
    "--color --no-color --word-diff --ignore-all-space --ignore-space-change --ignore-blank-lines "
    "--minimal --patience --histogram --no-ext-diff --no-textconv --no-renames --find-renames "
    "--full-index --abbrev --unified --diff-filter --relative --text --no-prefix"
)
_LOGGED: Final = _SHOWN | words_of(
    "--oneline --graph --decorate --no-decorate --all --branches --tags --remotes --no-merges "
    "--merges --first-parent --reverse --follow --abbrev-commit --date-order --topo-order "
    "--format --pretty --date --cherry-pick --left-right --no-notes --relative-date --full-history"
)
_SOUGHT: Final = words_of(
    "--since --after --until --before --author --committer --grep --max-count"
)
_PYTEST: Final = Usage(
    letters="qvxsl",
    flags=words_of(
        "--quiet --verbose --exitfirst --tb --lf --last-failed --ff --failed-first --nf"
    ),
    valued=words_of("-k -m --maxfail --durations"),
    operands="tests",
)

USAGES: Final[Mapping[tuple[str, ...], Usage]] = {
    ("git", "status"): Usage(
        "sbvzu",
        words_of(
            "--short --branch --porcelain --long --verbose --untracked-files --ignored "
            "--show-stash --ahead-behind --no-ahead-behind --renames --no-renames --column"
        ),
    ),
    ("git", "diff"): Usage(
        "puwbRzaMU",
        _SHOWN | words_of("--cached --staged --check --exit-code --quiet --merge-base"),
        operands="revisions",
    ),
    ("git", "log"): Usage(
        "puwbizEFPM",
        _LOGGED,
        _SOUGHT | words_of("-n -S -G --skip"),
        operands="revisions",
        digits=True,
    ),
    ("git", "show"): Usage("puwbaMs", _LOGGED, operands="revisions"),
    ("git", "branch"): Usage(
        "arv", words_of("--all --remotes --list --show-current --verbose"), operands="none"
    ),
    ("git", "rev-parse"): Usage(
        "q",
        words_of(
            "--abbrev-ref --short --verify --show-toplevel --show-prefix --is-inside-work-tree"
        ),
        operands="revisions",
    ),
    ("git", "ls-files"): Usage(
        "cdmoistz", words_of("--cached --deleted --modified --others --exclude-standard --stage")
    ),
    ("git", "blame"): Usage("lstwefn", words_of("--date --porcelain"), operands="revisions"),
    ("git", "remote"): Usage("v", words_of("--verbose"), operands="none"),
    ("git", "stash", "list"): Usage(operands="none"),
    ("git", "grep"): Usage(
        "niIlLcvwhHEFPG",
        words_of("--line-number --ignore-case --count --cached --no-color --color --name-only"),
        words_of("-e -A -B -C"),
        words_of("-e"),
        "pattern",
    ),
    ("ls",): Usage(
        "laAhFrtSR1digsnopxmcuXkGUCLHB",
        words_of(
            "--all --almost-all --human-readable --recursive --reverse --color --directory "
            "--classify --group-directories-first --sort --time --size --inode"
        ),
    ),
    ("cat",): Usage(
        "nbAEsTvetu", words_of("--number --number-nonblank --show-all --squeeze-blank")
    ),
    ("head",): Usage("qvz", valued=words_of("-n -c --lines --bytes"), digits=True),
    ("tail",): Usage("qvz", valued=words_of("-n -c --lines --bytes"), digits=True),
    ("wc",): Usage("lwcmL", words_of("--lines --words --bytes --chars --max-line-length")),
    ("nl",): Usage("p"),
    ("grep",): Usage(
        "rRnilLcvwxohHEFPGsqazUTbI",
        words_of(
            "--recursive --line-number --ignore-case --invert-match --word-regexp --count --color "
            "--files-with-matches --files-without-match --only-matching --extended-regexp "
            "--fixed-strings --perl-regexp --no-filename --with-filename --quiet --silent "
            "--no-messages --text"
        ),
        words_of(
            "-e -A -B -C -m --regexp --include --exclude --exclude-dir --max-count --context "
            "--after-context --before-context"
        ),
        words_of("-e --regexp"),
        "pattern",
        digits=True,
    ),
    ("rg",): Usage(
        "nilcvwFPSsoHNux",
        words_of("--files-with-matches --ignore-case --line-number --hidden --count --no-heading"),
        words_of("-e -A -B -C -m -g -t -T --glob --type --max-count --regexp --context"),
        words_of("-e --regexp"),
        "pattern",
    ),
    ("sort",): Usage(
        "nrufbdghMVisz",
        words_of("--numeric-sort --reverse --unique --ignore-case --human-numeric-sort --stable"),
        words_of("-k -t --key --field-separator"),
    ),
    ("uniq",): Usage("cdui", words_of("--count --repeated --unique --ignore-case"), most=1),
    ("cut",): Usage("sz", words_of("--complement"), words_of("-d -f -c -b --delimiter --fields")),
    ("tr",): Usage("dscC", operands="text"),
    ("diff",): Usage("urqNwbBaiEy", words_of("--unified --brief --recursive --color")),
    ("cmp",): Usage("sbl"),
    ("basename",): Usage(operands="text"),
    ("dirname",): Usage(operands="text"),
    ("printf",): Usage(operands="text"),
    ("which",): Usage("a", operands="text"),
    ("pwd",): Usage("LP", operands="none"),
    ("true",): Usage(operands="none"),
    ("python", "-m", "pytest"): _PYTEST,
    ("python3", "-m", "pytest"): _PYTEST,
    ("pytest",): _PYTEST,
}
LONGEST_NAME: Final = max(len(name) for name in USAGES)
