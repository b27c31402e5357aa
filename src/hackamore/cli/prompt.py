"""``hackamore prompt``: the system prompt as a model would get it, with tokens per part."""

import argparse
import asyncio
import json
from typing import TYPE_CHECKING

from hackamore.cli.flags import add_flags, options_of

if TYPE_CHECKING:
    from argparse import _SubParsersAction  # pyright: ignore[reportPrivateUsage]


def add_to(commands: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = commands.add_parser(
        "prompt",
        help="print the system prompt, with tokens per part",
        description="Print what a model would be told, part by part, with about how many tokens "
        "each part costs. No model is asked.",
        epilog="example: hackamore prompt --tool-format xml",
    )
    add_flags(parser)
    parser.set_defaults(command=_prompt)


def _prompt(parsed: argparse.Namespace) -> int:
    from hackamore.compose.preview import preview_prompt

    parts = asyncio.run(preview_prompt(options_of(parsed)))
    if parsed.json:
        rows = [{"name": one.name, "tokens": one.tokens, "text": one.text} for one in parts]
        print(json.dumps(rows, ensure_ascii=False, indent=2))
        return 0
    for part in parts:
        print(f"─── {part.name} ({part.tokens} tokens) ───\n{part.text}\n")
    print(f"─── {sum(part.tokens for part in parts)} tokens in all (about 4 characters each) ───")
    return 0
