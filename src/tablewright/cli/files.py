"""`tablewright files list|delete`."""

from __future__ import annotations

import argparse
import asyncio
import sys

from rich import box
from rich.table import Table
from rich.text import Text

from tablewright.cli.connection import client
from tablewright.cli.exits import Exit, WrongUse
from tablewright.cli.show.clean import one_line
from tablewright.cli.terminal import console_on
from tablewright.domain.codec import to_json
from tablewright.domain.dataset import StoredFile
from tablewright.domain.language import Language
from tablewright.telemetry import quiet
from tablewright.texts.catalogue import text


def run(arguments: argparse.Namespace) -> int:
    """List the caller's files, or delete those with the given ids."""
    quiet()
    if arguments.action == "delete":
        if not arguments.ids:
            raise WrongUse("cli_ids_missing")
        return asyncio.run(_delete(arguments))
    return asyncio.run(_list(arguments))


async def _list(arguments: argparse.Namespace) -> int:
    async with client(arguments, ahead=False) as service:
        files = await service.files()
    if arguments.json:
        print(to_json(tuple[StoredFile, ...], files).decode())
    elif not files:
        print(text("cli_no_saved_files", arguments.language))
    else:
        _show(files, arguments.language)
    return Exit.DONE


def _show(files: tuple[StoredFile, ...], language: Language) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("id", "name", "kind", "size"):
        table.add_column(
            text(f"cli_files_{heading}", language),
            justify="right" if heading == "size" else "left",
            no_wrap=heading != "name",
            overflow="fold",
        )
    for file in files:
        table.add_row(file.id, Text(one_line(file.name)), file.kind, f"{file.size_bytes:,}")
    console_on(sys.stdout).print(table)


async def _delete(arguments: argparse.Namespace) -> int:
    async with client(arguments, ahead=False) as service:
        for file_id in arguments.ids:
            await service.delete_file(file_id)
            print(text("cli_file_deleted", arguments.language, id=file_id))
    return Exit.DONE
