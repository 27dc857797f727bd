"""A process that executes rounds on a workbook for ever, to be killed: `python -m … <folder> <file id>` writes each
plan's number when it is about to be executed."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.support.workbook_bench import WorkbookBench, step

from tablewright.store.sql import SqlStore


async def main(folder: Path, file_id: str) -> None:
    """Execute plan after plan, now and then undoing one."""
    store = SqlStore(f"sqlite+aiosqlite:///{folder / 'store.db'}")
    await store.open()
    bench = WorkbookBench(folder=folder, store=store)
    file = await store.files.get(bench.scope, file_id)
    earlier = len(await bench.workbooks.versions(bench.scope, file_id))
    for number in range(earlier, earlier + 1_000):
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()
        await bench.execute(file, step(1, "insert_rows", row=2), plan_id=f"plan-{number}")
        if number % 3 == 0:
            await bench.workbooks.undo(bench.scope, file_id)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
