"""`tablewright code list|show|run`."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from pathlib import Path

from rich import box
from rich.table import Table
from rich.text import Text

from tablewright.cli.answers import answered
from tablewright.cli.clients.base import CodeEntry
from tablewright.cli.connection import client
from tablewright.cli.exits import Exit, WrongUse
from tablewright.cli.follower import follow
from tablewright.cli.output_files import save_files
from tablewright.cli.show.answers import show_answer
from tablewright.cli.show.clean import clean, one_line
from tablewright.cli.show.screens import NoScreen, Screen
from tablewright.cli.terminal import complain, console_on, exit_of, say, say_end, screen_on, stopping
from tablewright.domain.codec import to_json
from tablewright.domain.language import Language
from tablewright.service.evaluation import result_object
from tablewright.telemetry import quiet
from tablewright.texts.catalogue import text


def run(arguments: argparse.Namespace) -> int:
    """List kept code, print one piece of it, or run it again."""
    quiet()
    if arguments.action == "list":
        return asyncio.run(_list(arguments))
    if not arguments.id:
        raise WrongUse("cli_code_id_missing")
    if arguments.action == "show":
        return asyncio.run(_show(arguments))
    running = CodeCommand(arguments)
    try:
        return asyncio.run(running.run())
    except (KeyboardInterrupt, asyncio.CancelledError):
        running.screen.close()
        complain(text("cli_stopped", arguments.language))
        return Exit.STOPPED


async def _list(arguments: argparse.Namespace) -> int:
    async with client(arguments, ahead=False) as service:
        found = await service.code.list()
    if arguments.json:
        print(to_json(tuple[CodeEntry, ...], found).decode())
    elif not found:
        print(text("cli_no_code", arguments.language))
    else:
        _print_table(found, arguments.language)
    return Exit.DONE


def _print_table(found: tuple[CodeEntry, ...], language: Language) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("id", "description", "chars"):
        table.add_column(
            text(f"cli_code_{heading}", language),
            justify="right" if heading == "chars" else "left",
            no_wrap=heading != "description",
            overflow="fold",
        )
    for code in found:
        table.add_row(code.code_id, Text(one_line(code.description)), f"{code.chars:,}")
    console_on(sys.stdout).print(table)


async def _show(arguments: argparse.Namespace) -> int:
    async with client(arguments, ahead=False) as service:
        print(clean(await service.code.content(arguments.id)))
    return Exit.DONE


class CodeCommand:
    """One `code run` command, from the start of its run to its exit code."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._arguments = arguments
        self._language: Language = arguments.language
        self._console = console_on(sys.stdout)
        self._started = time.monotonic()
        self.screen: Screen = NoScreen()

    async def run(self) -> int:
        """Run the code, show what came out and save its files; return the exit code."""
        folder = Path(self._arguments.out or ".")
        async with client(self._arguments) as service:
            if not self._arguments.json:
                self.screen = screen_on(self._console, self._language)
            try:
                run_id = await service.code.run(self._arguments.id)
                with stopping(service, run_id, self._language):
                    followed = await follow(service, run_id, self.screen, attended=False)
            finally:
                self.screen.close()
            if self._arguments.json:
                ended = await answered(service, followed, folder, self._language)
                seconds = time.monotonic() - self._started
                print(json.dumps(result_object(run_id, ended, seconds=seconds), ensure_ascii=False))
                return exit_of(followed)
            if followed.answer is not None:
                show_answer(self._console, followed.answer, self._language)
            for path in await save_files(service, followed.files, folder):
                say(self._console, text("cli_saved", self._language, path=path))
            say_end(self._console, "", followed, self._language)
            return exit_of(followed)
