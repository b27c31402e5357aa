"""Run one scenario; the suite judges by what it saw on the wire and by the exit status."""

import asyncio
import json
import os
import sys

from servers.conformance_client.scenarios import Situation, play
from servers.conformance_client.sdk import connect

_LONGEST = 60.0


async def _main() -> None:
    situation = Situation(
        scenario=os.environ["MCP_CONFORMANCE_SCENARIO"],
        url=sys.argv[1],
        protocol=os.environ["MCP_CONFORMANCE_PROTOCOL_VERSION"],
        context=json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}")),
    )
    async with asyncio.timeout(_LONGEST), connect(situation) as client:
        await play(situation, client)


asyncio.run(_main())
