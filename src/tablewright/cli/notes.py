"""`tablewright notes list|add|delete`."""

from __future__ import annotations

import argparse
import asyncio
import json
from dataclasses import asdict

from tablewright.cli.clients.base import Client
from tablewright.cli.clients.notes import NoteLine
from tablewright.cli.connection import client
from tablewright.cli.exits import Exit, WrongUse
from tablewright.cli.show.clean import one_line
from tablewright.telemetry import quiet
from tablewright.texts.catalogue import text


def run(arguments: argparse.Namespace) -> int:
    """List the caller's notes, add those that are written, or delete those with the given ids."""
    quiet()
    if arguments.action != "list" and not arguments.words:
        raise WrongUse("cli_notes_missing")
    return asyncio.run(_do(arguments))


async def _do(arguments: argparse.Namespace) -> int:
    async with client(arguments, ahead=False) as service:
        match arguments.action:
            case "add":
                for words in arguments.words:
                    print(_shown(await service.notes.add(words)))
            case "delete":
                for note_id in arguments.words:
                    await service.notes.delete(note_id)
                    print(text("cli_note_deleted", arguments.language, id=one_line(note_id)))
            case _:
                await _list(service, arguments)
    return Exit.DONE


async def _list(service: Client, arguments: argparse.Namespace) -> None:
    lines = await service.notes.list()
    if arguments.json:
        print(json.dumps([asdict(line) for line in lines], ensure_ascii=False, indent=2))
    elif not lines:
        print(text("cli_no_notes", arguments.language))
    else:
        print("\n".join(_shown(line) for line in lines))


def _shown(line: NoteLine) -> str:
    return f"{one_line(line.id)}\t{one_line(line.text)}"
