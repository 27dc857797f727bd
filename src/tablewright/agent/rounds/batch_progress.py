"""Reports a batch in progress as events: which step is being applied, and how far a long batch has come."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.agent.emission import Emit
from tablewright.domain.events import ProgressReported, StepStarted
from tablewright.domain.ids import Clock
from tablewright.domain.language import Language
from tablewright.texts.catalogue import text

LONG_S = 1.0
"""Batches shorter than this report no progress."""


class BatchProgress:
    """A `watch` callback: called with the place of each step that begins, and with None when all are applied."""

    def __init__(self, emit: Emit, clock: Clock, language: Language, ids: Sequence[str]) -> None:
        self._emit = emit
        self._clock = clock
        self._language: Language = language
        self._ids = ids
        self._begun = clock.monotonic()
        self._started: set[int] = set()

    def __call__(self, place: int | None) -> None:
        """Report that the step at `place` begins and those before it are applied."""
        if place is None:
            self._report(len(self._ids), "rounds.computing")
        elif place not in self._started:
            self._report(place, "rounds.applied")
            self._start(place)

    def start_rest(self) -> None:
        """Start the steps whose turn never came because they could not be done."""
        for place in range(len(self._ids)):
            if place not in self._started:
                self._start(place)

    def _start(self, place: int) -> None:
        self._started.add(place)
        self._emit(StepStarted(step_id=self._ids[place]))

    def _report(self, done: int, code: str) -> None:
        """Report progress on the step before, which has been applied."""
        if done and self._clock.monotonic() - self._begun > LONG_S:
            words = text(code, self._language, done=done, count=len(self._ids))
            self._emit(ProgressReported(message=words, fraction=done / len(self._ids), step_id=self._ids[done - 1]))
