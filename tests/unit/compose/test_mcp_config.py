"""What a program gives as configuration of MCP servers."""

import json
import os
from pathlib import Path

import pytest

from hackamore.compose.mcp_config import read_config, read_one
from hackamore.core.errors import ConfigError


@pytest.mark.req("MCP-01")
def test_a_file_and_a_mapping_say_the_same(tmp_path: Path) -> None:
    mapping = {"mcpServers": {"a": {"command": "x"}}}
    path = tmp_path / "servers.json"
    path.write_text(json.dumps(mapping))
    named = [one.entries[0].command for one in (read_config(path, {}), read_config(mapping, {}))]
    assert named == ["x", "x"]


@pytest.mark.req("MCP-02", "TOOL-04")
def test_what_is_no_ordinary_file_is_said_and_nothing_hangs(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, why in (("pipe", "no ordinary file"), ("none", "No such file")):
        with pytest.raises(ConfigError, match=f"{name} cannot be read: .*{why}"):
            read_config(tmp_path / name, {})


@pytest.mark.req("MCP-02")
def test_one_server_that_cannot_be_used_is_an_error_with_its_reason() -> None:
    with pytest.raises(ConfigError, match="neither a command nor a url"):
        read_one({"args": []}, "x", {})
