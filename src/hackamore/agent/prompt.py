"""The system prompt: named parts, so that a person can see what each one says and costs."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import Final

from hackamore.core.messages import Message, system
from hackamore.core.model import ModelProfile
from hackamore.core.project import Language, ProjectContext
from hackamore.core.visible import visible

_ROLE: Final = """\
You are Hackamore, a coding agent. You work in the person's own project through the tools that
are listed here, and everything you do is shown to them.

Look before you change: read the files that matter and run the tests. Make the smallest change
that does what was asked, in the style of the code around it. Check it by running something.
Report what you saw, not what you hope: if something failed or was left out, say so. When the
task is done, or cannot be done, end with a short answer."""
_ROLE_SMALL: Final = """\
You are Hackamore, a coding agent. Use the tools to look at the project, change what was asked,
and check it. One step at a time. End with a short answer."""
_ACT: Final = "Mode: act. You may use every tool; the person is asked where their rules want it."
_PLAN: Final = """\
Mode: plan. Nothing may be changed and no command may be run. Read what you need, then answer, or
lay out a plan of concrete steps that name files and functions."""
_FRAME: Final = re.compile(r"<(?=[\s/\\]*server[\s_-]*instructions)", re.IGNORECASE)
"""The beginning of a tag that a server's words could take for their frame."""
_CHARACTERS_PER_TOKEN: Final = 4
_MAX_PACKAGES: Final = 60


@dataclass(frozen=True, slots=True)
class PromptPart:
    """One part; `name` is for people, the model sees only `text`."""

    name: str
    text: str

    @property
    def tokens(self) -> int:
        """About how many tokens it costs (four characters each)."""
        return -(-len(self.text) // _CHARACTERS_PER_TOKEN)


@dataclass(frozen=True, slots=True)
class Prompt:
    """The parts in the order that the model reads them."""

    parts: tuple[PromptPart, ...]

    def with_tools(self, instructions: str) -> "Prompt":
        """Return the prompt with the format's instructions in their place, after the mode."""
        part = PromptPart("tools", instructions)
        return replace(self, parts=(*self.parts[:2], part, *self.parts[2:]))

    def message(self, instructions: str) -> Message:
        """Return the system message."""
        parts = self.with_tools(instructions).parts
        return system("\n\n".join(part.text for part in parts if part.text))


@dataclass(frozen=True, slots=True)
class PromptFacts:
    """What a prompt is made of besides the tools.

    Attributes:
        profile: Small models get a short prompt.
        mode: ``plan``, ``act`` or a custom one.
        project: What is known of the project.
        environment: Name and value of what the model should know of the machine.
        instructions: The caller's own words, added last.
        servers: Instructions of MCP servers, by server.
    """

    profile: ModelProfile
    mode: str
    project: ProjectContext
    environment: Mapping[str, str]
    instructions: str = ""
    servers: tuple[tuple[str, str], ...] = ()


def build_prompt(facts: PromptFacts) -> Prompt:
    """Return the system prompt's parts, without the tools."""
    small = facts.profile.prompt == "small"
    return Prompt(
        (
            PromptPart("role", _ROLE_SMALL if small else _ROLE),
            PromptPart("mode", _PLAN if facts.mode == "plan" else _ACT),
            *(PromptPart(f"rules: {name}", _rules(name, text)) for name, text in _all_rules(facts)),
            *(PromptPart(f"server: {name}", _server(name, text)) for name, text in facts.servers),
            PromptPart("project", _project(facts.project)),
            PromptPart("environment", _environment(facts.environment)),
            PromptPart("instructions", facts.instructions),
        )
    )


def _all_rules(facts: PromptFacts) -> tuple[tuple[str, str], ...]:
    return () if facts.profile.prompt == "small" else facts.project.rules


def _rules(name: str, text: str) -> str:
    return f"The project's rules, from {name}:\n{text.strip()}"


def _server(name: str, text: str) -> str:
    """Return a server's words in a frame that they cannot leave."""
    words = _FRAME.sub("&lt;", visible(text)).strip()
    named = escape(visible(name).replace("\n", " "))
    return f'<server_instructions server="{named}">\n{words}\n</server_instructions>'


def _project(project: ProjectContext) -> str:
    lines = [line for language in project.languages for line in _language(language)]
    if project.git:
        lines.append(f"Git: {project.git}")
    return "The project:\n" + "\n".join(lines) if lines else ""


def _language(language: Language) -> Iterator[str]:
    version = f" {language.version}" if language.version else ""
    yield f"{language.name}{version} (from {', '.join(language.source)})"
    if language.packages:
        shown = ", ".join(language.packages[:_MAX_PACKAGES])
        more = len(language.packages) - _MAX_PACKAGES
        rest = f", and {more} more" if more > 0 else ""
        yield f"Packages that it declares (use no others without asking): {shown}{rest}"
    if language.test_command:
        yield f"Tests: {language.test_command}"


def _environment(environment: Mapping[str, str]) -> str:
    lines = (f"{name}: {value}" for name, value in environment.items())
    return "Environment:\n" + "\n".join(lines) if environment else ""
