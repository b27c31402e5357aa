"""What runs inside the sandbox: opens files beneath the root and runs commands.

One process, one thread, started once per workspace; kept small, since it starts often.
"""
