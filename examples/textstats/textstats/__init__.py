"""Statistics of a text."""
