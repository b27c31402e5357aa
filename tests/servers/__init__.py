"""Servers that the tests talk to, and the client that the conformance suite drives."""
