"""Hackamore: a coding agent that stays in the editor's hands."""
