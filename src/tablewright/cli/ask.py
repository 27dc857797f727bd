"""`tablewright ask FILE… QUESTION`."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tablewright.bootstrap.loader import load
from tablewright.cli.connection import client
from tablewright.cli.exits import Exit, WrongUse
from tablewright.cli.sources import check_source, is_connection_name
from tablewright.data.sql.address import is_address
from tablewright.domain.language import language_of
from tablewright.errors import QuestionMissing
from tablewright.telemetry import quiet
from tablewright.texts.catalogue import text

if TYPE_CHECKING:
    from tablewright.cli.ask_command import AskCommand

COMMAND = "tablewright.cli.ask_command:AskCommand"
"""What asks and shows the answer, imported while the processes beside the service start."""


def run(arguments: argparse.Namespace) -> int:
    """Ask, show the answer, and return the exit code."""
    started = time.monotonic()
    quiet()
    sources, question = read_words(arguments.words, continued=arguments.conversation is not None)
    arguments.language = language_of(question, arguments.language)
    try:
        return asyncio.run(_asked(arguments, sources, question, started))
    except (KeyboardInterrupt, asyncio.CancelledError):
        print(text("cli_stopped", arguments.language), file=sys.stderr)
        return Exit.STOPPED


async def _asked(arguments: argparse.Namespace, sources: list[str], question: str, started: float) -> int:
    async with client(arguments) as service:
        command: AskCommand = load(COMMAND)(arguments, sources, question, started)
        return await command.run(service)


def read_words(words: list[str], *, continued: bool) -> tuple[list[str], str]:
    """Split the words into sources and the question, which comes last. Raises `QuestionMissing` or `WrongUse`."""
    if not words or (len(words) == 1 and Path(words[0]).is_file()) or not words[-1].strip():
        raise QuestionMissing
    *names, question = words
    if Path(question).is_file() or ("://" in question and is_address(question)):
        raise QuestionMissing
    if not names and not continued:
        raise WrongUse("cli_no_files", question=question)
    for name in names:
        if not is_address(name) and not is_connection_name(name):
            check_source(Path(name))
    return names, question
