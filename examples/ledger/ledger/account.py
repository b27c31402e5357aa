"""An account that never goes below its limit. All amounts are in cents."""


class NotEnough(Exception):
    """The account does not hold enough for the withdrawal."""


class Account:
    """Money of one owner."""

    def __init__(self, owner, limit=0):
        self.owner = owner
        self.limit = limit
        self.entries = []

    @property
    def balance(self):
        """What is in the account now."""
        return sum(self.entries)

    def deposit(self, amount):
        """Put money in."""
        if amount <= 0:
            raise ValueError("a deposit must be positive")
        self.entries.append(amount)

    def withdraw(self, amount):
        """Take money out, down to `limit` below zero."""
        if amount <= 0:
            raise ValueError("a withdrawal must be positive")
        if self.balance - amount <= -self.limit:
            raise NotEnough(f"{self.owner} has only {self.balance}")
        self.entries.append(-amount)
