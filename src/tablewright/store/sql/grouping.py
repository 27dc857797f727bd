"""Appends of many runs in one transaction.

While one group is being written, the appends that arrive form the next: a single append is written at once, and the
more there are at the same time, the fewer transactions each of them costs. An append that may not be written is refused
alone; one that fails the database fails its group.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from operator import attrgetter
from typing import Any

from sqlalchemy import Connection

from tablewright.domain.scope import Scope
from tablewright.errors import NotFound
from tablewright.store.bodies import StoredBody
from tablewright.store.rules import micros, tokens_of
from tablewright.store.run_store import Batch, Fenced
from tablewright.store.sql.bulk import add_events, count, lock_runs
from tablewright.store.sql.database import Database
from tablewright.store.sql.notices import tell_at_once

GROUP_EVENTS = 2_000
"""The most events of a group."""
Row = tuple[Any, ...]
BESIDE = attrgetter(
    *(each.name for each in fields(Batch) if each.name not in {"run_id", "attempt", "top_id", "events"})
)
"""What a batch has beside events."""
NOTHING = BESIDE(Batch(run_id="", attempt=0))


@dataclass(slots=True, kw_only=True)
class Append:
    """A batch that waits to be written, of nothing but events that are stored in their rows."""

    scope: Scope
    batch: Batch
    bodies: Sequence[StoredBody]
    written: asyncio.Future[int]


@dataclass(slots=True, kw_only=True)
class Counted:
    """A run of a group: where its events stand, and what the group adds."""

    scope: Scope
    attempt: int
    finished: bool
    top_id: str | None
    last_seq: int
    tokens: int = 0


@dataclass(slots=True)
class Group:
    """The rows of the runs that a group writes to, by id, and the events it adds."""

    runs: dict[str, Counted] = field(default_factory=dict[str, Counted])
    events: defaultdict[str, list[Row]] = field(default_factory=lambda: defaultdict[str, list[Row]](list))
    """What is written of the events, by tenant."""
    changed: set[str] = field(default_factory=set[str])

    def add(self, append: Append) -> int:
        """Number the events of an append and return the last number. Raises `NotFound` or `Fenced`."""
        batch = append.batch
        run = self.runs.get(batch.run_id)
        if run is None or run.scope != append.scope:
            raise NotFound(kind="run", id=batch.run_id)
        top = None if batch.top_id is None else self.runs.get(batch.top_id)
        gone = batch.top_id is not None and (top is None or top.finished)
        if gone or run.finished or run.attempt != batch.attempt or run.top_id != batch.top_id:
            raise Fenced(run_id=batch.run_id, attempt=batch.attempt)
        rows = self.events[append.scope.tenant]
        for event, body in zip(batch.events, append.bodies, strict=True):
            run.last_seq += 1
            if top is not None:
                top.last_seq += 1
            top_seq = None if top is None else top.last_seq
            row = (batch.run_id, run.last_seq, micros(event.at), event.body.type, body.text, batch.top_id, top_seq)
            rows.append(row)
        run.tokens += tokens_of(batch.events)
        self.changed.update(filter(None, (batch.run_id, batch.top_id)))
        return run.last_seq

    def write(self, connection: Connection) -> None:
        """Write the events, and the runs that grew."""
        for tenant, events in self.events.items():
            runs = [(run_id, self.runs[run_id]) for run_id in self.changed if self.runs[run_id].scope.tenant == tenant]
            count(connection, tenant, [(run_id, run.scope.owner, run.last_seq, run.tokens) for run_id, run in runs])
            add_events(connection, tenant, events)
        tell_at_once(connection, *sorted(self.changed))


def groupable(batch: Batch, bodies: Sequence[StoredBody]) -> bool:
    """Return whether a batch is nothing but events that are stored in their rows."""
    return bool(batch.events) and BESIDE(batch) == NOTHING and all(body.ref is None for body in bodies)


class GroupedAppends:
    """Writes appends in groups."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._pending: list[Append] = []
        self._writer: asyncio.Task[None] | None = None

    async def append(self, scope: Scope, batch: Batch, bodies: Sequence[StoredBody]) -> int:
        """Write a groupable batch and return the run's last `seq`. Raises `NotFound` or `Fenced`."""
        written: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._pending.append(Append(scope=scope, batch=batch, bodies=bodies, written=written))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write(), name="appends")
        return await written

    async def _write(self) -> None:
        while self._pending:
            appends = self._next()
            try:
                results = await self._written(appends)
            except Exception as error:  # noqa: BLE001  # it is every caller's
                results = [error] * len(appends)
            for append, result in zip(appends, results, strict=True):
                if append.written.done():
                    continue
                if isinstance(result, int):
                    append.written.set_result(result)
                else:
                    append.written.set_exception(result)

    def _next(self) -> list[Append]:
        """Take the appends of the next group from those that wait."""
        events = 0
        for number, append in enumerate(self._pending):
            events += len(append.batch.events)
            if events > GROUP_EVENTS and number:
                group, self._pending = self._pending[:number], self._pending[number:]
                return group
        group, self._pending = self._pending, []
        return group

    async def _written(self, appends: Sequence[Append]) -> list[int | Exception]:
        return await self._database.write_at_once(
            lambda connection: connection.run_sync(partial(_write_group, appends))
        )


def _write_group(appends: Sequence[Append], connection: Connection) -> list[int | Exception]:
    """Write the appends, and return the last `seq` of each, or why it was refused."""
    results: list[int | Exception] = []
    group = Group(runs=_locked(connection, appends))
    for append in appends:
        try:
            results.append(group.add(append))
        except (NotFound, Fenced) as refusal:
            results.append(refusal)
    if group.events:
        group.write(connection)
    return results


def _locked(connection: Connection, appends: Iterable[Append]) -> dict[str, Counted]:
    """Lock the runs of `appends` and those above them, in the order of their ids, which is from the top."""
    ids: defaultdict[str, set[str]] = defaultdict(set)
    for append in appends:
        ids[append.scope.tenant].update(filter(None, (append.batch.run_id, append.batch.top_id)))
    found: dict[str, Counted] = {}
    for tenant in sorted(ids):
        # Of whichever owner in the tenant: each append is then compared with the owner of its run.
        for run_id, owner, attempt, state, top_id, last_seq in lock_runs(connection, tenant, ids[tenant]):
            found[run_id] = Counted(
                scope=Scope(tenant=tenant, owner=owner),
                attempt=attempt,
                finished=state == "finished",
                top_id=top_id,
                last_seq=last_seq,
            )
    return found
