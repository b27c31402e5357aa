"""An MCP server that says back what it was told, on stdio and Streamable HTTP; no SDK, fast start.

python -m hackamore.testing.echo_server stdio
"""
