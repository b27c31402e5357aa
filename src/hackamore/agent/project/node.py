"""Node projects: version, packages and tests, from ``package.json``."""

import json
from collections.abc import Mapping
from typing import Any, Final, cast

from hackamore.core.project import Language

FILES: Final = ("package.json", ".nvmrc", ".node-version")
LOCKS: Final[Mapping[str, str]] = {
    "pnpm-lock.yaml": "pnpm test",
    "yarn.lock": "yarn test",
    "bun.lock": "bun run test",
}
_NO_TESTS: Final = "no test specified"


def node_language(files: Mapping[str, str], paths: frozenset[str]) -> Language | None:
    """Return what ``package.json`` declares, or None without one.

    Args:
        files: Text of those of `FILES` that exist, by name.
        paths: The project's files; its lock file tells the package manager.
    """
    if "package.json" not in files:
        return None
    package = _object(files["package.json"])
    declared = {**_strings(package, "dependencies"), **_strings(package, "devDependencies")}
    typed = "typescript" in declared or "tsconfig.json" in paths
    return Language(
        name="TypeScript on Node" if typed else "JavaScript on Node",
        version=_version(files, package),
        packages=tuple(f"{name} {wanted}" for name, wanted in declared.items()),
        test_command=_test_command(package, paths),
        source=tuple(name for name in FILES if name in files),
    )


def _object(text: str) -> Mapping[str, Any]:
    """Return the file's object; a broken file says nothing."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return cast(Mapping[str, Any], found) if isinstance(found, dict) else {}


def _strings(package: Mapping[str, Any], name: str) -> dict[str, str]:
    found = package.get(name)
    if not isinstance(found, dict):
        return {}
    entries = cast(dict[str, object], found).items()
    return {key: value for key, value in entries if isinstance(value, str)}


def _version(files: Mapping[str, str], package: Mapping[str, Any]) -> str:
    for name in (".nvmrc", ".node-version"):
        if name in files:
            return files[name].strip()
    return _strings(package, "engines").get("node", "")


def _test_command(package: Mapping[str, Any], paths: frozenset[str]) -> str | None:
    script = _strings(package, "scripts").get("test", "")
    if not script or _NO_TESTS in script:
        return None
    for lock, command in LOCKS.items():
        if lock in paths:
            return command
    return "npm test --silent"
