"""Servers that do one thing wrong, each by overriding a method of one that does nothing wrong.

``server`` is that server, ``stdio`` and ``http`` carry it, ``registry`` knows all faults by name.
"""
