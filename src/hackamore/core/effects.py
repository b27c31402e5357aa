"""Effects: the four kinds of harm that a tool can do, from none to most."""

from enum import StrEnum


class Effect(StrEnum):
    """The worst that a tool can do; what approvals go by."""

    READ = "read"
    WRITE = "write"
    RUN = "run"
    NETWORK = "network"
