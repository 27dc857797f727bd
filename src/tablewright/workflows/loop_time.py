"""How long what is in a loop works: what its `timeout_s` bounds. Waiting for a person, a time or a retry is no work."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tablewright.domain.ids import Clock
from tablewright.workflows.plan.progress import Place, turns_of
from tablewright.workflows.plan.ready import WorkflowIndex
from tablewright.workflows.state import WorkflowState

LEAST_S = 0.001
"""Less is nothing: the log tells milliseconds."""


class LoopTime:
    """Adds what works now to what the state counts of attempts that have ended."""

    def __init__(self, index: WorkflowIndex, state: WorkflowState, clock: Clock) -> None:
        self._index = index
        self._state = state
        self._clock = clock
        self._since: dict[Place, float] = {}
        self._counted: dict[Place, float] = {}

    def begins(self, place: Place) -> None:
        """Work at a place begins in this process."""
        self._since[place] = self._clock.monotonic()

    def ends(self, place: Place) -> None:
        """It has ended, or waits."""
        self._since.pop(place, None)
        for turn in turns_of(place.path):
            self._counted[turn.loop] = self._clock.monotonic()

    def over(self) -> tuple[Place, ...]:
        """Return the loops whose time has passed."""
        return tuple(loop for loop in self._bounded() if self._left_s(loop) < LEAST_S)

    def next_s(self) -> float:
        """Return the seconds until the time of a loop has passed in which something works."""
        working = (loop for loop in self._bounded() if any(loop.holds(place) for place in self._since))
        return min(map(self._left_s, working), default=math.inf)

    def left_s(self, place: Place) -> float | None:
        """Return the seconds that the loops around a place have left, or None if none of them is bounded."""
        return min((self._left_s(loop) for loop in self._bounded() if loop.holds(place)), default=None)

    def _bounded(self) -> Iterator[Place]:
        nodes = self._index.nodes
        return (loop for loop in self._state.worked if nodes[loop.node_id].timeout_s is not None)

    def _left_s(self, loop: Place) -> float:
        limit_s = self._index.nodes[loop.node_id].timeout_s
        assert limit_s is not None
        began = min((since for place, since in self._since.items() if loop.holds(place)), default=math.inf)
        now = self._clock.monotonic()
        working_s = max(now - max(began, self._counted.get(loop, 0.0)), 0.0)
        return limit_s - self._state.worked[loop].seconds - working_s
