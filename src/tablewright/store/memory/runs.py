"""Runs in memory: rows and ownership."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from tablewright.domain.page import Page
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope, SystemScope
from tablewright.errors import InternalError, RunInProgress
from tablewright.store.cursors import bounded, page_of, read_cursor
from tablewright.store.memory.log import write
from tablewright.store.memory.rows import MemoryRows, RunRow
from tablewright.store.memory.trees import below
from tablewright.store.rules import by_age, ending, micros
from tablewright.store.run_store import Batch, Instance, OwnedRun


class MemoryRuns:
    """Implements `RunStore`."""

    def __init__(self, rows: MemoryRows) -> None:
        self._rows = rows

    async def begin(
        self,
        scope: Scope,
        run: Run,
        first: Batch,
        *,
        title: str,
        instead_of: str | None = None,
        follows: str | None = None,
    ) -> None:
        conversation = self._rows.conversation(scope, run.conversation_id)
        live = await self.live(scope, run.conversation_id)
        if live is not None and (live.id != instead_of or live.state != "waiting"):
            raise RunInProgress(run_id=live.id)
        last = next((said.run_id for said in reversed(conversation.messages) if said.run_id is not None), None)
        if follows is not None and last is not None and last != follows:
            raise RunInProgress(run_id=last)
        if run.id in self._rows.runs:
            raise InternalError(note="a run with this id exists")
        for file_id in run.file_ids:
            self._rows.file(scope, file_id)
        if live is not None:
            write(self._rows, self._rows.runs[live.id], ending(live, "superseded", run.created_at))
        conversation.file_ids.update(dict.fromkeys(run.file_ids))
        conversation.value = replace(conversation.value, title=conversation.value.title or title)
        self._store(scope, run, first)

    async def begin_child(self, scope: Scope, run: Run, first: Batch, *, parent_attempt: int) -> Run:
        assert run.parent_id is not None
        self._rows.writable(scope, run.parent_id, parent_attempt)
        known = next(
            (child for child in await self.children(scope, run.parent_id) if child.task_id == run.task_id), None
        )
        return known or self._store(scope, run, first)

    async def children(self, scope: Scope, run_id: str) -> tuple[Run, ...]:
        self._rows.run(scope, run_id)
        return tuple(row.value for row in self._rows.runs.values() if row.value.parent_id == run_id)

    def _store(self, scope: Scope, run: Run, first: Batch) -> Run:
        since = run.created_at if run.state == "running" else None
        row = self._rows.runs[run.id] = RunRow(scope=scope, value=run, working_since=since)
        write(self._rows, row, first)
        return row.value

    async def get(self, scope: Scope, run_id: str) -> Run:
        return self._rows.run(scope, run_id).value

    async def of_workflow(
        self, scope: Scope, workflow_id: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[Run]:
        mine = [row.value for row in self._rows.runs.values() if row.scope == scope]
        found = [run for run in mine if run.workflow_id == workflow_id]
        if cursor is not None:
            before = read_cursor(cursor, int, str)
            found = [run for run in found if by_age(run) < before]
        return page_of(sorted(found, key=by_age, reverse=True), bounded(limit), by_age)

    async def live(self, scope: Scope, conversation_id: str) -> Run | None:
        self._rows.conversation(scope, conversation_id)
        runs = (row.value for row in self._rows.runs.values() if row.value.conversation_id == conversation_id)
        return next((run for run in runs if run.state != "finished" and run.parent_id is None), None)

    async def request_cancel(self, scope: Scope, run_id: str, *, at: datetime) -> Run:
        asked = self._rows.run(scope, run_id)
        for row in (asked, *below(self._rows, run_id)):
            if row.value.state != "finished" and row.value.cancel_requested_at is None:
                row.value = replace(row.value, cancel_requested_at=at)
        return asked.value

    async def claim(
        self, scope: Scope, run_id: str, *, attempt: int, instance_id: str, at: datetime, lease_until: datetime
    ) -> Run | None:
        row = self._rows.run(scope, run_id)
        if row.value.state != "waiting" or row.value.attempt != attempt:
            return None
        return _taken(row, instance_id, at, lease_until)

    async def rest(
        self, scope: Scope, run_id: str, *, attempt: int, at: datetime, wake_at: datetime | None = None
    ) -> bool:
        row = self._rows.writable(scope, run_id, attempt)
        if row.untaken:
            return False
        row.count_work(at)
        row.value = replace(
            row.value, state="waiting", owner_instance=None, lease_until=None, losses=0, wake_at=wake_at
        )
        return True

    async def release(self, scope: Scope, run_id: str, *, attempt: int, at: datetime) -> None:
        row = self._rows.writable(scope, run_id, attempt)
        row.count_work(at)
        row.value = replace(row.value, state="queued", owner_instance=None, lease_until=None)


class MemoryInstances:
    """Implements `InstanceStore`."""

    def __init__(self, rows: MemoryRows) -> None:
        self._rows = rows

    async def register(self, scope: SystemScope, instance: Instance) -> None:
        self._rows.instances[instance.id] = instance

    async def all(self, scope: SystemScope) -> tuple[Instance, ...]:
        return tuple(self._rows.instances.values())

    async def beat(self, scope: SystemScope, *, at: datetime, run_ids: Sequence[str], lease_until: datetime) -> None:
        if (instance := self._rows.instances.get(scope.instance_id)) is not None:
            self._rows.instances[scope.instance_id] = replace(instance, heartbeat_at=at)
        for run_id in run_ids:
            row = self._rows.runs.get(run_id)
            if row is not None and row.value.owner_instance == scope.instance_id and row.value.state == "running":
                row.count_work(at, on=True)
                row.value = replace(row.value, lease_until=lease_until)

    async def remove(self, scope: SystemScope, instance_id: str) -> None:
        self._rows.instances.pop(instance_id, None)

    async def cancels(self, scope: SystemScope) -> frozenset[str]:
        return frozenset(
            row.value.id
            for row in self._rows.runs.values()
            if row.value.owner_instance == scope.instance_id
            and row.value.cancel_requested_at is not None
            and row.value.state == "running"
        )

    async def orphans(self, scope: SystemScope, *, now: datetime, dead: Sequence[str]) -> tuple[OwnedRun, ...]:
        rows = self._rows.runs.values()
        return tuple(OwnedRun(scope=row.scope, run=row.value) for row in rows if _orphaned(row.value, now, dead))

    async def seize(
        self,
        scope: SystemScope,
        run_id: str,
        *,
        attempt: int,
        now: datetime,
        lease_until: datetime,
        dead: Sequence[str],
    ) -> Run | None:
        row = self._rows.runs.get(run_id)
        if row is None or row.value.attempt != attempt or not _orphaned(row.value, now, dead):
            return None
        lost = row.value.owner_instance is not None
        row.value = replace(row.value, losses=row.value.losses + lost)
        return _taken(row, scope.instance_id, now, lease_until)

    async def unresumed(self, scope: SystemScope, *, before: datetime) -> tuple[OwnedRun, ...]:
        return tuple(
            OwnedRun(scope=row.scope, run=row.value)
            for row in self._rows.runs.values()
            if row.value.state == "waiting" and any(entry.at < micros(before) for entry in row.untaken)
        )

    async def due(self, scope: SystemScope, *, now: datetime, limit: int = 100) -> tuple[OwnedRun, ...]:
        waiting = [row for row in self._rows.runs.values() if row.value.state == "waiting"]
        late = [(row.value.wake_at, row) for row in waiting if row.value.wake_at is not None]
        late.sort(key=lambda entry: entry[0])
        return tuple(OwnedRun(scope=row.scope, run=row.value) for at, row in late if at <= now)[:limit]

    async def finished(self, scope: SystemScope, *, agent: str, since: datetime) -> tuple[OwnedRun, ...]:
        ended = [row for row in self._rows.runs.values() if row.value.agent == agent]
        late = [(row.value.finished_at, row) for row in ended if row.value.finished_at is not None]
        late.sort(key=lambda entry: entry[0])
        return tuple(OwnedRun(scope=row.scope, run=row.value) for at, row in late if at >= since)


def _taken(row: RunRow, instance_id: str, at: datetime, lease_until: datetime) -> Run:
    row.working_since = at
    attempt = row.value.attempt + 1
    row.value = replace(
        row.value,
        state="running",
        attempt=attempt,
        owner_instance=instance_id,
        lease_until=lease_until,
        wake_at=None,
    )
    return row.value


def _orphaned(run: Run, now: datetime, dead: Sequence[str]) -> bool:
    if run.state not in {"queued", "running"}:
        return False
    expired = run.lease_until is not None and run.lease_until < now
    return expired or run.owner_instance is None or run.owner_instance in dead
