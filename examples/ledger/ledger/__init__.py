"""A small ledger."""
