"""What a service frees does not stay its own."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tablewright.bootstrap.memory import EVERY_S, hand_back, hand_back_at_times
from tablewright.domain.ids import ManualClock
from tablewright.sandbox.worker.jail import libc

PIECES, PIECE_BYTES = 20_000, 4_000


class Passed:
    """Something that the collector looks at."""


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize("give", [hand_back, libc.trim], ids=["service", "zygote"])
def test_what_was_freed_below_something_that_stays_is_given_back(give: Callable[[], None]) -> None:
    pieces = [bytes(PIECE_BYTES) for _ in range(PIECES)]
    kept = pieces[::100]
    del pieces
    before = resident_bytes()
    give()
    assert before - resident_bytes() > PIECES * PIECE_BYTES // 2
    assert all(len(piece) == PIECE_BYTES for piece in kept)


async def test_a_service_hands_back_at_times_until_it_stops() -> None:
    clock, handed = ManualClock(), asyncio.Queue[int]()
    loop = asyncio.get_running_loop()

    def count() -> None:
        loop.call_soon_threadsafe(handed.put_nowait, 1)

    gc.unfreeze()
    async with AsyncExitStack() as stack:
        hand_back_at_times(clock, stack, count)
        at_start, later = gc.get_freeze_count(), [Passed() for _ in range(1_000)]
        assert at_start > 0
        for _ in range(3):
            while handed.empty():
                await clock.advance(EVERY_S / 2)
                await asyncio.sleep(0)
            handed.get_nowait()
        assert gc.get_freeze_count() >= at_start + len(later)
    gc.unfreeze()
    assert not [task for task in asyncio.all_tasks() if task.get_name() == "memory"]
