"""Text from outside within Rich's markup."""

from rich.markup import escape

from hackamore.cli.terminal.safe import visible


def markup(text: str) -> str:
    """Return `text` made safe for a terminal and for Rich's markup."""
    return escape(visible(text))
