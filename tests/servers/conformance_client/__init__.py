"""The client that the protocol's conformance suite drives, one scenario a process.

python -m servers.conformance_client ours URL

The suite says by environment variables which scenario runs, at which revision, and what the client
needs to know for it. ``sdk`` in place of ``ours`` shows what the bare SDK does.
"""
