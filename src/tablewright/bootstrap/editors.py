"""The editor of users' workbooks, which works in child processes of its own."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, cast

from tablewright.bootstrap.loader import EDITING_MODULES, PACKAGE_EDITOR, PACKAGE_VIEWER, WORKER_POOL, load
from tablewright.data.base import OpenLimits
from tablewright.workbook.base import WorkbookEditor

if TYPE_CHECKING:
    from tablewright.data.pool import WorkerPool
    from tablewright.workbook.views import WorkbookViewer

CHILDREN = 2


async def editing_pool(limits: OpenLimits, stack: AsyncExitStack, *, ahead: bool) -> WorkerPool:
    """Return the pool of the editor; its children end when `stack` is closed.

    With `ahead` they start now, in the background, otherwise with the first workbook.
    """
    pool: WorkerPool = load(WORKER_POOL)(limits, size=CHILDREN, warm=load(EDITING_MODULES))
    stack.push_async_callback(pool.stop)
    if ahead:
        starting = asyncio.create_task(pool.start(), name="editors start")
        stack.push_async_callback(_ended, starting)
    return pool


def editor_of(pool: WorkerPool) -> WorkbookEditor:
    """Return the editor that works in this pool."""
    return cast(WorkbookEditor, load(PACKAGE_EDITOR)(pool))


def viewer_of(pool: WorkerPool) -> WorkbookViewer:
    """Return the viewer that works in this pool."""
    return cast("WorkbookViewer", load(PACKAGE_VIEWER)(pool))


async def _ended(task: asyncio.Task[None]) -> None:
    """Cancel a start that is still under way. A failed start is repeated, and reported, by the first workbook."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
