"""The times that a run of a workflow waits for: those of its waiting nodes, and of attempts that follow a failure."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tablewright.workflows.plan.progress import Place
from tablewright.workflows.plan.ready import WorkflowIndex
from tablewright.workflows.state import WorkflowState


class Timers:
    """Reads the state, and keeps none of its own."""

    def __init__(self, index: WorkflowIndex, state: WorkflowState) -> None:
        self._index = index
        self._state = state

    def over(self, now: datetime) -> tuple[Place, ...]:
        """Return where the time has come that a node waits for."""
        return tuple(place for place, until in self._waits() if until <= now)

    def early(self, place: Place, now: datetime) -> bool:
        """Return whether it is too early for the next attempt of a node; a clock that went back holds nothing up."""
        if place not in self._state.due:
            return False
        _, failed_at = self._state.due[place]
        return failed_at <= now < self._retry_at(place)

    def next_after(self, now: datetime) -> datetime | None:
        """Return the next time at which something can go on, or None."""
        waits = [until for _, until in self._waits()]
        retries = [self._retry_at(place) for place in self._state.due if self.early(place, now)]
        return min([*waits, *retries], default=None)

    def _waits(self) -> list[tuple[Place, datetime]]:
        begun = self._state.begun.items()
        return [(place, _time(attempt.until)) for place, attempt in begun if attempt.until is not None]

    def _retry_at(self, place: Place) -> datetime:
        number, failed_at = self._state.due[place]
        return failed_at + timedelta(seconds=self._index.nodes[place.node_id].retry.backoff_s * 2 ** (number - 2))


def _time(words: str) -> datetime:
    return datetime.fromisoformat(words).astimezone(UTC)
