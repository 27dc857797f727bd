"""The rows of a group of appends, read and written in as few steps as the database allows.

On a SQLite file they are handed over, and given back, as one JSON text. A thread that executes a statement for each
row, or fetches row by row, lets go of the interpreter with each, and waits for its turn again while the process is
busy: up to some milliseconds a row, during which nobody else can write. JSON keeps texts and whole numbers as they are.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import (
    BindParameter,
    Connection,
    FromClause,
    Insert,
    Update,
    bindparam,
    column,
    func,
    insert,
    literal_column,
    select,
    update,
)

from tablewright.store.sql import tables

RUNS = tables.runs.c
LOCKED = (RUNS.id, RUNS.owner, RUNS.attempt, RUNS.state, RUNS.top_id, RUNS.last_seq)
"""What is read of a run, in this order."""
EVENT = ("run_id", "seq", "at", "type", "body", "top_id", "top_seq")
"""What is written of an event beside its tenant, in this order."""
COUNTED = ("of_id", "of_owner", "to_seq", "more_tokens")
"""What is written of a run that grew, in this order."""
_TENANT: BindParameter[str] = bindparam("of_tenant")
_GIVEN = func.json_each(bindparam("as_json")).table_valued("value")
_LOCK = select(*LOCKED).where(RUNS.tenant == _TENANT, RUNS.id.in_(bindparam("ids", expanding=True)))
_LOCK_IN_ORDER = _LOCK.order_by(RUNS.id).with_for_update()
_READ = select(func.json_group_array(func.json_array(*LOCKED))).where(
    RUNS.tenant == _TENANT, RUNS.id.in_(select(column("value")).select_from(_GIVEN))
)


def _rows(names: Sequence[str]) -> FromClause:
    """The given rows, each a JSON array, with these columns."""
    parts = [
        func.json_extract(column("value"), literal_column(f"'$[{place}]'")).label(name)
        for place, name in enumerate(names)
    ]
    return select(*parts).select_from(_GIVEN).subquery("given_rows")


def _counting() -> Update:
    """Count in the rows of runs: given as JSON to SQLite, row by row to a server."""
    rows = _rows(COUNTED).c
    grown = {RUNS.last_seq: rows.to_seq, RUNS.tokens: RUNS.tokens + rows.more_tokens}
    return (
        update(tables.runs)
        .where(RUNS.tenant == _TENANT, RUNS.id == rows.of_id, RUNS.owner == rows.of_owner)
        .values(grown)
    )


def _adding() -> Insert:
    rows = _rows(EVENT)
    return insert(tables.events).from_select(["tenant", *EVENT], select(bindparam("tenant"), *rows.c))


_COUNT_GIVEN, _ADD_GIVEN = _counting(), _adding()
_COUNT = (
    update(tables.runs)
    .where(RUNS.tenant == _TENANT, RUNS.id == bindparam("of_id"), RUNS.owner == bindparam("of_owner"))
    .values(last_seq=bindparam("to_seq"), tokens=RUNS.tokens + bindparam("more_tokens"))
)
_ADD = insert(tables.events)


def lock_runs(connection: Connection, tenant: str, ids: Collection[str]) -> Sequence[Sequence[Any]]:
    """Lock the tenant's runs of these ids, in the order of their ids; return `LOCKED` of each."""
    if connection.dialect.name == "sqlite":  # its transaction has locked them all
        found = connection.execute(_READ, {"of_tenant": tenant, "as_json": _json(sorted(ids))})
        rows: list[list[Any]] = json.loads(found.scalar_one())
        return rows
    return [tuple(row) for row in connection.execute(_LOCK_IN_ORDER, {"of_tenant": tenant, "ids": sorted(ids)})]


def count(connection: Connection, tenant: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Write `COUNTED` of the tenant's runs that grew."""
    if connection.dialect.name == "sqlite":
        connection.execute(_COUNT_GIVEN, {"of_tenant": tenant, "as_json": _json(rows)})
    else:
        connection.execute(_COUNT, [dict(zip(COUNTED, row, strict=True), of_tenant=tenant) for row in rows])


def add_events(connection: Connection, tenant: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Write `EVENT` of the tenant's new events."""
    if connection.dialect.name == "sqlite":
        connection.execute(_ADD_GIVEN, {"tenant": tenant, "as_json": _json(rows)})
    else:
        connection.execute(_ADD, [dict(zip(EVENT, row, strict=True), tenant=tenant) for row in rows])


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
