"""A shopping basket."""

from basket.prices import discounted, total

__all__ = ["discounted", "total"]
