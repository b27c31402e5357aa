"""The version, from the installed package."""

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed


def version() -> str:
    """Return the version, or ``unknown`` when Hackamore runs without being installed."""
    try:
        return installed("hackamore")
    except PackageNotFoundError:
        return "unknown"
