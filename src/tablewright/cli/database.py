"""`tablewright db upgrade`."""

from __future__ import annotations

import argparse
import asyncio

from tablewright.bootstrap.build import data_dir_of, prepare
from tablewright.bootstrap.stores import database_url, store_of
from tablewright.cli.configuration import configured
from tablewright.cli.exits import Exit
from tablewright.settings.covering import without_password
from tablewright.settings.tree import Settings
from tablewright.telemetry import quiet
from tablewright.texts.catalogue import text


def run(arguments: argparse.Namespace) -> int:
    """Open the store, which upgrades an older database, and close it again."""
    quiet()
    settings = configured(arguments).settings
    asyncio.run(_upgrade(settings))
    url = without_password(database_url(settings, data_dir_of(settings)))
    print(text("cli_database_ready", arguments.language, url=url))
    return Exit.DONE


async def _upgrade(settings: Settings) -> None:
    store = store_of(settings, prepare(settings))
    await store.open()
    await store.close()
