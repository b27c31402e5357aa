"""The policy: a pure function from a call to allow, ask or deny.

A policy is a row of layers, and the strictest layer decides. Narrowing adds a layer; nothing
removes one. So a restriction can never widen what another one left open.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from hackamore.core.codes import Code
from hackamore.core.commands import CommandRules, Judgement, judge_line
from hackamore.core.effects import Effect
from hackamore.core.glob import matches
from hackamore.core.protected import DEFAULT_HIDDEN, PathMatcher
from hackamore.core.url_pattern import url_matches

Answer: TypeAlias = Literal["allow", "ask", "deny"]
Permission: TypeAlias = Literal["read", "write", "run", "network", "call"]


@dataclass(frozen=True, slots=True)
class Action:
    """What a call would do, as far as a policy looks at it.

    Attributes:
        tool: The tool's name.
        effect: The worst that it can do.
        control: It only steers the run; allowed whatever the rules say.
        path: The file or folder that it names, relative to the workspace.
        folder: `path` is a folder, and all below it is meant.
        command: The command line that it would run.
        server: The MCP server that it goes to, if any.
        server_tool: The tool's name on that server.
        url: The address that it would fetch.
    """

    tool: str
    effect: Effect
    control: bool = False
    path: str | None = None
    folder: bool = False
    command: str | None = None
    server: str | None = None
    server_tool: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Allow:
    """It may run."""


@dataclass(frozen=True, slots=True)
class Ask:
    """The person decides. `grave`: a standing yes to edits does not cover it."""

    reason: str
    grave: bool = False


@dataclass(frozen=True, slots=True)
class Deny:
    """It must not run."""

    reason: str
    code: Code = Code.PERMISSION_DENIED


Verdict: TypeAlias = Allow | Ask | Deny


@dataclass(frozen=True, slots=True)
class ResourceDescriptor:
    """One thing that may be touched, and how.

    Attributes:
        type: What kind of thing.
        uri: ``file://./src/**/*.py``, ``https://host/**``, ``command:git status`` or
            ``mcp://server/tool``.
        permissions: What may be done with it.
        max_size_bytes: Larger files are out, or None.
        allowed_extensions: Other endings are out; () allows all.
    """

    type: Literal["file", "http", "command", "mcp"]
    uri: str
    permissions: frozenset[Permission]
    max_size_bytes: int | None = None
    allowed_extensions: tuple[str, ...] = ()

    def covers(self, action: Action) -> bool:
        """Return whether `action` stays within this descriptor."""
        if self.type == "mcp":
            return "call" in self.permissions and self._covers_mcp(action)
        if action.server is not None:
            return False
        if self.type == "command":
            return "run" in self.permissions and self._covers_command(action)
        if self.type == "http":
            return bool({"network", "read"} & self.permissions) and self._covers_url(action)
        return self.type == "file" and action.command is None and self._covers_path(action)

    def _covers_url(self, action: Action) -> bool:
        fetches = action.effect is Effect.NETWORK and action.command is None
        return fetches and action.url is not None and url_matches(self.uri, action.url)

    def _covers_command(self, action: Action) -> bool:
        pattern = self.uri.removeprefix("command:")
        rules = CommandRules(allow=(pattern,), hidden=DEFAULT_HIDDEN)
        return action.command is not None and judge_line(action.command, rules).answer == "allow"

    def _covers_mcp(self, action: Action) -> bool:
        if action.server is None:
            return False
        bare = action.server_tool or action.tool.removeprefix(f"{action.server}__")
        named = f"{action.server}/{bare}"
        return matches(self.uri.removeprefix("mcp://"), named)

    def _covers_path(self, action: Action) -> bool:
        if action.path is None or action.effect.value not in self.permissions:
            return False
        pattern = self.uri.removeprefix("file://")
        pattern = pattern if pattern.startswith("./") else f"./{pattern}"
        if action.folder:
            root = action.path.removeprefix("./").rstrip("/")
            everything = "./**" if root in ("", ".") else f"./{root}/**"
            return pattern in ("./**", everything)
        if self.allowed_extensions and not action.path.endswith(self.allowed_extensions):
            return False
        return matches(pattern, action.path)


DEFAULT_ANSWERS: Final[Mapping[Effect, Answer]] = {
    Effect.READ: "allow",
    Effect.WRITE: "ask",
    Effect.RUN: "ask",
    Effect.NETWORK: "ask",
}
READ_ONLY_ANSWERS: Final[Mapping[Effect, Answer]] = {
    Effect.READ: "allow",
    Effect.WRITE: "deny",
    Effect.RUN: "deny",
    Effect.NETWORK: "deny",
}


@dataclass(frozen=True, slots=True)
class Layer:
    """One set of rules, from one place.

    Attributes:
        source: Where it comes from, for the reason that people read.
        answers: By effect; an effect that is missing is allowed here.
        tools: The only tools allowed, or None for all.
        descriptors: The only things allowed, or None for all; () allows nothing.
        ask_paths: Patterns as in `PathMatcher`; writing to one of these is always asked.
        deny_paths: Patterns of paths that nothing touches.
        commands: What is allowed, asked or denied of commands.
    """

    source: str
    answers: Mapping[Effect, Answer] = field(default_factory=dict[Effect, Answer])
    tools: frozenset[str] | None = None
    descriptors: tuple[ResourceDescriptor, ...] | None = None
    ask_paths: tuple[str, ...] = ()
    deny_paths: tuple[str, ...] = ()
    commands: CommandRules = field(default_factory=CommandRules)

    def judge(self, action: Action) -> Verdict:
        """Return this layer's verdict."""
        return strictest(
            (
                self._by_tool(action),
                self._by_command(action),
                self._by_resource(action),
                self._by_path(action),
            )
        )

    def _by_tool(self, action: Action) -> Verdict:
        if self.tools is not None and action.tool not in self.tools:
            return Deny(f"{self.source} does not list {action.tool}", Code.TOOL_NOT_ALLOWED)
        answer = self.answers.get(action.effect, "allow")
        if answer == "deny":
            return Deny(f"{self.source} forbids every tool that can {_verb(action)}")
        if answer == "ask" and not self._allows_command(action):
            return Ask(f"{self.source} asks before a tool may {_verb(action)}{self._why(action)}")
        return Allow()

    def _by_command(self, action: Action) -> Verdict:
        judged = self._judged(action)
        if judged is None or not judged.by_rule:
            return Allow()
        if judged.answer == "deny":
            return Deny(f"by {self.source}, {judged.reason}")
        return Ask(f"{self.source} asks: {judged.reason}")

    def _allows_command(self, action: Action) -> bool:
        judged = self._judged(action)
        return action.effect is Effect.RUN and judged is not None and judged.answer == "allow"

    def _why(self, action: Action) -> str:
        """Return why the commands that are allowed beforehand do not cover this one."""
        judged = self._judged(action)
        return f" ({judged.reason})" if self.commands.allow and judged else ""

    def _judged(self, action: Action) -> Judgement | None:
        if action.command is None or action.server is not None:
            return None
        return judge_line(action.command, self.commands)

    def _by_resource(self, action: Action) -> Verdict:
        if self.descriptors is None or any(one.covers(action) for one in self.descriptors):
            return Allow()
        return Deny(f"no resource descriptor of {self.source} covers this call")

    def _by_path(self, action: Action) -> Verdict:
        if action.path is None:
            return Allow()
        path = action.path
        if _matcher(self.deny_paths).matches(path):
            return Deny(f"{self.source} denies the path {path}")
        if action.effect is not Effect.READ and _matcher(self.ask_paths).matches(path):
            return Ask(f"{path} can change what runs on this machine", grave=True)
        return Allow()


@dataclass(frozen=True, slots=True)
class Policy:
    """The law of a run: layers, of which the strictest decides."""

    layers: tuple[Layer, ...]

    def judge(self, action: Action) -> Verdict:
        """Return whether `action` may run, must be asked, or must not run."""
        if action.control:
            return Allow()
        return strictest(layer.judge(action) for layer in self.layers)

    def offers(self, action: Action) -> bool:
        """Return whether a tool is worth offering: some call of it could be allowed."""
        if action.control:
            return True
        return all(_could_allow(layer, action) for layer in self.layers)


def narrow(policy: Policy, layer: Layer) -> Policy:
    """Return `policy` restricted further by `layer`."""
    return Policy((*policy.layers, layer))


def strictest(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the first verdict of the strictest kind: deny, then a grave ask, then ask."""
    return max(verdicts, key=_severity, default=Allow())


def _severity(verdict: Verdict) -> int:
    match verdict:
        case Allow():
            return 0
        case Ask(grave=grave):
            return 2 if grave else 1
        case Deny():
            return 3


@lru_cache(maxsize=64)
def _matcher(patterns: tuple[str, ...]) -> PathMatcher:
    return PathMatcher(patterns)


def _could_allow(layer: Layer, action: Action) -> bool:
    if layer.tools is not None and action.tool not in layer.tools:
        return False
    return layer.answers.get(action.effect, "allow") != "deny"


def _verb(action: Action) -> str:
    if action.server is not None and action.effect is Effect.RUN:
        return f"do what the MCP server {action.server!r} pleases"
    return {
        Effect.READ: "read files",
        Effect.WRITE: "change files",
        Effect.RUN: "run commands",
        Effect.NETWORK: "use the network",
    }[action.effect]
