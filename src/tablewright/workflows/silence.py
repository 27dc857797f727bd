"""How long nothing has happened in a run of a workflow."""

from __future__ import annotations

from tablewright.agent.emission import Emit, Item
from tablewright.domain.ids import Clock

SILENCE_S = 1_800.0
"""After so long without an event, while a node works, a workflow is given up."""


class Silence:
    """Measures the time since the last event that it has passed on to `emit`."""

    def __init__(self, clock: Clock, emit: Emit, limit_s: float) -> None:
        self._clock = clock
        self._emit = emit
        self._heard_s = clock.monotonic()
        self.limit_s = limit_s

    @property
    def left_s(self) -> float:
        """How much longer nothing may happen."""
        return self._heard_s + self.limit_s - self._clock.monotonic()

    def heard(self) -> None:
        """Something has happened."""
        self._heard_s = self._clock.monotonic()

    def emit(self, item: Item) -> None:
        """Pass an event on."""
        self.heard()
        self._emit(item)
