"""A process that executes a run without end, to be killed: `python -m … <folder>` writes the run's id to its output."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.support.service_bench import bench
from tests.unit.service.scripts import endless

from tablewright.domain.ids import SystemClock, Uuid7Ids
from tablewright.service.runs.leases import this_instance
from tablewright.store.sql import SqlStore


async def main(folder: Path) -> None:
    """Begin the run, and see it grow for ever."""
    store = SqlStore(f"sqlite+aiosqlite:///{folder / 'store.db'}")
    await store.open()
    service = bench(folder, endless, store=store, instance=this_instance(Uuid7Ids().new(), SystemClock().now()))
    await service.runs.open_up()
    run = await service.ask("How many?")
    async for event in service.runs.follow(service.scope, run.id):
        if event.seq == 5:
            sys.stdout.write(f"{run.id} {run.conversation_id}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
