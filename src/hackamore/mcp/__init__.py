"""MCP servers: configured, started, kept alive, and their tools as core tools.

The only package that knows the MCP SDK; it knows no LangChain.
"""
