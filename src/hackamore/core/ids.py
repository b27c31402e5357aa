"""Identifiers: short, unique, safe in a file name."""

import secrets
from typing import Final

_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"


def new_id(prefix: str) -> str:
    """Return a new id such as ``call_7f3k9d2m1qwx`` (60 random bits)."""
    bits = secrets.randbits(60)
    return f"{prefix}_" + "".join(_ALPHABET[bits >> shift & 31] for shift in range(0, 60, 5))
