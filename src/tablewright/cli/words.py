"""`tablewright words list|add|remove`."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from dataclasses import asdict

from tablewright.cli.clients.base import Client
from tablewright.cli.clients.words import WordLine
from tablewright.cli.connection import client
from tablewright.cli.exits import Exit, WrongUse
from tablewright.cli.show.clean import one_line
from tablewright.telemetry import quiet
from tablewright.texts.catalogue import text

SIGN = "="


def run(arguments: argparse.Namespace) -> int:
    """List the words of the tenant, add what is written as `word = meaning`, or remove those with the given ids."""
    quiet()
    if arguments.action != "list" and not arguments.words:
        raise WrongUse("cli_words_missing")
    if arguments.action == "add" and any(not _said(words) for words in arguments.words):
        raise WrongUse("cli_words_sign")
    return asyncio.run(_do(arguments))


async def _do(arguments: argparse.Namespace) -> int:
    async with client(arguments, ahead=False) as service:
        match arguments.action:
            case "add":
                await _add(service, arguments)
            case "remove":
                for entry_id in arguments.words:
                    await service.words.remove(entry_id)
                    print(text("cli_word_removed", arguments.language, id=entry_id))
            case _:
                _list(await service.words.list(), arguments)
    return Exit.DONE


async def _add(service: Client, arguments: argparse.Namespace) -> None:
    for words in arguments.words:
        phrase, _, meaning = words.partition(SIGN)
        kept = await service.words.add(phrase.strip(), meaning.strip())
        print(_shown(kept))
        if not kept.found:
            print(text("cli_word_not_found", arguments.language, meaning=one_line(kept.meaning)), file=sys.stderr)


def _list(lines: tuple[WordLine, ...], arguments: argparse.Namespace) -> None:
    if arguments.json:
        items = [{name: value for name, value in asdict(line).items() if name != "found"} for line in lines]
        print(json.dumps(items, ensure_ascii=False, indent=2))
    elif not lines:
        print(text("cli_no_words", arguments.language))
    for line in () if arguments.json else lines:
        print(_shown(line))


def _shown(line: WordLine) -> str:
    """Return a word as one line: its id, and what it stands for; a question with what was chosen for it."""
    sign = SIGN if line.kind == "word" else "→"
    return f"{one_line(line.id)}\t{one_line(line.phrase)} {sign} {one_line(line.meaning)}"


def _said(words: str) -> bool:
    phrase, sign, meaning = words.partition(SIGN)
    return bool(sign and phrase.strip() and meaning.strip())
