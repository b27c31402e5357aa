"""A project with one bug, as the bench makes it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Project:
    """One package of one module, and its tests."""

    name: str
    module: str
    code: str
    tests: str
