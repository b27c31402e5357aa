"""Where what lasts about MCP servers is kept in the state folder."""

from pathlib import Path

from hackamore.compose.environment import Environment


def logins_folder(environment: Environment) -> Path:
    """Return the folder of the logins to servers."""
    return environment.state / "mcp-logins"


def consents_file(environment: Environment) -> Path:
    """Return the file of what the person agreed to of projects' servers."""
    return environment.state / "mcp-consents.json"


def approved_file(environment: Environment) -> Path:
    """Return the file of how the tools that need no asking described themselves."""
    return environment.state / "mcp-approved.json"
