"""A batch in a child process is told of while the child works, and a child that ends leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.support.patience import PATIENCE_S
from tests.support.workbooks import write_xlsx

from tablewright.data.base import OpenLimits
from tablewright.data.pool import WorkerPool
from tablewright.domain.operations.cells import SetValues
from tablewright.errors import FileUnreadable
from tablewright.workbook.base import Applied
from tablewright.workbook.package.editor import WARM, PackageEditor

STEPS = [SetValues(range=f"H{row}", values=((row,),)) for row in range(1, 6)]


@pytest.fixture
async def pool() -> AsyncIterator[WorkerPool]:
    started = WorkerPool(OpenLimits(timeout_s=PATIENCE_S), size=1, warm=WARM)
    await started.start()
    yield started
    await started.stop()


async def test_operations_are_told_of_before_the_batch_is_done(pool: WorkerPool, tmp_path: Path) -> None:
    source = write_xlsx(tmp_path / "a.xlsx", {"S": [["a"], *([row] for row in range(5_000))]})
    told: list[tuple[int | None, bool]] = []

    async def apply() -> Applied:
        return await PackageEditor(pool).apply(source, tmp_path / "b.xlsx", STEPS, watch=seen)

    def seen(place: int | None) -> None:
        told.append((place, applying.done()))

    applying = asyncio.create_task(apply())
    applied = await applying
    assert [place for place, _ in told] == [0, 1, 2, 3, 4, None]
    assert not any(done for _, done in told)
    assert applied.written


async def test_a_file_that_cannot_be_opened_leaves_no_pipe_open(pool: WorkerPool, tmp_path: Path) -> None:
    broken = tmp_path / "broken.xlsx"
    broken.write_bytes(b"PK\x03\x04 no workbook")
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208  # names of open files, not paths
    with pytest.raises(FileUnreadable):
        await PackageEditor(pool).apply(broken, tmp_path / "b.xlsx", STEPS, watch=lambda _: None)
    assert len(os.listdir("/proc/self/fd")) <= before  # noqa: PTH208  # as above
