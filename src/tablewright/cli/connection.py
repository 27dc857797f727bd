"""Opens the client selected by a command's arguments."""

from __future__ import annotations

import argparse
import importlib
import os
from typing import cast

from tablewright.cli.clients.base import ClientContext
from tablewright.cli.configuration import configured
from tablewright.cli.exits import WrongUse
from tablewright.cli.sandbox import ensure
from tablewright.telemetry import configure

KEY_VARIABLE = "TABLEWRIGHT_KEY"


def client(arguments: argparse.Namespace, *, ahead: bool = True) -> ClientContext:
    """Return the client: over HTTP with `--server`, otherwise in this process on the data folder.

    Only the chosen one is imported, because each needs much that the other does not. Without `ahead`, processes that
    run code or read files are not started before they are needed: the command only looks at stored data.
    """
    if arguments.server:
        if not arguments.server.startswith(("http://", "https://")):
            raise WrongUse("cli_server_address", address=arguments.server)
        remote = importlib.import_module("tablewright.cli.clients.http")
        key = arguments.key or os.environ.get(KEY_VARIABLE)
        return cast(ClientContext, remote.open_remote(arguments.server, key=key, language=arguments.language))
    settings = configured(arguments).settings
    if settings.log.level == "debug":
        configure(level="debug", form=settings.log.format)
    if ahead:
        ensure(settings, arguments.language)
    local = importlib.import_module("tablewright.cli.clients.local")
    return cast(ClientContext, local.open_local(settings, ahead=ahead))
