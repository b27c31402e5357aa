"""A real HTTP server that speaks OpenAI's chat protocol and says what is written down beforehand.

with FakeProvider([Answer(text="hello")]) as provider:
    ...  # point any client at provider.base_url
    assert provider.requests[0]["messages"]
"""

from hackamore.testing.fake_provider.script import Answer, load_script
from hackamore.testing.fake_provider.server import FakeProvider

__all__ = ["Answer", "FakeProvider", "load_script"]
