"""`tablewright share CONVERSATION [--days N]`, `share list [CONVERSATION]`, `share revoke LINK`."""

from __future__ import annotations

import argparse
import asyncio
import sys

from tablewright.cli.clients.shares import ShareLine
from tablewright.cli.connection import client
from tablewright.cli.exits import Exit, WrongUse
from tablewright.cli.show.clean import one_line
from tablewright.domain.language import Language
from tablewright.telemetry import quiet
from tablewright.texts.catalogue import text

LONGEST = {"list": 2, "revoke": 2}
"""How many words there are at most; of a conversation, one."""


def run(arguments: argparse.Namespace) -> int:
    """Make a link to a conversation, list links, or close one."""
    quiet()
    words: list[str] = arguments.words
    if len(words) > LONGEST.get(words[0], 1) or words == ["revoke"]:
        raise WrongUse("cli_share_use")
    if arguments.days is not None and words[0] in LONGEST:
        raise WrongUse("cli_share_days")
    return asyncio.run(_share(arguments, words))


async def _share(arguments: argparse.Namespace, words: list[str]) -> int:
    language: Language = arguments.language
    async with client(arguments, ahead=False) as service:
        match words:
            case ["list", *which]:
                for line in await service.shares.list(which[0] if which else None):
                    print(_shown(line, language))
            case ["revoke", share_id]:
                await service.shares.revoke(share_id)
            case _:
                made = await service.shares.make(words[0], arguments.days)
                print(made.address)
                about = text("cli_share_made", language, until=_time(made), id=one_line(made.id))
                print(about, file=sys.stderr)
    return Exit.DONE


def _shown(line: ShareLine, language: Language) -> str:
    """Return a link as one line: its id, its conversation, and whether it opens."""
    state = text(f"cli_share_{line.state}", language, until=_time(line))
    return "\t".join(map(one_line, (line.id, line.conversation_id, state)))


def _time(line: ShareLine) -> str:
    return line.expires_at.strftime("%Y-%m-%d %H:%M UTC")
