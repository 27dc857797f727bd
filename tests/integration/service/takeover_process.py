"""A process of several on one database: `python -m … URL FOLDER [kill after N appends]`, told what to do line by line.

`ask` begins a run of a parent with four children and answers with its id; `close` closes as a service does at its end.
With a number it begins a run by itself and dies with the append of that number, as if killed: in the middle, with
nothing closed.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

from tests.support.parent_agents import service_on

from tablewright.domain.ids import SystemClock, Uuid7Ids
from tablewright.domain.scope import Scope
from tablewright.service.runs.leases import this_instance
from tablewright.store.run_store import Batch
from tablewright.store.sql import SqlStore


async def main(url: str, folder: Path, kill_at: int | None) -> None:
    """Serve until the input ends."""
    store = SqlStore(url)
    await store.open()
    if kill_at is not None:
        _die_at(store, kill_at)
    service = service_on(store, folder, this_instance(Uuid7Ids().new(), SystemClock().now()))
    await service.runs.open_up()
    if kill_at is not None:
        run = await service.ask(agent="parent")
        _say(run.id)
        await service.events(run)
        return
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while line := (await lines.readline()).decode().strip():
        if line == "ask":
            _say((await service.ask(agent="parent")).id)
        elif line == "close":
            await service.runs.close()
            _say("closed")
    await store.close()


def _die_at(store: SqlStore, number: int) -> None:
    """Kill this process with its append number `number`, half of them before it is written and half after."""
    append, count = store.log.append, 0

    async def dying(scope: Scope, batch: Batch) -> int:
        nonlocal count
        count += 1
        dies = count == number
        if dies and number % 2:
            os.kill(os.getpid(), signal.SIGKILL)
        last = await append(scope, batch)
        if dies:
            os.kill(os.getpid(), signal.SIGKILL)
        return last

    store.log.append = dying  # type: ignore[method-assign]


def _say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else None))
