"""A batch under way as events."""

from __future__ import annotations

import pytest

from tablewright.agent.rounds.batch_progress import LONG_S, BatchProgress
from tablewright.domain.events import EventBody, ProgressReported, StepStarted
from tablewright.domain.ids import ManualClock
from tablewright.domain.message import TranscriptEntry


@pytest.fixture
def told() -> list[EventBody | TranscriptEntry]:
    return []


def started(told: list[EventBody | TranscriptEntry]) -> list[str | None]:
    return [event.step_id for event in told if isinstance(event, StepStarted)]


def test_a_step_starts_when_its_turn_comes(told: list[EventBody | TranscriptEntry]) -> None:
    watching = BatchProgress(told.append, ManualClock(), "en", ["a", "b", "c"])
    assert told == []
    watching(0)
    assert started(told) == ["a"]
    watching(1)
    assert started(told) == ["a", "b"]


def test_a_batch_that_is_done_soon_says_nothing_of_its_progress(told: list[EventBody | TranscriptEntry]) -> None:
    watching = BatchProgress(told.append, ManualClock(), "en", ["a", "b"])
    for place in (0, 1, None):
        watching(place)
    assert all(isinstance(event, StepStarted) for event in told)


async def test_a_long_batch_says_how_far_it_has_come(told: list[EventBody | TranscriptEntry]) -> None:
    clock = ManualClock()
    watching = BatchProgress(told.append, clock, "en", ["a", "b", "c", "d"])
    watching(0)
    await clock.advance(LONG_S + 1)
    for place in (1, 2, 3, None):
        watching(place)
    reported = [event for event in told if isinstance(event, ProgressReported)]
    assert [(event.step_id, event.fraction) for event in reported] == [("a", 0.25), ("b", 0.5), ("c", 0.75), ("d", 1.0)]
    assert "2 of 4" in reported[1].message
    assert "formulas" in reported[3].message


def test_steps_that_are_applied_again_start_but_once(told: list[EventBody | TranscriptEntry]) -> None:
    watching = BatchProgress(told.append, ManualClock(), "en", ["a", "b"])
    for place in (0, 1, None, 0, None):
        watching(place)
    assert started(told) == ["a", "b"]


def test_steps_that_could_not_be_done_start_at_the_end(told: list[EventBody | TranscriptEntry]) -> None:
    watching = BatchProgress(told.append, ManualClock(), "en", ["a", "b", "c"])
    watching(1)
    watching.start_rest()
    assert started(told) == ["b", "a", "c"]
