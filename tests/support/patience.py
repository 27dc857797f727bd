"""Waiting for what gives no sign: asked again until it is so, or a minute is over."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

PATIENCE_S = 60.0
T = TypeVar("T")


async def found(look: Callable[[], Awaitable[T | None]]) -> T:
    """Return what `look` returns, once it is not None."""
    async with asyncio.timeout(PATIENCE_S):
        while (it := await look()) is None:  # noqa: ASYNC110  # see above
            await asyncio.sleep(0.01)
    return it
