"""`tablewright sandbox install`, and the same installation on first use."""

from __future__ import annotations

import argparse
import sys

from tablewright.bootstrap.environments import find_environment, install_environment, needs_environment
from tablewright.cli.configuration import configured
from tablewright.cli.exits import Exit
from tablewright.cli.show.clean import one_line
from tablewright.domain.language import Language
from tablewright.settings.tree import Settings
from tablewright.telemetry import quiet
from tablewright.texts.catalogue import text

WIDTH = 76


def run(arguments: argparse.Namespace) -> int:
    """Create the sandbox environment in advance."""
    quiet()
    settings = configured(arguments).settings
    _make(settings, arguments.language)
    path = find_environment(settings)
    print(text("cli_sandbox_ready", arguments.language, path=path))
    return Exit.DONE


def ensure(settings: Settings, language: Language) -> None:
    """Create the sandbox environment if it is needed and missing."""
    if needs_environment(settings):
        _make(settings, language)


def _make(settings: Settings, language: Language) -> None:
    """Create the environment, reporting progress because it takes minutes."""
    if find_environment(settings) is not None:
        return
    print(text("cli_sandbox_installing", language), file=sys.stderr, flush=True)
    shown = sys.stderr.isatty()

    def tell(stage: str, detail: str) -> None:
        if shown:
            print(f"\r\x1b[2K{stage}: {one_line(detail)[:WIDTH]}", end="", file=sys.stderr, flush=True)

    install_environment(tell)
    if shown:
        print("\r\x1b[2K", end="", file=sys.stderr, flush=True)
