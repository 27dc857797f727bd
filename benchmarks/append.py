"""Times the appends of many runs that write at the same time, in groups and one by one.

    .venv/bin/python benchmarks/append.py [--runs 300] [--rate 20] [--seconds 10] [--url URL]

Each run appends a piece of text so many times a second, whether or not the appends before have ended. For each way: how
many appends were written per second of those that were due, and the median and the 99th percentile of the milliseconds
from when an append was due until it was stored. Without a URL a new SQLite file is written; a PostgreSQL database is
given as `postgresql+psycopg://…` and must be empty.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

from tablewright.domain.events import TextDelta
from tablewright.domain.ids import SystemClock, Uuid7Ids
from tablewright.store.conformance.examples import ANN, begun, run
from tablewright.store.run_store import Batch, Stamped
from tablewright.store.sql import SqlStore

DRAIN_S = 60.0
"""How long appends are waited for that are still due at the end."""
WORDS = "the total of the north is higher than that of the south "


async def written(store: SqlStore, runs: int, rate: float, seconds: float) -> list[float]:
    """Let `runs` write at `rate` for `seconds`; return the milliseconds that each stored append took."""
    clock, ids = SystemClock(), Uuid7Ids()
    names = [ids.new() for _ in range(runs)]
    for name in names:
        await begun(store, run(name, conversation_id=f"c-{name}"))
    took: list[float] = []
    begin = time.perf_counter() + 0.5

    async def one(run_id: str, offset_s: float) -> None:
        for number in range(round(rate * seconds)):
            due = begin + offset_s + number / rate
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            event = Stamped(at=clock.now(), body=TextDelta(text=WORDS))
            await store.log.append(ANN, Batch(run_id=run_id, attempt=1, events=(event,)))
            took.append((time.perf_counter() - due) * 1000)

    tasks = [asyncio.create_task(one(name, place / runs / rate)) for place, name in enumerate(names)]
    _, late = await asyncio.wait(tasks, timeout=seconds + DRAIN_S)
    for task in late:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return took


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--rate", type=float, default=20.0)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--url")
    given = parser.parse_args()
    for grouped in (True, False):
        with tempfile.TemporaryDirectory() as folder, patch("tablewright.store.sql.log.groupable", _chosen(grouped)):
            store = SqlStore(given.url or f"sqlite+aiosqlite:///{Path(folder) / 'store.db'}")
            await store.open()
            started, cpu = time.perf_counter(), time.process_time()
            took = sorted(await written(store, given.runs, given.rate, given.seconds))
            elapsed = time.perf_counter() - started
            await store.close()
        figures = {
            "grouped": grouped,
            "due_per_s": given.runs * given.rate,
            "written_per_s": round(len(took) / elapsed),
            "p50_ms": round(statistics.median(took), 1),
            "p99_ms": round(took[round(len(took) * 0.99) - 1], 1),
            "processor_s": round(time.process_time() - cpu, 1),
            "seconds": round(elapsed, 1),
        }
        print(json.dumps(figures))


def _chosen(grouped: bool) -> object:  # noqa: FBT001  # a switch of the measurement
    from tablewright.store.sql.grouping import groupable

    return groupable if grouped else lambda *_: False


if __name__ == "__main__":
    asyncio.run(main())
