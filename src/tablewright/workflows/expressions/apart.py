"""Evaluations that take long are done beside the loop of events: everybody waits for that one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

from tablewright.errors import ExpressionFailed
from tablewright.workflows.expressions.budget import DEADLINE, SECONDS

QUICK_S = 0.02
"""What takes longer is begun anew on a thread."""
_THREADS = ThreadPoolExecutor(max_workers=2, thread_name_prefix="expressions")
"""So few that one workflow with many endless expressions takes no processor from the loop for more than a moment."""
T = TypeVar("T")


class TakesLong(Exception):
    """An evaluation takes so long that it must be done apart."""


async def evaluated(work: Callable[[], T]) -> T:
    """Return what `work` returns, which evaluates expressions and does nothing else. Raises `ExpressionFailed`."""
    try:
        return at_once(work)
    except TakesLong:
        return await apart(work)


def at_once(work: Callable[[], T]) -> T:
    """Return what `work` returns if that is quick. Raises `ExpressionFailed`, or `TakesLong`."""
    token = DEADLINE.set(QUICK_S)
    try:
        return work()
    except ExpressionFailed as failed:
        if failed.params.get("limit") != SECONDS:
            raise
        raise TakesLong from failed
    finally:
        DEADLINE.reset(token)


async def apart(work: Callable[[], T]) -> T:
    """Return what `work` returns, on a thread. Raises `ExpressionFailed`."""
    return await asyncio.get_running_loop().run_in_executor(_THREADS, copy_context().run, work)
