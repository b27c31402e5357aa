"""HTTP servers that send clients elsewhere, or not in."""

import json
import threading

from servers.faults.http import Handler, Site, Stream


def elsewhere(site: Site, handler: type[Handler]) -> Site:
    """Start a second server, at another origin, in front of the same faulty server."""
    other = Site(handler, site.server)
    threading.Thread(target=other.serve_forever, daemon=True).start()
    return other


class Unauthorized(Handler):
    """Asks for a token that nobody has."""

    def do_POST(self) -> None:
        self.body()
        realm = f'Bearer resource_metadata="{self.server.origin}/none", error="invalid_token"'
        self.send(401, b"", {"WWW-Authenticate": realm})

    def do_GET(self) -> None:
        self.send(404)


class Elsewhere(Handler):
    """Notes the headers that arrive, and answers properly."""

    def do_POST(self) -> None:
        self.server.server.options.note("arrived", {k.lower(): v for k, v in self.headers.items()})
        super().do_POST()


class Redirects(Handler):
    """Sends every POST to another origin; the record shows the headers that arrive there."""

    def do_POST(self) -> None:
        self.body()
        self.send(307, b"", {"Location": f"{elsewhere(self.server, Elsewhere).origin}/mcp"})


class Headers(Elsewhere):
    """Does nothing wrong; the record shows the headers that arrive."""


class LegacySSE(Handler):
    """Speaks only the old HTTP+SSE: GET opens the stream, POST to its address is 405."""

    def do_GET(self) -> None:
        stream = Stream(self, {})
        stream.write(f"event: endpoint\ndata: {self.endpoint()}\n\n".encode())
        self.server.server.loose = stream
        stream.stay_open()

    def do_POST(self) -> None:
        body = self.body()
        if not self.path.startswith("/messages"):
            self.send(405, b"", {"Allow": "GET"})
            return
        self.server.server.options.note("arrived", {k.lower(): v for k, v in self.headers.items()})
        self.send(202)
        channel = self.server.server.loose
        assert channel is not None
        threading.Thread(
            target=self.server.server.receive, args=(json.loads(body), channel), daemon=True
        ).start()

    def endpoint(self) -> str:
        """Return where messages go."""
        return "/messages?session=1"


class LegacySSEForeign(LegacySSE):
    """Names an address at another origin for messages."""

    def endpoint(self) -> str:
        return f"{elsewhere(self.server, Elsewhere).origin}/messages"


FAULTS = {
    "unauthorized": Unauthorized,
    "redirect": Redirects,
    "headers": Headers,
    "legacy-sse": LegacySSE,
    "legacy-sse-foreign": LegacySSEForeign,
}
