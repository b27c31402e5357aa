"""Placeholders such as ``${VAR}`` in the configuration of servers, filled in.

Pure. Understood are ``${VAR}``, ``${env:VAR}``, both with a default (``${VAR:-default}``), and what
editors offer: ``${workspaceFolder}``, ``${workspaceFolderBasename}``, ``${userHome}``,
``${pathSeparator}``. Anything else in braces (``${list[@]}`` in a shell command) stays as it is.
"""

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_PLACEHOLDER: Final = re.compile(r"\$\{([^{}]*)\}")
_VARIABLE: Final = re.compile(r"(?:env:)?([A-Za-z_]\w*)(?::-(.*))?", re.DOTALL | re.ASCII)
_ASKED: Final = re.compile(r"(input|command|config|prompt):(.+)", re.DOTALL)


class ExpansionError(ValueError):
    """A placeholder that cannot be filled in; the message says which and what to do."""


@dataclass(frozen=True, slots=True)
class Expanded:
    """A text with its placeholders filled in.

    Attributes:
        value: What holds.
        shown: What a person may see: variables of the environment by their names.
    """

    value: str
    shown: str


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where values come from.

    Attributes:
        variables: The environment.
        workspace: The folder that one works in, or None.
    """

    variables: Mapping[str, str]
    workspace: str | None

    def expand(self, text: str) -> Expanded:
        """Return the text with its placeholders filled in.

        Raises:
            ExpansionError: A variable is not set and has no default, or only an editor knows it.
        """
        return Expanded(
            _PLACEHOLDER.sub(lambda found: self._fill(found).value, text),
            _PLACEHOLDER.sub(lambda found: self._fill(found).shown, text),
        )

    def _fill(self, found: re.Match[str]) -> Expanded:
        inside = found.group(1)
        if asked := _ASKED.fullmatch(inside):
            raise ExpansionError(
                f"{found.group()} is asked for by an editor; put the value into an environment "
                f"variable and write ${{env:{_upper(asked.group(2))}}} instead"
            )
        known = self._known(inside)
        if known is not None:
            return Expanded(known, known)
        variable = _VARIABLE.fullmatch(inside)
        if variable is None:
            return Expanded(found.group(), found.group())
        return self._variable(variable.group(1), variable.group(2))

    def _variable(self, name: str, default: str | None) -> Expanded:
        value = self.variables.get(name)
        if value or (value is not None and default is None):
            return Expanded(value, f"${{{name}}}")
        if default is None:
            raise ExpansionError(
                f"the environment variable {name} is not set; set it, or write ${{{name}:-default}}"
            )
        return Expanded(default, default)

    def _known(self, name: str) -> str | None:
        """Return what an editor's placeholder stands for, or None when it is none."""
        match name:
            case "workspaceFolder" | "workspaceFolderBasename" | "workspaceRoot":
                if self.workspace is None:
                    raise ExpansionError(f"${{{name}}} is used, but there is no workspace here")
                whole = name != "workspaceFolderBasename"
                return self.workspace if whole else posixpath.basename(self.workspace)
            case "userHome":
                return self.variables.get("HOME", "")
            case "pathSeparator" | "/":
                return "/"
            case _:
                return None


def _upper(name: str) -> str:
    """Return a name as environment variables are written."""
    return re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_").upper() or "NAME"
