"""Processes that die at a chosen place of what they do, so that another can go on from what they stored."""

from __future__ import annotations

import asyncio
import shutil
import signal
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.support.databases import sqlite_url
from tests.support.patience import PATIENCE_S
from tests.support.warm_start import WarmStart


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """What a process has left: its database, the run that it told, and whether it was killed or came to its end."""

    url: str
    run_id: str
    killed: bool


@dataclass(frozen=True, slots=True)
class Killing:
    """Runs programs that are called with a database, a folder and the number of the append at which they die."""

    warm: WarmStart
    migrated: Path

    async def at(self, number: int, program: str, folder: Path) -> Left:
        """Run a program on a new database until it is dead."""
        path = folder / "store.db"
        shutil.copyfile(self.migrated, path)
        url = sqlite_url(path)
        process = await self.warm.module(program, url, str(folder), str(number))
        try:
            run_id = (await asyncio.wait_for(process.stdout.readline(), PATIENCE_S)).decode().strip()
            code = await asyncio.wait_for(process.wait(), PATIENCE_S)
        finally:
            process.kill()
        return Left(url=url, run_id=run_id, killed=code == -signal.SIGKILL)


@pytest.fixture
def killing(warm_start: WarmStart, migrated: Path) -> Killing:
    """Return what starts processes that die."""
    return Killing(warm_start, migrated)
