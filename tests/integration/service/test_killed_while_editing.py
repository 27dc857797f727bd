"""A process is killed while it executes rounds, at any moment: the workbook is at one of its versions, whole."""

from __future__ import annotations

import asyncio
import hashlib
import random
import signal
from pathlib import Path

import pytest
from tests.support.databases import sqlite_url
from tests.support.patience import PATIENCE_S
from tests.support.warm_start import WarmStart
from tests.support.workbook_bench import WorkbookBench, step

from tablewright.store.sql import SqlStore

KILLS = 5


async def killed_at_some_moment(folder: Path, file_id: str, chance: random.Random, warm: WarmStart) -> int:
    """Let a process work a little and kill it; return the number of the plan it was at."""
    process = await warm.module("tests.integration.service.editing_process", str(folder), file_id)
    said: list[bytes] = []
    try:
        while len(said) <= chance.randint(0, 3):
            said += [await asyncio.wait_for(process.stdout.readline(), PATIENCE_S)]
        await asyncio.wait((asyncio.create_task(process.wait()),), timeout=chance.uniform(0.0, 0.2))
    finally:
        process.send_signal(signal.SIGKILL)
        said += (await process.stdout.read()).splitlines()
        await process.wait()
    return int(said[-1])


async def hash_of(bench: WorkbookBench, file_id: str, number: int) -> str:
    version = await bench.workbooks.version(bench.scope, file_id, number)
    content = b"".join([piece async for piece in bench.workbooks.content(bench.scope, version)])
    return hashlib.sha256(content).hexdigest()


@pytest.mark.requirement("versions-survive-a-killed-process")
async def test_a_process_that_is_killed_leaves_whole_versions_and_one_round_a_plan(
    sqlite_path: Path, warm_start: WarmStart
) -> None:
    store = SqlStore(sqlite_url(sqlite_path))
    await store.open()
    bench = WorkbookBench(folder=sqlite_path.parent, store=store)
    file = await bench.put()
    await bench.execute(file, step(1, "insert_rows", row=2), plan_id="plan-1")
    chance = random.Random(11)
    for _ in range(KILLS):
        at = await killed_at_some_moment(bench.folder, file.id, chance, warm_start)
        workbook = await store.workbooks.get(bench.scope, file.id)
        versions = await bench.workbooks.versions(bench.scope, file.id)
        rounds = await store.workbooks.rounds(bench.scope, file.id)
        assert [version.number for version in versions] == list(range(1, workbook.latest + 1))
        assert [found.version for found in rounds] == [version.number for version in versions[1:]]
        assert len({found.plan_id for found in rounds}) == len(rounds)
        for version in versions:
            assert await hash_of(bench, file.id, version.number) == version.blob.sha256
        head = await bench.workbooks.version(bench.scope, file.id)
        stored = await store.files.get(bench.scope, file.id)
        assert (stored.sha256, head.number) == (head.blob.sha256, workbook.head)
        assert hashlib.sha256(await bench.file_bytes(file)).hexdigest() == head.blob.sha256
        again = await bench.execute(file, step(1, "insert_rows", row=2), plan_id=f"plan-{at}")
        known = {found.plan_id: found for found in rounds}
        assert again == known.get(again.plan_id, again)
    assert len(await bench.workbooks.versions(bench.scope, file.id)) > KILLS
    await store.close()
