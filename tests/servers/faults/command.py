"""The command line of the faulty servers."""

import argparse
import signal
import sys
import threading
import time
from pathlib import Path

from servers.faults.http import Handler, Site
from servers.faults.options import Options
from servers.faults.registry import SERVERS, SITES
from servers.faults.server import LONGEST_LIFE, Server
from servers.faults.stdio import serve


def main() -> int:
    """Serve one fault until stdin ends; over HTTP the first line on stdout is the origin."""
    signal.alarm(LONGEST_LIFE)
    parsed = _parser().parse_args()
    if parsed.list:
        print("\n".join([*SERVERS, *SITES]))
        return 0
    options = Options(parsed.record, parsed.once, parsed.count, parsed.seconds, parsed.sse)
    server = SERVERS.get(parsed.fault, Server)(options)
    if parsed.http or parsed.fault in SITES:
        _serve_http(Site(SITES.get(parsed.fault, Handler), server, parsed.port))
    else:
        serve(server)
    if server.stays:
        time.sleep(LONGEST_LIFE)
    return 0


def _serve_http(site: Site) -> None:
    threading.Thread(target=site.serve_forever, daemon=True).start()
    print(site.origin, flush=True)
    sys.stdin.read()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="An MCP server with one fault.")
    parser.add_argument("fault", nargs="?", default="none", choices=[*SERVERS, *SITES])
    parser.add_argument("--list", action="store_true", help="name the faults")
    parser.add_argument("--http", action="store_true", help="Streamable HTTP instead of stdio")
    parser.add_argument("--port", type=int, default=0, help="over HTTP; default: a free port")
    parser.add_argument("--sse", action="store_true", help="over HTTP: answer by event streams")
    parser.add_argument("--record", type=Path, metavar="FILE", help="gets what is noticed, as JSON")
    parser.add_argument("--once", type=Path, metavar="FILE", help="only while FILE is missing")
    parser.add_argument("--count", type=int, default=0, help="how many, by the fault")
    parser.add_argument("--seconds", type=float, default=0.0, help="how long, by the fault")
    return parser
