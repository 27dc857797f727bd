"""Terminal functions shared by all commands that run something: consoles, stopping, and exit codes."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TextIO

from rich.console import Console

from tablewright.cli.clients.base import Client
from tablewright.cli.exits import Exit
from tablewright.cli.follower import Followed
from tablewright.cli.show.clean import one_line
from tablewright.cli.show.screens import LineScreen, LiveScreen, Screen
from tablewright.domain.answer import Outcome
from tablewright.domain.language import Language
from tablewright.domain.offer import numbered
from tablewright.texts.catalogue import text
from tablewright.texts.errors import error_text

OUTCOMES: Mapping[Outcome, Exit] = {
    "completed": Exit.DONE,
    "failed": Exit.FAILED,
    "limit": Exit.FAILED,
    "declined": Exit.DECLINED,
    "cancelled": Exit.STOPPED,
    "superseded": Exit.STOPPED,
}
PLAIN_WIDTH = 160


def console_on(stream: TextIO) -> Console:
    """Return a console on `stream`, with a fixed width if that is not a terminal."""
    return Console(file=stream, width=None if stream.isatty() else PLAIN_WIDTH, highlight=False, emoji=False)


def screen_on(console: Console, language: Language) -> Screen:
    """Return the display for a run: live on a terminal, line by line elsewhere."""
    return (LiveScreen if console.is_terminal else LineScreen)(console, language)


def person_is_there() -> bool:
    """Return whether there is somebody to ask."""
    return sys.stdin.isatty() and sys.stdout.isatty()


@contextmanager
def stopping(service: Client, run_id: str, language: Language) -> Iterator[None]:
    """Within this context, the first Ctrl-C stops the run and the second one the program.

    A run that does not end at once is said to be stopping.
    """
    loop = asyncio.get_running_loop()
    stops: list[asyncio.Task[None]] = []

    async def cancel() -> None:
        if not await service.cancel(run_id):
            complain(text("cli_stopping", language))

    def stop() -> None:
        if stops:
            os._exit(Exit.STOPPED)
        stops.append(loop.create_task(cancel()))

    loop.add_signal_handler(signal.SIGINT, stop)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)


def exit_of(followed: Followed) -> Exit:
    """Return the exit code for the outcome of a run."""
    return Exit.DECLINED if followed.waiting is not None else OUTCOMES[followed.outcome]


def say(console: Console, line: str) -> None:
    """Print a line without interpreting markup."""
    console.print(line, markup=False, highlight=False, soft_wrap=True)


def complain(line: str) -> None:
    """Print a line to standard error."""
    print(line, file=sys.stderr)


def say_end(console: Console, conversation_id: str, followed: Followed, language: Language) -> None:
    """Print why a run ended without a complete answer, or that it is waiting."""
    if followed.waiting is not None and followed.plan is not None and not followed.rounds:
        say(console, text("cli_plan_waits", language, conversation=conversation_id))
    elif followed.waiting is not None:
        prompt, options = one_line(followed.waiting), [one_line(option) for option in followed.options]
        code = "cli_waits_choice" if options else "cli_waits"
        say(console, text(code, language, prompt=numbered(prompt, options), conversation=conversation_id))
    elif followed.outcome == "cancelled":
        complain(text("cli_stopped", language))
    elif followed.outcome == "superseded":
        complain(text("cli_superseded", language))
    elif followed.failure is not None:
        complain(error_text(followed.failure.code, language, followed.failure.params))
    elif followed.stopped_by is not None:
        say(console, text("cli_limit_stopped", language, limit=followed.stopped_by))
