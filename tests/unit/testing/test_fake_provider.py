"""The fake provider says what its script says, in the shapes that clients know."""

import http.client
import json
import re
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from hackamore.core.errors import UsageError
from hackamore.testing.fake_provider import Answer, FakeProvider, load_script

_PAGE = Path(__file__).parents[3] / "docs" / "reference" / "fake-provider.md"


def ask(provider: FakeProvider, *, stream: bool = False) -> str:
    body = {"model": "m", "stream": stream, "messages": [{"role": "user", "content": "hi"}]}
    request = urllib.request.Request(  # noqa: S310 - our own loopback address
        f"{provider.base_url}/chat/completions",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310 - as above
        return response.read().decode()


def chunks(stream: str) -> list[dict[str, Any]]:
    lines = [line.removeprefix("data: ") for line in stream.split("\n\n") if line]
    return [json.loads(line) for line in lines if line != "[DONE]"]


def deltas(stream: str, key: str) -> list[Any]:
    found = [chunk["choices"][0]["delta"] for chunk in chunks(stream) if chunk["choices"]]
    return [delta[key] for delta in found if delta.get(key)]


@pytest.mark.req("FMT-01")
def test_a_streamed_answer_comes_in_chunks_with_reasoning_calls_and_usage() -> None:
    call = {"name": "read_file", "arguments": {"path": "a"}}
    with FakeProvider([Answer(text="hello", reasoning="hm", calls=[call], chunk=2)]) as provider:
        stream = ask(provider, stream=True)
    assert deltas(stream, "content") == ["he", "ll", "o"]
    assert deltas(stream, "reasoning_content") == ["hm"]
    pieces = [piece["function"] for (piece,) in deltas(stream, "tool_calls")]
    assert pieces[0]["name"] == "read_file"
    assert json.loads("".join(piece["arguments"] for piece in pieces)) == {"path": "a"}
    assert chunks(stream)[-2]["choices"][0]["finish_reason"] == "tool_calls"
    assert chunks(stream)[-1]["usage"]["completion_tokens"] > 0
    assert stream.endswith("data: [DONE]\n\n")
    assert provider.requests[0]["messages"][0]["content"] == "hi"


@pytest.mark.req("FMT-01")
def test_an_error_carries_its_words_and_when_to_try_again() -> None:
    answers = [Answer(status=429, error="slow down", retry_after=2), Answer(text="ok")]
    with FakeProvider(answers) as provider:
        with pytest.raises(urllib.error.HTTPError) as caught:
            ask(provider)
        with caught.value as error:
            assert error.code == 429
            assert error.headers["Retry-After"] == "2"
            assert json.loads(error.read())["error"]["message"] == "slow down"
        assert json.loads(ask(provider))["choices"][0]["message"]["content"] == "ok"


@pytest.mark.req("FMT-01")
def test_a_stream_that_is_cut_has_no_end() -> None:
    with FakeProvider([Answer(text="hello", cut=True)]) as provider:
        stream = ask(provider, stream=True)
    assert deltas(stream, "content") == ["hello"]
    assert "[DONE]" not in stream
    assert '"finish_reason": "stop"' not in stream


@pytest.mark.req("FMT-01")
def test_a_stalled_stream_stays_open_until_the_server_stops() -> None:
    provider = FakeProvider([Answer(text="hello", stall=True)])
    provider.start()
    host = provider.base_url.removeprefix("http://").removesuffix("/v1")
    connection = http.client.HTTPConnection(host, timeout=30)
    connection.request("POST", "/v1/chat/completions", '{"stream": true}')
    response = connection.getresponse()
    while b"hello" not in response.readline():
        pass
    provider.stop()
    assert b"[DONE]" not in response.read()
    connection.close()


@pytest.mark.req("FMT-01")
def test_the_example_of_the_page_runs(tmp_path: Path) -> None:
    (example,) = re.findall(r"```json\n(.*?)```", _PAGE.read_text(encoding="utf-8"), re.DOTALL)
    path = tmp_path / "answers.json"
    path.write_text(example, encoding="utf-8")
    with FakeProvider(load_script(path), log=tmp_path / "log") as provider:
        assert '"name": "read_file"' in ask(provider, stream=True)
        with pytest.raises(urllib.error.HTTPError) as caught:
            ask(provider)
        caught.value.close()
        assert "".join(deltas(ask(provider, stream=True), "content")).startswith("<read_file>")
        assert "It prints 1." in ask(provider)
        assert "It prints 1." in ask(provider)
    assert len((tmp_path / "log").read_text(encoding="utf-8").splitlines()) == 5


@pytest.mark.req("FMT-01")
def test_every_key_of_an_answer_stands_on_the_page() -> None:
    page = _PAGE.read_text(encoding="utf-8")
    assert all(f"`{key}`" in page for key in Answer.__dataclass_fields__)


@pytest.mark.req("FMT-01")
@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.json", '[{"text": "a"}, {"txt": "b"}]', "Answer 2 has an unknown key 'txt'"),
        ("a.json", '[{"chunk": "x"}]', "Answer 1: 'chunk' cannot be 'x'"),
        ("a.json", "[1]", "Answer 1 is not an object"),
        ("a.json", '"text"', "neither a list"),
        ("a.json", "{", "cannot be read"),
        ("a.jsonl", '{"text": "a"}\n{"txt": "b"}\n', "Answer 2 has an unknown key"),
    ],
)
def test_a_script_that_is_wrong_is_refused(
    tmp_path: Path, name: str, text: str, words: str
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=words):
        load_script(path)


@pytest.mark.req("FMT-01")
def test_a_script_may_have_one_answer_a_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "a"}\n\n{"text": "b"}\n', encoding="utf-8")
    assert [answer.text for answer in load_script(path).answers] == ["a", "b"]
