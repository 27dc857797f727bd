"""How long tests wait, in one place.

No test waits for time to pass: it waits for what happens, and a bound only tells what hangs from what is slow. The
bounds fit a machine `TEST_SLOWNESS` times slower than two quiet cores are, 5 unless the environment says otherwise."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import TypeVar

SLOWNESS = float(os.environ.get("TEST_SLOWNESS", "5"))
PATIENCE_S = 60.0 * SLOWNESS
"""How long one thing is waited for that comes within seconds on a quiet machine."""
TEST_S = 3 * PATIENCE_S
"""How long one test may take, all its waits together."""
T = TypeVar("T")


def slow(seconds: float) -> float:
    """Return what is still quick on the slowest machine if `seconds` are on a quiet one: for bounds that a test is
    about. What it would take otherwise must be far longer."""
    return seconds * SLOWNESS


async def found(look: Callable[[], Awaitable[T | None]]) -> T:
    """Return what `look` returns, once it is not None."""
    async with asyncio.timeout(PATIENCE_S):
        while (it := await look()) is None:  # noqa: ASYNC110  # it gives no sign
            await asyncio.sleep(0.01)
    return it
