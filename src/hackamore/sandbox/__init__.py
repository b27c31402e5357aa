"""The only starter of processes for tools: bubblewrap outside, a worker inside.

The host side (this folder) builds the sandbox and treats what comes out of it as hostile; the
worker side (`worker/`) runs inside and touches the files. Standard library, `core` and `wire`.
"""
