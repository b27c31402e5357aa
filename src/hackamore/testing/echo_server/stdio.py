"""The echo server on stdin and stdout: one message a line, until stdin ends."""

import json
import sys

from hackamore.testing.echo_server.conversation import Conversation
from hackamore.testing.echo_server.script import Script


def serve(script: Script) -> None:
    """Answer until stdin ends."""
    conversation = Conversation(script)
    for line in sys.stdin.buffer:
        answer = conversation.answer(json.loads(line)) if line.strip() else None
        if answer is not None:
            sys.stdout.buffer.write(json.dumps(answer, separators=(",", ":")).encode() + b"\n")
            sys.stdout.buffer.flush()
