"""The bridge to LangChain: its chat models as core `Model`s, and our parts as its parts.

Nothing else in Hackamore imports LangChain.
"""
