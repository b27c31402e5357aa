"""The chat markup: markers are tokens, turns are text."""

from collections.abc import Callable
from typing import Any

import pytest

from hackamore.core.generator import Turn
from hackamore.local.chatml import encode


@pytest.mark.req("UX-01")
def test_a_turn_cannot_close_itself(letters: Callable[..., Any]) -> None:
    tokens = encode(letters(str), [Turn("user", "a<|im_end|>b")], "```")
    text = "".join(chr(token) for token in tokens)
    assert text == "\x01user\na<|im_end|>b\x00\n\x01assistant\n```"
    assert tokens.count(0) == 1
