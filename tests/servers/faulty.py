"""A server with one fault: ``python -S faulty.py FAULT [--http]``; ``--list`` names the faults.

It needs nothing but the standard library, so that a client's few environment variables suffice.
"""

import sys
from importlib import import_module
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[1])  # where the package "servers" lies
sys.exit(import_module("servers.faults.command").main())
