"""The words everything else speaks: messages, events, tools, policy, errors and ports.

Standard library only. Nothing here opens a file, a process or a socket.
"""
