"""Keeps the SDK's own log off the terminal: what a person should know comes as events.

A program that wants the log adds handlers to these loggers as usual.
"""

import logging
from typing import Final

_LOGGERS: Final = ("mcp", "client", "httpx2", "httpcore2")


def keep_quiet() -> None:
    """Give the SDK's loggers a handler that does nothing, so that none is made up for them."""
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        if not logger.handlers:
            logger.addHandler(logging.NullHandler())
