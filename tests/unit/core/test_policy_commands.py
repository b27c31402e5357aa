"""Commands in the policy: a rule may let one pass, and no other layer's word is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.core.commands import CommandRules
from hackamore.core.effects import Effect
from hackamore.core.policy import (
    DEFAULT_ANSWERS,
    READ_ONLY_ANSWERS,
    Action,
    Allow,
    Answer,
    Ask,
    Deny,
    Layer,
    Policy,
    ResourceDescriptor,
    narrow,
)
from hackamore.core.protected import DEFAULT_HIDDEN

_USER = Layer(
    "the configuration",
    DEFAULT_ANSWERS,
    commands=CommandRules(("git status", "cat"), hidden=DEFAULT_HIDDEN),
)
_ANSWERS: st.SearchStrategy[Answer] = st.sampled_from(["allow", "ask", "deny"])
_PATTERNS = st.lists(st.sampled_from(["ls", "git status", "git push"]), max_size=2).map(tuple)
_LAYERS = st.builds(
    Layer,
    source=st.just("a layer"),
    answers=st.dictionaries(st.just(Effect.RUN), _ANSWERS),
    commands=st.builds(CommandRules, allow=_PATTERNS, ask=_PATTERNS, deny=_PATTERNS),
)
_LINES = st.sampled_from(["ls", "git status", "git push", "ls; git push", "ls $x", "ls\0", "id"])
_RANK = {Allow: 0, Ask: 1, Deny: 2}


def _run(line: str) -> Action:
    return Action("execute_command", Effect.RUN, command=line)


@pytest.mark.req("SBX-02", "AGT-12")
@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("git status", Allow),
        ("git status; id", Ask),
        ("cat .env", Deny),
        ("git status\0", Deny),
    ],
)
def test_a_layer_that_asks_lets_pass_what_its_rules_cover(line: str, kind: type) -> None:
    assert isinstance(Policy((_USER,)).judge(_run(line)), kind)


@pytest.mark.req("SBX-02")
def test_no_rule_that_allows_lifts_what_another_layer_asks_or_denies() -> None:
    policy = Policy((_USER,))
    project = Layer("the project", {Effect.RUN: "ask"})
    rule = Layer("the project", commands=CommandRules(deny=("git status",)))
    plan = Layer("plan mode", READ_ONLY_ANSWERS)
    assert isinstance(narrow(policy, project).judge(_run("git status")), Ask)
    assert isinstance(narrow(policy, rule).judge(_run("git status")), Deny)
    assert isinstance(narrow(policy, plan).judge(_run("git status")), Deny)


@pytest.mark.req("SBX-02")
@given(st.lists(_LAYERS, max_size=3).map(tuple), _LAYERS, _LINES)
def test_a_further_layer_never_widens(layers: tuple[Layer, ...], extra: Layer, line: str) -> None:
    policy = Policy(layers)
    before, after = policy.judge(_run(line)), narrow(policy, extra).judge(_run(line))
    assert _RANK[type(after)] >= _RANK[type(before)]


@pytest.mark.req("SBX-01")
@pytest.mark.parametrize(
    ("line", "covered"),
    [
        ("git status", True),
        ("git  status", True),
        ("git status -s", True),
        ("git status; id", False),
        ("git push", False),
        ("git status > x", False),
    ],
)
def test_a_descriptor_of_a_command_covers_its_words(line: str, covered: bool) -> None:
    descriptor = ResourceDescriptor("command", "command:git status", frozenset({"run"}))
    verdict = Policy((Layer("the request", descriptors=(descriptor,)),)).judge(_run(line))
    assert (verdict == Allow()) is covered
