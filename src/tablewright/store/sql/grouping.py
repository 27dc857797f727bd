"""Appends of many runs in one transaction.

While one group is being written, the appends that arrive form the next: a single append is written at once, and the
more there are at the same time, the fewer transactions each of them costs. An append that may not be written is refused
alone; one that fails the database fails its group.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from sqlalchemy import Connection, bindparam, update

from tablewright.domain.scope import Scope
from tablewright.errors import NotFound
from tablewright.store.bodies import StoredBody
from tablewright.store.rules import micros, tokens_of
from tablewright.store.run_store import Batch, Fenced
from tablewright.store.sql import tables
from tablewright.store.sql.database import Database
from tablewright.store.sql.notices import tell_at_once
from tablewright.store.sql.scoping import scoped

GROUP_EVENTS = 2_000
"""The most events of a group."""
RUNS = tables.runs.c
COUNT = (
    update(tables.runs)
    .where(RUNS.id == bindparam("of_id"))
    .where(RUNS.tenant == bindparam("of_tenant"), RUNS.owner == bindparam("of_owner"))
    .values(last_seq=bindparam("to_seq"), tokens=RUNS.tokens + bindparam("more_tokens"))
)


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
    events: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
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
        mine = scoped(tables.events, append.scope)
        for event, body in zip(batch.events, append.bodies, strict=True):
            run.last_seq += 1
            row = mine.row(
                run_id=batch.run_id, seq=run.last_seq, at=micros(event.at), type=event.body.type, body=body.text,
                top_id=batch.top_id, top_seq=None,
            )  # fmt: skip
            if top is not None:
                top.last_seq += 1
                row["top_seq"] = top.last_seq
            self.events.append(row)
        run.tokens += tokens_of(batch.events)
        self.changed.update(filter(None, (batch.run_id, batch.top_id)))
        return run.last_seq

    @property
    def counts(self) -> list[dict[str, Any]]:
        """The parameters of `COUNT` for the runs that grew."""
        return [
            {
                "of_id": run_id,
                "of_tenant": run.scope.tenant,
                "of_owner": run.scope.owner,
                "to_seq": run.last_seq,
                "more_tokens": run.tokens,
            }
            for run_id, run in self.runs.items()
            if run_id in self.changed
        ]


def groupable(batch: Batch, bodies: Sequence[StoredBody]) -> bool:
    """Return whether a batch is nothing but events that are stored in their rows."""
    plain = Batch(run_id=batch.run_id, attempt=batch.attempt, top_id=batch.top_id, events=batch.events)
    return bool(batch.events) and batch == plain and all(body.ref is None for body in bodies)


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
        connection.execute(COUNT, group.counts)
        connection.execute(tables.events.insert(), group.events)
        tell_at_once(connection, *sorted(group.changed))
    return results


def _locked(connection: Connection, appends: Iterable[Append]) -> dict[str, Counted]:
    """Lock the runs of `appends` and those above them, in the order of their ids, which is from the top."""
    ids: defaultdict[str, set[str]] = defaultdict(set)
    for append in appends:
        ids[append.scope.tenant].update(filter(None, (append.batch.run_id, append.batch.top_id)))
    found: dict[str, Counted] = {}
    for tenant in sorted(ids):
        # Of whichever owner in the tenant: each append is then compared with the owner of its run.
        runs = tables.runs.select().with_only_columns(
            RUNS.id, RUNS.owner, RUNS.attempt, RUNS.state, RUNS.top_id, RUNS.last_seq
        )
        mine = runs.where(RUNS.tenant == tenant, RUNS.id.in_(ids[tenant])).order_by(RUNS.id)
        for row in connection.execute(mine.with_for_update()):
            found[row.id] = Counted(
                scope=Scope(tenant=tenant, owner=row.owner),
                attempt=row.attempt,
                finished=row.state == "finished",
                top_id=row.top_id,
                last_seq=row.last_seq,
            )
    return found
