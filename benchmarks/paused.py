"""What workflows that wait for a person take: bytes of memory and of the database, for each.

    .venv/bin/python -m benchmarks.paused [--runs 500]

So many runs of a workflow begin and wait for an answer. Memory is what the process holds once all wait, beyond what it
held after a few of them, as the allocations of Python (tracemalloc) and as the resident size; the file is that of
SQLite, with its write-ahead log, before and after. `tasks` are those of the loop that are left.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import tempfile
import tracemalloc
from pathlib import Path

from tests.support.workflow_bench import WorkflowBench, node, workflow

from tablewright.store.sql import SqlStore

FIRST = 20
ASKING = workflow(
    [
        node("start", "start"),
        node("look", "template", text="{{ inputs | length }}"),
        node("one", "ask_user", prompt="Which month?"),
        node("end", "end", text="{{ one.text }}"),
    ],
    "start > look > one > end",
)


def resident_bytes() -> int:
    """Return the resident size of this process."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise LookupError("VmRSS")


def stored_bytes(folder: Path) -> int:
    """Return the size of the database with its log."""
    return sum(path.stat().st_size for path in folder.glob("store.db*"))


async def pause(bench: WorkflowBench, count: int) -> None:
    """Begin so many runs, ten at a time, and return once all wait."""
    for begun in range(0, count, 10):
        runs = [await bench.start(ASKING) for _ in range(min(10, count - begun))]
        states = [(await bench.bench.settled(run)).state for run in runs]
        assert set(states) == {"waiting"}, states


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=500)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = SqlStore(f"sqlite+aiosqlite:///{folder}/store.db")
        await store.open()
        bench = WorkflowBench(Path(folder), store=store)
        await pause(bench, FIRST)
        gc.collect()
        tracemalloc.start()
        before = resident_bytes(), stored_bytes(Path(folder))
        await pause(bench, given.runs)
        gc.collect()
        after = resident_bytes(), stored_bytes(Path(folder))
        held, _ = tracemalloc.get_traced_memory()
        left = len(asyncio.all_tasks()) - 1
        await bench.close()
        await store.close()
    figures = {
        "runs": given.runs,
        "python_bytes_per_run": held // given.runs,
        "resident_bytes_per_run": (after[0] - before[0]) // given.runs,
        "database_bytes_per_run": (after[1] - before[1]) // given.runs,
        "tasks": left,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    asyncio.run(main())
