"""A process that carries out a plan and dies with its append number N: `python -m … URL FOLDER N`."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.integration.service.takeover_process import _die_at
from tests.support.killed_plan import service_on

from tablewright.domain.ids import SystemClock, Uuid7Ids
from tablewright.service.runs.leases import this_instance
from tablewright.store.sql import SqlStore


async def main(url: str, folder: Path, kill_at: int) -> None:
    """Run until killed, or to the end if there is no such append."""
    store = SqlStore(url)
    await store.open()
    _die_at(store, kill_at)
    told = service_on(store, folder, this_instance(Uuid7Ids().new(), SystemClock().now()))
    await told.bench.runs.open_up()
    run = await told.start()
    sys.stdout.write(f"{run.id}\n")
    sys.stdout.flush()
    await told.ended(run)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])))
