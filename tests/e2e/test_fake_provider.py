"""The command ``hackamore-fake-provider``, as a process."""

import json
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

_COMMAND = [sys.executable, "-m", "hackamore.testing.fake_provider.command"]


def start(tmp_path: Path, *flags: str) -> "subprocess.Popen[str]":
    script = tmp_path / "answers.json"
    script.write_text('[{"text": "hello"}]', encoding="utf-8")
    return subprocess.Popen(
        [*_COMMAND, str(script), *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


@pytest.mark.req("FMT-01")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_prints_its_base_url_serves_and_stops_on_a_signal(
    tmp_path: Path, number: signal.Signals
) -> None:
    with start(tmp_path) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        with urllib.request.urlopen(f"{url}/models", timeout=30) as response:  # noqa: S310 - loopback
            assert json.load(response)["data"][0]["id"] == "fake-model"
        process.send_signal(number)
        assert process.wait(30) == 0
        assert process.stdout.read() == ""


@pytest.mark.req("FMT-01")
def test_it_stops_at_the_end_of_its_input_when_asked(tmp_path: Path) -> None:
    with start(tmp_path, "--until-eof") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()
        process.stdin.close()
        assert process.wait(30) == 0


@pytest.mark.req("FMT-01")
def test_a_wrong_script_is_a_usage_error_and_help_has_an_example(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[{"txt": 1}]', encoding="utf-8")
    wrong = subprocess.run([*_COMMAND, str(path)], capture_output=True, text=True, check=False)
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "'txt'" in wrong.stderr
    help_text = subprocess.run([*_COMMAND, "--help"], capture_output=True, text=True, check=True)
    assert "hackamore-fake-provider answers.json --port 8123" in help_text.stdout
