"""The policy: the strictest layer decides, and nothing widens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.core.codes import Code
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
    Verdict,
    narrow,
)

_PATHS = st.sampled_from(["src/a.py", "src/deep/b.py", "README.md", ".env", "conftest.py"])
_TOOLS = st.sampled_from(["read_file", "write_to_file", "execute_command", "git__log"])
_PATTERNS = st.sampled_from(["**/*.py", "src/**", "*.md", "conftest.py", ".env*"])
_ANSWERS: st.SearchStrategy[Answer] = st.sampled_from(["allow", "ask", "deny"])
_DESCRIPTORS = st.builds(
    ResourceDescriptor,
    type=st.sampled_from(["file", "command", "mcp"]),
    uri=st.sampled_from(["file://./src/**/*.py", "file://./**", "command:ls", "mcp://git/log"]),
    permissions=st.frozensets(st.sampled_from(["read", "write"])),
)
_LAYERS = st.builds(
    Layer,
    source=st.just("a layer"),
    answers=st.dictionaries(st.sampled_from(Effect), _ANSWERS),
    tools=st.none() | st.frozensets(_TOOLS),
    descriptors=st.none() | st.lists(_DESCRIPTORS, max_size=3).map(tuple),
    ask_paths=st.lists(_PATTERNS, max_size=2).map(tuple),
    deny_paths=st.lists(_PATTERNS, max_size=2).map(tuple),
)
_ACTIONS = st.builds(
    Action,
    tool=_TOOLS,
    effect=st.sampled_from(Effect),
    path=st.none() | _PATHS,
    folder=st.booleans(),
    command=st.none() | st.sampled_from(["ls", "rm -rf x"]),
    server=st.none() | st.just("git"),
)
_RANK = {Allow: 0, Ask: 1, Deny: 2}


def _rank(verdict: Verdict) -> int:
    return _RANK[type(verdict)]


def _write(path: str) -> Action:
    return Action("write_to_file", Effect.WRITE, path=path)


@pytest.mark.req("SBX-02", "SBX-01")
@given(layers=st.lists(_LAYERS, max_size=3).map(tuple), extra=_LAYERS, action=_ACTIONS)
def test_adding_a_restriction_never_widens(
    layers: tuple[Layer, ...], extra: Layer, action: Action
) -> None:
    policy = Policy(layers)
    assert _rank(narrow(policy, extra).judge(action)) >= _rank(policy.judge(action))


@pytest.mark.req("SBX-02")
@given(layers=st.lists(_LAYERS, max_size=3), action=_ACTIONS)
def test_the_order_of_layers_does_not_matter(layers: list[Layer], action: Action) -> None:
    forwards, backwards = Policy(tuple(layers)), Policy(tuple(reversed(layers)))
    assert _rank(forwards.judge(action)) == _rank(backwards.judge(action))


@pytest.mark.req("AGT-12")
@pytest.mark.parametrize("effect", [Effect.WRITE, Effect.RUN, Effect.NETWORK])
def test_whatever_changes_something_is_asked_by_default(effect: Effect) -> None:
    policy = Policy((Layer("the defaults", DEFAULT_ANSWERS),))
    assert isinstance(policy.judge(Action("t", effect)), Ask)
    assert policy.judge(Action("t", Effect.READ)) == Allow()


@pytest.mark.req("AGT-11")
def test_a_read_only_layer_denies_what_changes_and_does_not_offer_it() -> None:
    policy = narrow(Policy(()), Layer("plan mode", READ_ONLY_ANSWERS))
    verdict = policy.judge(_write("a.py"))
    assert isinstance(verdict, Deny)
    assert "plan mode" in verdict.reason
    assert not policy.offers(_write("a.py"))
    assert policy.offers(Action("read_file", Effect.READ))


@pytest.mark.req("AGT-12")
def test_a_path_that_can_change_what_runs_is_a_grave_question() -> None:
    policy = Policy((Layer("the rules", ask_paths=("conftest.py",)),))
    verdict = policy.judge(_write("conftest.py"))
    assert isinstance(verdict, Ask)
    assert verdict.grave
    assert policy.judge(Action("read_file", Effect.READ, path="conftest.py")) == Allow()


@pytest.mark.req("SBX-01")
def test_a_grave_question_stays_grave_beside_an_ordinary_one() -> None:
    layers = (
        Layer("the defaults", DEFAULT_ANSWERS),
        Layer("the rules", ask_paths=("conftest.py",)),
    )
    verdict = Policy(layers).judge(_write("conftest.py"))
    assert isinstance(verdict, Ask)
    assert verdict.grave


@pytest.mark.req("SBX-01")
@pytest.mark.parametrize(
    ("action", "allowed"),
    [
        (Action("read_file", Effect.READ, path="src/a.py"), True),
        (Action("read_file", Effect.READ, path="src/deep/a.py"), True),
        (Action("read_file", Effect.READ, path="src/a.txt"), False),
        (Action("read_file", Effect.READ, path="lib/a.py"), False),
        (Action("write_to_file", Effect.WRITE, path="src/a.py"), False),
        (Action("execute_command", Effect.RUN, command="ls"), False),
        (Action("git__log", Effect.RUN, server="git"), False),
        (Action("list_files", Effect.READ, path=".", folder=True), False),
    ],
)
def test_descriptors_allow_only_what_they_cover(action: Action, allowed: bool) -> None:
    descriptor = ResourceDescriptor(
        "file", "file://./src/**/*.py", frozenset({"read"}), allowed_extensions=(".py",)
    )
    verdict = Policy((Layer("the request", descriptors=(descriptor,)),)).judge(action)
    assert (verdict == Allow()) is allowed


@pytest.mark.req("SBX-01")
def test_a_name_alone_in_a_descriptor_means_the_root_only() -> None:
    descriptor = ResourceDescriptor("file", "file://./*.py", frozenset({"read"}))
    policy = Policy((Layer("the request", descriptors=(descriptor,)),))
    assert policy.judge(Action("read_file", Effect.READ, path="a.py")) == Allow()
    assert isinstance(policy.judge(Action("read_file", Effect.READ, path="src/a.py")), Deny)


@pytest.mark.req("SBX-01")
def test_an_mcp_tool_needs_an_mcp_descriptor() -> None:
    call = Action("git__log", Effect.RUN, server="git")
    covered = ResourceDescriptor("mcp", "mcp://git/log", frozenset({"call"}))
    assert Policy((Layer("r", descriptors=(covered,)),)).judge(call) == Allow()
    assert isinstance(Policy((Layer("r", descriptors=()),)).judge(call), Deny)


@pytest.mark.req("SBX-01")
def test_a_command_descriptor_allows_its_command_only_with_the_permission_to_run() -> None:
    call = Action("execute_command", Effect.RUN, command="git status")
    for permissions, allowed in ((frozenset({"run"}), True), (frozenset({"read"}), False)):
        descriptor = ResourceDescriptor("command", "command:git status", permissions)  # pyright: ignore[reportArgumentType] - from a loop
        verdict = Policy((Layer("r", descriptors=(descriptor,)),)).judge(call)
        assert (verdict == Allow()) is allowed


@pytest.mark.req("SBX-01")
def test_a_tool_that_is_not_listed_is_not_allowed_and_not_offered() -> None:
    policy = Policy((Layer("the request", tools=frozenset({"read_file"})),))
    verdict = policy.judge(_write("a"))
    assert verdict == Deny("the request does not list write_to_file", Code.TOOL_NOT_ALLOWED)
    assert not policy.offers(_write("a"))


@pytest.mark.req("AGT-11")
def test_control_tools_are_always_there() -> None:
    policy = Policy((Layer("none", tools=frozenset(), descriptors=()),))
    answer = Action("attempt_completion", Effect.READ, control=True)
    assert policy.judge(answer) == Allow()
    assert policy.offers(answer)
