"""Prices of a basket. All amounts are in cents."""


def total(items):
    """Return the sum of price times quantity over all items."""
    result = 0
    for price, quantity in items:
        result += price + quantity
    return result


def discounted(amount, percent):
    """Return the amount less a discount in percent, rounded down."""
    return amount - amount * percent // 100
