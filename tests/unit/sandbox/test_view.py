"""What is seen inside: the arguments of bubblewrap, the toolchains, the covers."""

from pathlib import Path

import pytest

from hackamore.core.protected import SandboxRules
from hackamore.sandbox.argv import View, bwrap_arguments
from hackamore.sandbox.environment import PRIVATE_HOME, command_environment
from hackamore.sandbox.protected_paths import Covers, covers_hold, find_covers
from hackamore.sandbox.toolchain import toolchain_folders
from hackamore.sandbox.toolchain_homes import home_variables, shown_in_home


def view(covers: Covers | None = None) -> View:
    return View(
        system=(("/usr", None), ("/bin", "usr/bin")),
        etc=("/etc/passwd",),
        read=("/opt/tool",),
        write=("/data",),
        root="/home/me/project",
        covers=covers or Covers(),
        kept=(),
        package=("/src/hackamore", "/run/hackamore/hackamore"),
        temporary=1024,
        environment={"HOME": "/home/sandbox"},
    )


def position(arguments: list[str], *wanted: str) -> int:
    """Return where `wanted` stands as consecutive arguments."""
    size = len(wanted)
    return next(i for i in range(len(arguments)) if tuple(arguments[i : i + size]) == wanted)


@pytest.mark.req("SBX-03")
def test_the_sandbox_has_no_network_no_capabilities_and_an_empty_environment() -> None:
    arguments = bwrap_arguments(view())
    for option in ("--unshare-all", "--die-with-parent", "--new-session", "--clearenv"):
        assert option in arguments
    assert "--share-net" not in arguments
    assert position(arguments, "--cap-drop", "ALL")
    assert position(arguments, "--setenv", "HOME", "/home/sandbox")
    assert arguments[-1] == "--"


@pytest.mark.req("SBX-03")
def test_only_the_workspace_and_what_was_added_is_writable() -> None:
    arguments = bwrap_arguments(view())
    writable = [arguments[i + 1] for i, item in enumerate(arguments) if item == "--bind"]
    assert writable == ["/data", "/home/me/project"]
    assert position(arguments, "--remount-ro", "/") > position(arguments, "--bind", "/data")


@pytest.mark.req("SBX-03")
def test_covers_lie_over_the_workspace_the_strictest_last() -> None:
    root = "/home/me/project"
    covers = Covers(
        hidden_files=(f"{root}/.env",),
        hidden_folders=(f"{root}/.ssh",),
        readonly=(f"{root}/.git/hooks",),
        pinned=(f"{root}/.git",),
    )
    arguments = bwrap_arguments(view(covers))
    order = [
        position(arguments, "--bind", root, root),
        position(arguments, "--bind", f"{root}/.git", f"{root}/.git"),
        position(arguments, "--ro-bind", f"{root}/.git/hooks", f"{root}/.git/hooks"),
        position(arguments, "--tmpfs", f"{root}/.ssh"),
        position(arguments, "--ro-bind", "/dev/null", f"{root}/.env"),
    ]
    assert order == sorted(order)


@pytest.mark.req("SBX-08")
def test_the_environment_is_made_from_nothing() -> None:
    environment = command_environment(["/usr/bin", "/opt/bin"], home="/h", language="C.UTF-8")
    assert environment["PATH"] == "/usr/bin:/opt/bin"
    assert environment["HOME"] == "/h"
    assert environment["TERM"] == "dumb"
    assert not [name for name in environment if "KEY" in name or "TOKEN" in name]


def tool(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


@pytest.mark.req("SBX-03")
def test_a_toolchain_is_bound_with_what_belongs_to_it_and_no_home(tmp_path: Path) -> None:
    home = tmp_path / "home"
    tool(home / ".cargo/bin/cargo")
    tool(home / ".cargo/credentials.toml")
    tool(home / ".rustup/toolchains/stable/bin/rustc")
    tool(home / ".pyenv/shims/python")
    tool(home / ".nvm/versions/node/v24/bin/node")
    tool(home / ".nvm/versions/node/v24/lib/x")
    tool(home / ".local/lib/secret")
    tool(home / "bin/mine")
    (home / "lib").mkdir()
    installed = tool(tmp_path / "opt/uv/bin/uv")
    tool(tmp_path / "opt/uv/lib/x")
    (home / ".local/bin").mkdir()
    (home / ".local/bin/uv").symlink_to(installed)
    paths = (".cargo/bin", ".pyenv/shims", ".nvm/versions/node/v24/bin", ".local/bin", "bin")
    search = [*(str(home / path) for path in paths), "/usr/bin", "relative/bin", "/absent"]
    found = toolchain_folders(search, home=home, more=[])
    assert found == sorted(
        [
            *(home / ".cargo/bin", home / ".rustup/toolchains", home / ".pyenv"),
            *(home / ".nvm/versions/node/v24", home / ".local/bin", home / "bin"),
            tmp_path / "opt/uv",
        ]
    )


@pytest.mark.req("SBX-03")
def test_a_home_or_what_holds_it_is_never_bound(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    assert toolchain_folders([str(home), str(tmp_path)], home=home, more=[home]) == []


@pytest.mark.req("SBX-03")
def test_what_exists_of_the_protected_paths_is_found_at_any_depth(tmp_path: Path) -> None:
    for path in (
        *(".env", "a/b/.env.local", "a/.ssh/config", ".git/hooks/x", ".git/config", ".mcp.json"),
        *("a/sub/.git/config", ".git/objects/ab/config", "node_modules/p/.env", "plain.txt"),
        *(".git/modules/m/config", ".env.example", "a/venv/.env", "node_modules/p/q/.env"),
        *("target/x/.env", "node_modules/p/.vscode/x"),
    ):
        tool(tmp_path / path)
    (tmp_path / "link.pem").symlink_to("plain.txt")
    (tmp_path / "loop.pem").symlink_to("loop.pem")
    covers = find_covers(str(tmp_path), SandboxRules())

    def relative(paths: tuple[str, ...]) -> list[str]:
        return [str(Path(path).relative_to(tmp_path)) for path in paths]

    assert relative(covers.hidden_files) == [
        *(".env", "a/b/.env.local", "a/venv/.env", "node_modules/p/.env"),
        *("plain.txt", "target/x/.env"),  # link.pem leads to plain.txt
    ]
    assert relative(covers.hidden_folders) == ["a/.ssh"]
    assert relative(covers.pinned) == [".git", "a/sub/.git"]
    assert relative(covers.readonly) == [
        *(".git/config", ".git/hooks", ".git/modules/m/config", ".mcp.json", "a/sub/.git/config")
    ]
    assert covers.complete


@pytest.mark.req("SBX-03")
def test_a_search_that_runs_out_of_time_says_so(tmp_path: Path) -> None:
    tool(tmp_path / "a/.env")
    covers = find_covers(str(tmp_path), SandboxRules(), seconds=-1)
    assert not covers.complete
    assert covers.hidden_files == ()


@pytest.mark.req("SBX-03")
def test_covers_no_longer_hold_when_a_protected_path_comes_goes_or_is_replaced(
    tmp_path: Path,
) -> None:
    root, rules = str(tmp_path), SandboxRules()
    tool(tmp_path / ".env")
    covers = find_covers(root, rules)
    assert covers_hold(root, rules, covers)
    tool(tmp_path / "ordinary")
    assert covers_hold(root, rules, covers)
    tool(tmp_path / "sub/.mcp.json")
    assert not covers_hold(root, rules, covers)
    covers = find_covers(root, rules)
    tool(tmp_path / "other").replace(tmp_path / ".env")
    assert not covers_hold(root, rules, covers)


@pytest.mark.req("SBX-03")
def test_what_toolchains_keep_at_home_is_shown_without_their_credentials(tmp_path: Path) -> None:
    for path in (".rustup/toolchains/x/bin/rustc", ".rustup/settings.toml", ".pyenv/shims/python"):
        tool(tmp_path / path)
    for path in (".cargo/registry/src/x", ".cargo/credentials.toml", ".m2/settings.xml"):
        tool(tmp_path / path)
    for path in ("index/sparse/x", "index/git/.git/config"):
        tool(tmp_path / ".cargo/registry" / path)
    tool(tmp_path / "go/pkg/mod/cache/vcs/config")
    shown = dict(shown_in_home(tmp_path))
    assert shown == {
        f"{tmp_path}/{name}": f"{PRIVATE_HOME}/{name}"
        for name in (
            *(".rustup/toolchains", ".rustup/settings.toml"),
            *(".cargo/registry/src", ".cargo/registry/index/sparse"),
        )
    }
    assert home_variables(tmp_path) == {"PYENV_ROOT": f"{tmp_path}/.pyenv"}


@pytest.mark.req("SBX-03")
def test_a_link_from_a_folder_of_packages_to_the_home_is_not_followed(tmp_path: Path) -> None:
    home, disk = tmp_path / "home", tmp_path / "disk"
    tool(home / ".ssh/id_rsa")
    tool(disk / "x")
    (home / ".m2").mkdir()
    (home / ".m2/repository").symlink_to(home)
    (home / ".cargo/registry").mkdir(parents=True)
    (home / ".cargo/registry/src").symlink_to(disk)
    assert [source for source, _ in shown_in_home(home)] == [f"{home}/.cargo/registry/src"]
