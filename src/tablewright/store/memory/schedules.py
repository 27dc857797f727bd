"""Schedules in memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from tablewright.domain.scope import Scope, SystemScope
from tablewright.domain.workflow.schedules import Firing, OwnedFiring, OwnedSchedule, WorkflowSchedule
from tablewright.errors import NotFound
from tablewright.store.memory.rows import MemoryRows, same_owner

Change = Callable[[Firing], Firing]


@dataclass(slots=True, kw_only=True)
class ScheduleRow:
    """A schedule and its firings by their ids, in the order in which they fired."""

    scope: Scope
    value: WorkflowSchedule
    firings: dict[str, Firing]


class MemorySchedules:
    """Implements `ScheduleStore`."""

    def __init__(self, rows: MemoryRows) -> None:
        self._runs = rows.runs
        self._rows: dict[str, ScheduleRow] = {}

    async def add(self, scope: Scope, schedule: WorkflowSchedule) -> None:
        self._rows[schedule.id] = ScheduleRow(scope=scope, value=schedule, firings={})

    async def get(self, scope: Scope, schedule_id: str) -> WorkflowSchedule:
        return self._own(scope, schedule_id).value

    async def all(self, scope: Scope) -> tuple[WorkflowSchedule, ...]:
        own = (row.value for row in self._rows.values() if same_owner(row.scope, scope))
        return tuple(sorted(own, key=lambda schedule: schedule.id))

    async def save(self, scope: Scope, schedule: WorkflowSchedule) -> None:
        self._own(scope, schedule.id).value = schedule

    async def remove(self, scope: Scope, schedule_id: str) -> None:
        self._own(scope, schedule_id)
        del self._rows[schedule_id]

    async def firings(self, scope: Scope, schedule_id: str, *, limit: int = 20) -> tuple[Firing, ...]:
        found = sorted(self._own(scope, schedule_id).firings.values(), key=lambda firing: firing.due_at, reverse=True)
        return tuple(found[:limit])

    async def ripe(self, scope: SystemScope, *, now: datetime, limit: int = 100) -> tuple[OwnedSchedule, ...]:
        found = [(row.value.next_at, row) for row in self._rows.values() if row.value.next_at is not None]
        ripe = sorted((pair for pair in found if pair[0] <= now), key=lambda pair: (pair[0], pair[1].value.id))
        return tuple(OwnedSchedule(scope=row.scope, schedule=row.value) for _, row in ripe[:limit])

    async def fire(
        self,
        scope: Scope,
        firing: Firing,
        *,
        expected: datetime,
        next_at: datetime | None,
        forget_before: datetime | None = None,
    ) -> bool:
        row = self._rows.get(firing.schedule_id)
        if row is None or not same_owner(row.scope, scope) or row.value.next_at != expected:
            return False
        row.value = replace(row.value, next_at=next_at)
        if forget_before is not None:
            kept = row.firings.values()
            row.firings = {one.id: one for one in kept if one.stage != "ended" or one.due_at >= forget_before}
        row.firings[firing.id] = firing
        return True

    async def due(self, scope: SystemScope, *, now: datetime, limit: int = 100) -> tuple[OwnedFiring, ...]:
        found = [
            OwnedFiring(scope=row.scope, schedule=row.value, firing=firing)
            for row in self._rows.values()
            for firing in row.firings.values()
            if firing.act_at is not None and firing.act_at <= now and self._ready(firing)
        ]
        return tuple(sorted(found, key=lambda one: (one.firing.due_at, one.firing.id))[:limit])

    async def claim(self, scope: SystemScope, firing_id: str, *, attempt: int, act_at: datetime) -> bool:
        return self._replace(firing_id, attempt, lambda firing: replace(firing, attempt=attempt + 1, act_at=act_at))

    async def advance(self, scope: SystemScope, firing: Firing) -> bool:
        return self._replace(firing.id, firing.attempt, lambda _: firing)

    def _ready(self, firing: Firing) -> bool:
        if firing.stage != "watch":
            return firing.stage != "ended"
        run = self._runs.get(firing.id)
        return run is None or run.value.state == "finished"

    def _replace(self, firing_id: str, attempt: int, change: Change) -> bool:
        for row in self._rows.values():
            known = row.firings.get(firing_id)
            if known is not None and known.attempt == attempt and known.stage != "ended":
                row.firings[firing_id] = change(known)
                return True
        return False

    def _own(self, scope: Scope, schedule_id: str) -> ScheduleRow:
        row = self._rows.get(schedule_id)
        if row is None or not same_owner(row.scope, scope):
            raise NotFound(kind="schedule", id=schedule_id)
        return row
