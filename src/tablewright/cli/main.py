"""The command `tablewright`."""

from __future__ import annotations

import argparse
import gc
import importlib
import logging
import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn, cast

from tablewright import __version__
from tablewright.cli.commands import COMMANDS, Command
from tablewright.cli.exits import Exit, WrongUse
from tablewright.cli.languages import terminal_language
from tablewright.errors import KeyRequired, ModelUnknown, NotFound, QuestionMissing, SettingsInvalid, TablewrightError
from tablewright.method_code import METHODS
from tablewright.texts.catalogue import Language, text
from tablewright.texts.errors import describe, error_text

MISUSE = (QuestionMissing, SettingsInvalid, KeyRequired, ModelUnknown, NotFound)
"""Errors that are avoided by calling the command differently."""
log = logging.getLogger(__name__)
COLLECT_AFTER = 500_000
"""After so many new objects they are looked through for such as refer to each other and are not used."""
PLUGINS = "PYDANTIC_DISABLE_PLUGINS"
"""Which plugins pydantic does without."""
HELP = frozenset({"-h", "--help", "help"})


def main(argv: Sequence[str] | None = None) -> None:
    """Run a command and exit the process with its exit code."""
    # What is imported stays: looking through it again and again, as by default, takes a sixth of a short command.
    gc.set_threshold(COLLECT_AFTER)
    # Nothing here has a plugin of pydantic, and to look for one it reads the descriptions of all packages.
    os.environ.setdefault(PLUGINS, "__all__")
    METHODS.reuse()
    _leave(run(sys.argv[1:] if argv is None else argv))


def run(argv: Sequence[str]) -> int:
    """Run the command that `argv` names and return its exit code."""
    language = terminal_language(os.environ)
    if not argv or argv[0] in HELP:
        print(overview(language))
        return Exit.DONE if argv else Exit.WRONG_USE
    if argv[0] == "--version":
        print(f"tablewright {__version__}")
        return Exit.DONE
    command = next((command for command in COMMANDS if command.name == argv[0]), None)
    if command is None:
        return _complain(text("cli_unknown_command", language, command=argv[0]), Exit.WRONG_USE)
    try:
        parser = command.parser(language)
        arguments = parser.parse_intermixed_args(parser.words(argv[1:]))
    except SystemExit as ended:
        return int(ended.code or 0)
    arguments.language = language
    return _guarded(command, arguments)


def overview(language: Language) -> str:
    """Return the overview: a description of the program and a line per command."""
    width = max(len(command.name) for command in COMMANDS)
    lines = [f"  {command.name:<{width}}  {text(f'cli_{command.name}', language)}" for command in COMMANDS]
    return "\n".join([text("cli_overview", language), "", *lines, "", text("cli_overview_examples", language)])


def _guarded(command: Command, arguments: argparse.Namespace) -> int:
    module, _, name = command.target.partition(":")
    try:
        function = cast(Callable[[argparse.Namespace], int], getattr(importlib.import_module(module), name))
        return function(arguments)
    except WrongUse as wrong:
        return _complain(text(wrong.code, arguments.language, **wrong.params), Exit.WRONG_USE)
    except TablewrightError as error:
        return _complain(
            describe(error, arguments.language), Exit.WRONG_USE if isinstance(error, MISUSE) else Exit.FAILED
        )
    except KeyboardInterrupt:
        return Exit.STOPPED
    except BrokenPipeError:
        sys.stderr.close()
        return Exit.FAILED
    except Exception:
        log.exception("unexpected error in %s", command.name)
        return _complain(error_text("internal", arguments.language), Exit.FAILED)


def _leave(code: int) -> NoReturn:
    """Exit the process, at once if all output is written: everything has been closed, and to take apart what was
    imported takes a part of what a short command takes."""
    gc.freeze()  # or the last collection would look at all of it besides
    try:
        for stream in filter(None, (sys.stdout, sys.stderr)):  # none is there where it was closed by whoever began this
            stream.flush()
    except (OSError, ValueError):
        sys.exit(code)
    METHODS.end()
    logging.shutdown()
    os._exit(code)


def _complain(message: str, code: Exit) -> Exit:
    print(message, file=sys.stderr)
    return code
