"""Edits that never corrupt: SEARCH/REPLACE blocks applied to a text, or refused with reasons."""
