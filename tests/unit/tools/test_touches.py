"""What a call touches is known by whatever name the model used."""

import pytest

from hackamore.core.errors import HackamoreError
from hackamore.core.json import JSONObject
from hackamore.core.tools import Tool, Touch
from hackamore.edits.patch import Patches
from hackamore.testing.fake_web import FakeWeb
from hackamore.testing.fake_workspace import FakeSandbox, FakeWorkspace
from hackamore.tools.builtin import builtin_tools


def _same(text: str, diff: str) -> str:
    return text + diff


def _tool(name: str) -> Tool:
    tools = builtin_tools(FakeWorkspace(), FakeSandbox(), FakeWeb(), _same, Patches())
    return next(tool for tool in tools if tool.spec.name == name)


@pytest.mark.req("AGT-12", "SBX-01")
@pytest.mark.parametrize(
    ("tool", "arguments", "touched"),
    [
        ("read_file", {"path": "a.py"}, Touch(("a.py",))),
        ("read_file", {"file_path": "a.py"}, Touch(("a.py",))),
        ("write_to_file", {"filename": "a.py", "content": ""}, Touch(("a.py",))),
        ("list_files", {"directory": "src"}, Touch(("src",))),
        ("execute_command", {"cmd": "ls"}, Touch(command="ls")),
        ("attempt_completion", {"result": "done"}, Touch()),
    ],
)
def test_paths_and_commands_are_found(tool: str, arguments: JSONObject, touched: Touch) -> None:
    assert _tool(tool).touches(arguments) == touched


@pytest.mark.req("AGT-12", "TOOL-01")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("execute_command", {"command": "ls", "path": "x"}),
        ("write_to_file", {"path": "a.py"}),
        ("apply_patch", {"patch": "nonsense"}),
    ],
)
def test_arguments_that_make_no_sense_are_refused_before_anybody_is_asked(
    tool: str, arguments: JSONObject
) -> None:
    with pytest.raises(HackamoreError):
        _tool(tool).touches(arguments)
