"""`tablewright mcp`."""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import signal
import sys
from typing import NoReturn

from tablewright.bootstrap.memory import COLLECT_AFTER
from tablewright.cli import serve
from tablewright.cli.configuration import configured
from tablewright.cli.exits import Exit
from tablewright.domain.language import Language
from tablewright.settings.tree import Settings
from tablewright.telemetry import configure


def run(arguments: argparse.Namespace) -> int:
    """Serve the tools: over standard input and output to the parent process, or with `--http` to a network.

    Standard output carries only the protocol; logs go to standard error.
    """
    if arguments.http:
        return serve.run(arguments, announcement="cli_mcp_ready")
    settings = configured(arguments).settings
    configure(level=settings.log.level, form=settings.log.format)
    gc.set_threshold(*COLLECT_AFTER)
    code = Exit.DONE
    try:
        asyncio.run(_serve(settings, arguments.language))
    except (KeyboardInterrupt, asyncio.CancelledError):
        code = Exit.STOPPED
    return _leave(code)


async def _serve(settings: Settings, language: Language) -> None:
    from tablewright.bootstrap.build import build
    from tablewright.mcp_server.server import serve_stdio

    this = asyncio.current_task()
    assert this is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, this.cancel)
    async with build(settings, preload="least") as app:
        await serve_stdio(app, language)


def _leave(code: Exit) -> NoReturn:
    """Exit the process at once; everything has been closed.

    A thread may still be waiting for input that nobody will send, and tearing down the interpreter takes longer than
    clients wait before sending signals.
    """
    sys.stderr.flush()
    os._exit(code)
