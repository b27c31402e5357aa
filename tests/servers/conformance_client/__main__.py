"""Run one scenario; the suite judges by what it saw on the wire and by the exit status."""

import asyncio
import json
import os
import sys
from importlib import import_module

from servers.conformance_client.scenarios import Situation, play

_LONGEST = 60.0


async def _main(client_module: str, url: str) -> None:
    module = import_module(f"servers.conformance_client.{client_module}")
    situation = Situation(
        scenario=os.environ["MCP_CONFORMANCE_SCENARIO"],
        url=url,
        protocol=os.environ["MCP_CONFORMANCE_PROTOCOL_VERSION"],
        context=json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}")),
    )
    async with asyncio.timeout(_LONGEST), module.connect(situation) as client:
        await play(situation, client)


asyncio.run(_main(*sys.argv[1:]))
