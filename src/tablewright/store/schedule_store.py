"""The port to schedules of workflows and their firings."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from tablewright.domain.scope import Scope, SystemScope
from tablewright.domain.workflow.schedules import Firing, OwnedFiring, OwnedSchedule, WorkflowSchedule


class ScheduleStore(Protocol):
    """The schedules of one owner; what is another's is `NotFound`. Processes see those of all."""

    async def add(self, scope: Scope, schedule: WorkflowSchedule) -> None:
        """Store a new schedule of the caller."""
        ...

    async def get(self, scope: Scope, schedule_id: str) -> WorkflowSchedule:
        """Return a schedule of the caller, or raise `NotFound`."""
        ...

    async def all(self, scope: Scope) -> tuple[WorkflowSchedule, ...]:
        """Return the caller's schedules, oldest first."""
        ...

    async def save(self, scope: Scope, schedule: WorkflowSchedule) -> None:
        """Replace a schedule of the caller, or raise `NotFound`."""
        ...

    async def remove(self, scope: Scope, schedule_id: str) -> None:
        """Remove a schedule of the caller with its firings, or raise `NotFound`."""
        ...

    async def firings(self, scope: Scope, schedule_id: str, *, limit: int = 20) -> tuple[Firing, ...]:
        """Return the latest firings of a schedule of the caller, newest first, or raise `NotFound`."""
        ...

    async def ripe(self, scope: SystemScope, *, now: datetime, limit: int = 100) -> tuple[OwnedSchedule, ...]:
        """Return schedules whose next time has come, the longest due first."""
        ...

    async def fire(
        self,
        scope: Scope,
        firing: Firing,
        *,
        expected: datetime,
        next_at: datetime | None,
        forget_before: datetime | None = None,
    ) -> bool:
        """Store a firing and when the schedule is due next, if it is due at `expected`; return whether it was.

        Of many who do this for one time, one is told so. Firings that had ended `forget_before` are forgotten.
        """
        ...

    async def due(self, scope: SystemScope, *, now: datetime, limit: int = 100) -> tuple[OwnedFiring, ...]:
        """Return firings with something to do that nobody holds, the oldest first.

        One whose run is waited for is among them once the run has finished, or is gone.
        """
        ...

    async def claim(self, scope: SystemScope, firing_id: str, *, attempt: int, act_at: datetime) -> bool:
        """Hold a firing of this attempt until `act_at`, as its next attempt; return whether nobody was faster."""
        ...

    async def advance(self, scope: SystemScope, firing: Firing) -> bool:
        """Replace a firing if its attempt is still this one; return whether it was."""
        ...
