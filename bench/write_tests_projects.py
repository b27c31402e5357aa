"""Small modules for which tests are to be written; they have none."""

MODULES = {
    "stack": '''"""A stack that is never too high."""


class BoundedStack:
    """Last in, first out; at most `limit` items."""

    def __init__(self, limit):
        if limit < 1:
            raise ValueError("limit must be positive")
        self.limit = limit
        self.items = []

    def push(self, item):
        """Add an item; the oldest goes when there are too many."""
        self.items.append(item)
        if len(self.items) > self.limit:
            del self.items[0]

    def pop(self):
        """Take the newest item."""
        if not self.items:
            raise IndexError("empty")
        return self.items.pop()

    def __len__(self):
        return len(self.items)
''',
    "shipping": '''"""What a parcel costs."""

FREE_FROM = 5000


def fee(weight, express=False):
    """Return the fee in cents for a weight in grams."""
    if weight <= 0:
        raise ValueError("weight must be positive")
    if weight <= 500:
        cents = 390
    elif weight <= 2000:
        cents = 590
    else:
        cents = 590 + 100 * ((weight - 2000 + 999) // 1000)
    return cents * 2 if express else cents


def total(order, weight, express=False):
    """Return order and fee together; large orders are sent for nothing, unless express."""
    if order >= FREE_FROM and not express:
        return order
    return order + fee(weight, express)
''',
    "slug": '''"""Names for addresses."""

import re


def slugify(title, limit=40):
    """Return the title in lower case, words joined by hyphens."""
    words = re.findall(r"[a-z0-9]+", title.lower())
    slug = "-".join(words)
    if len(slug) <= limit:
        return slug
    return slug[:limit].rsplit("-", 1)[0]


def unique(slug, taken):
    """Return the slug, with a number when it is taken."""
    if slug not in taken:
        return slug
    number = 2
    while f"{slug}-{number}" in taken:
        number += 1
    return f"{slug}-{number}"
''',
    "intervals": '''"""Closed intervals of whole numbers, as pairs."""


def length(interval):
    """Return how many numbers are in it."""
    low, high = interval
    return high - low + 1 if high >= low else 0


def overlaps(one, other):
    """Whether two intervals share a number."""
    return one[0] <= other[1] and other[0] <= one[1]


def merged(intervals):
    """Return the intervals sorted, those that touch or overlap joined."""
    result = []
    for low, high in sorted(intervals):
        if result and low <= result[-1][1] + 1:
            result[-1] = (result[-1][0], max(high, result[-1][1]))
        else:
            result.append((low, high))
    return result
''',
}
