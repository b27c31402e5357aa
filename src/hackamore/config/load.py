"""From the user's file, then the project's, to one frozen `Config`."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, cast

from hackamore.config.keys import is_table, key_for, line_of
from hackamore.core.config import (
    ApproveConfig,
    Config,
    McpConfig,
    ModeConfig,
    ModelConfig,
    SandboxConfig,
)
from hackamore.core.effects import Effect
from hackamore.core.errors import ConfigError
from hackamore.core.policy import DEFAULT_ANSWERS, Answer

_RESERVED: Final = ("plan", "act")


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read; a `project` file may only narrow."""

    path: Path
    project: bool = False


def load(sources: list[Source]) -> Config:
    """Return what the files say, later ones added to earlier ones; missing files say nothing.

    Raises:
        ConfigError: A file cannot be read, or a key is unknown, misplaced or of the wrong kind.
    """
    config = Config()
    for source in sources:
        if source.path.is_file():
            config = _add(config, source)
    return config


def _add(config: Config, source: Source) -> Config:
    text = _read(source.path)
    tree = _parse(text, source.path)
    found = {
        ".".join(path): f"{source.path}:{line_of(text, path)}"
        for path in _checked(tree, text, source)
    }
    merged = _merge_project(config, tree) if source.project else _merge_user(tree)
    return replace(merged, sources={**config.sources, **found})


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error


def _parse(text: str, path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not TOML: {error}") from error


def _checked(tree: dict[str, Any], text: str, source: Source) -> Iterator[tuple[str, ...]]:
    """Yield the path of every key that is set, or raise for the first that is wrong."""
    for path, value in _leaves(tree, ()):
        key = key_for(path)
        place = f"{source.path}:{line_of(text, path)}: "
        name = ".".join(path)
        if key is None:
            raise ConfigError(f"{place}there is no key {name!r}.", hint="See `hackamore config`.")
        if source.project and not key.project:
            raise ConfigError(
                f"{place}a project may not set {name!r}.",
                hint="Set it in your own config.toml; a project's file may only narrow.",
            )
        if source.project and _takes_back(value):
            raise ConfigError(
                f"{place}{name!r} has a pattern that begins with '!'.",
                hint="A project's file may only narrow: it cannot take a pattern back.",
            )
        if path[:1] == ("modes",) and path[1] in _RESERVED:
            raise ConfigError(f"{place}the mode {path[1]!r} is built in and cannot be changed.")
        if wanted := key.check(value):
            raise ConfigError(f"{place}{name!r} must be {wanted}, not {value!r}.")
        yield path


def _takes_back(value: object) -> bool:
    """Whether a list of patterns would take back what another list says."""
    items = cast(list[object], value) if isinstance(value, list) else []
    return any(isinstance(item, str) and item.lstrip().startswith("!") for item in items)


def _leaves(
    tree: Mapping[str, Any], above: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], object]]:
    for name, value in tree.items():
        path = (*above, name)
        if isinstance(value, dict) and is_table(path):
            yield from _leaves(cast(dict[str, Any], value), path)
        else:
            yield path, value


def _merge_user(tree: Mapping[str, Any]) -> Config:
    return Config(
        model=tree.get("model"),
        base_url=tree.get("base_url"),
        tool_format=tree.get("tool_format"),
        language=tree.get("language"),
        models={name: ModelConfig(**entry) for name, entry in tree.get("models", {}).items()},
        approve=_approve(tree.get("approve", {}), DEFAULT_ANSWERS),
        sandbox=_sandbox(tree.get("sandbox", {})),
        modes=_modes(tree),
        mcp=_mcp(tree.get("mcp", {}), tree.get("xml", {})),
    )


def _mcp(table: Mapping[str, Any], xml: Mapping[str, Any]) -> McpConfig:
    return McpConfig(
        startup_wait=table.get("startupWait"),
        consent=table.get("consent", "ask"),
        sampling=table.get("sampling", "off"),
        xml=xml.get("mcp", "wrapped"),
    )


def _merge_project(config: Config, tree: Mapping[str, Any]) -> Config:
    box = _sandbox(tree.get("sandbox", {}))
    return replace(
        config,
        modes={**_modes(tree), **config.modes},
        project_approve=_approve(tree.get("approve", {}), {}),
        sandbox=replace(
            config.sandbox,
            hidden=config.sandbox.hidden + box.hidden,
            readonly=config.sandbox.readonly + box.readonly,
            ask=config.sandbox.ask + box.ask,
        ),
    )


def _approve(table: Mapping[str, Any], base: Mapping[Effect, Answer]) -> ApproveConfig:
    answers = dict(base)
    for effect in Effect:
        if effect.value in table:
            answers[effect] = cast(Answer, table[effect.value])
    paths: Mapping[str, list[str]] = table.get("paths", {})
    commands: Mapping[str, list[str]] = table.get("commands", {})
    return ApproveConfig(
        answers=answers,
        deny_paths=tuple(paths.get("deny", ())),
        ask_paths=tuple(paths.get("ask", ())),
        allow_commands=tuple(commands.get("allow", ())),
        ask_commands=tuple(commands.get("ask", ())),
        deny_commands=tuple(commands.get("deny", ())),
    )


def _sandbox(table: Mapping[str, Any]) -> SandboxConfig:
    level: Literal["full", "landlock", "none"] = table.get("level", "full")
    names = ("read", "write", "hidden", "readonly", "ask", "network_hosts")
    lists = {name: tuple(table.get(name, ())) for name in names}
    return SandboxConfig(level=level, **lists)


def _modes(tree: Mapping[str, Any]) -> dict[str, ModeConfig]:
    return {
        name: ModeConfig(
            tools=tuple(entry["tools"]) if "tools" in entry else None,
            prompt=entry.get("prompt", ""),
            model=entry.get("model"),
        )
        for name, entry in tree.get("modes", {}).items()
    }
