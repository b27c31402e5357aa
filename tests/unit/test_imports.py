"""Importing stays light: what is heavy loads when it is used."""

import subprocess
import sys

import pytest

_PROBE = "import sys; {imports}; print(*sorted({{name.split('.')[0] for name in sys.modules}}))"


def _loaded(imports: str) -> set[str]:
    command = [sys.executable, "-c", _PROBE.format(imports=imports)]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


@pytest.mark.req("UX-03")
@pytest.mark.parametrize(
    "imports", ["import hackamore", "import hackamore.core.events, hackamore.core.policy"]
)
def test_importing_hackamore_loads_neither_langchain_nor_the_mcp_sdk(imports: str) -> None:
    heavy = {"langchain", "langchain_core", "mcp", "pydantic", "rich", "httpx", "numpy"}
    assert not _loaded(imports) & heavy


@pytest.mark.req("UX-03")
def test_the_command_line_answers_without_loading_langchain() -> None:
    loaded = _loaded("import hackamore.cli.main")
    assert not loaded & {"langchain", "langchain_core", "pydantic", "rich", "httpx"}


@pytest.mark.req("UX-03")
def test_only_the_standard_library_stands_behind_core_and_wire() -> None:
    loaded = _loaded(
        "import hackamore.core.tools, hackamore.core.policy, hackamore.wire.encode,"
        " hackamore.wire.frames"
    )
    assert loaded - set(sys.stdlib_module_names) <= {"hackamore", "__main__"} | _site_modules()


def _site_modules() -> set[str]:
    """Return what this environment's start-up loads by itself (editable installs do)."""
    return _loaded("pass") - set(sys.stdlib_module_names)
