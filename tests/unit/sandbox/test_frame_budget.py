"""Floods of frames end a session; what a regular worker sends, however busy its code, does not."""

from __future__ import annotations

import pytest

from tablewright.domain.ids import ManualClock
from tablewright.sandbox.frame_budget import FrameBudget
from tablewright.sandbox.frames import ProtocolViolation, WorkerFrame


def frame(kind: str, size_bytes: int = 100) -> WorkerFrame:
    return WorkerFrame(kind=kind, header={"kind": kind}, blob=b"", size_bytes=size_bytes)


def admitted(budget: FrameBudget, kind: str, count: int, size_bytes: int = 100) -> int:
    """Return how many of `count` frames were admitted."""
    for number in range(count):
        try:
            budget.admit(frame(kind, size_bytes))
        except ProtocolViolation:
            return number
    return count


@pytest.mark.parametrize(
    ("kind", "most"),
    [("progress", 100), ("file", 1_000), ("text", 3_000), ("html", 500), ("table", 500), ("error", 500), ("done", 50)],
)
def test_a_flood_is_ended_whatever_it_is_made_of(kind: str, most: int) -> None:
    assert admitted(FrameBudget(ManualClock()), kind, 90_000) <= most


async def test_what_is_sent_slowly_is_admitted_for_as_long_as_code_may_run() -> None:
    clock = ManualClock()
    budget = FrameBudget(clock)
    for _ in range(300):
        await clock.advance(1)
        assert admitted(budget, "text", 50) == 50
        assert admitted(budget, "progress", 10) == 10


async def test_frames_that_waited_for_their_reader_are_not_a_flood() -> None:
    clock = ManualClock()
    budget = FrameBudget(clock)
    await clock.advance(20)
    assert admitted(budget, "progress", 200) == 200
    assert admitted(budget, "text", 2_000) == 2_000


async def test_an_execution_has_a_whole_budget_that_time_does_not_raise() -> None:
    clock = ManualClock()
    budget = FrameBudget(clock)
    await clock.advance(100_000)
    assert admitted(budget, "text", 90_000) == 20_000


def test_different_things_to_be_shown_count_together() -> None:
    budget = FrameBudget(ManualClock())
    assert sum(admitted(budget, kind, 200) for kind in ("html", "table", "chart", "error")) == 500


def test_large_frames_are_counted_in_bytes() -> None:
    assert admitted(FrameBudget(ManualClock()), "table", 100, size_bytes=10 * 1024**2) == 9
