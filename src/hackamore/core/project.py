"""What is known of the project that a run works in."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """A language of the project.

    Attributes:
        name: For example ``Python``.
        version: As the project states it, or empty.
        packages: Declared dependencies with their version ranges, as written.
        test_command: What runs the tests, or None when there seem to be none.
        source: The files that say so.
        interpreter: The command of a Python that has pytest; empty when there is none.
    """

    name: str
    version: str
    packages: tuple[str, ...]
    test_command: str | None
    source: tuple[str, ...]
    interpreter: str = ""


@dataclass(frozen=True, slots=True)
class ProjectContext:
    """What the model is told of the project.

    Attributes:
        languages: By the files that declare them.
        git: One line on branch and changed files; empty without git.
        rules: (file, text) of the project's own rules for agents.
    """

    languages: tuple[Language, ...] = ()
    git: str = ""
    rules: tuple[tuple[str, str], ...] = ()

    @property
    def test_command(self) -> str | None:
        """The first test command found."""
        return next((item.test_command for item in self.languages if item.test_command), None)

    @property
    def interpreter(self) -> str:
        """The first command found of a Python that has pytest; empty when there is none."""
        return next((item.interpreter for item in self.languages if item.interpreter), "")
