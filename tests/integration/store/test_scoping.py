"""No statement on a tenant's table leaves without saying which tenant."""

from __future__ import annotations

import pytest
from sqlalchemy import Delete, Insert, Select, Update, delete, insert, select, update

from tablewright.domain.scope import Scope, SystemScope
from tablewright.store.sql import SqlStore
from tablewright.store.sql.scoping import UnscopedStatement, scoped
from tablewright.store.sql.tables import conversations, events, files, instances, runs

ANN = Scope(tenant="acme", owner="ann")
RUN = runs.c.id == "r-1"


@pytest.mark.requirement("store-scoped-by-tenant")
@pytest.mark.parametrize(
    "statement",
    [
        select(runs),
        select(runs).where(RUN),
        select(runs.c.id).where(runs.c.tenant == runs.c.owner),
        select(runs).where(runs.c.tenant != "acme"),
        scoped(runs, ANN).select().join(events, events.c.run_id == runs.c.id),
        scoped(runs, ANN).select().where(runs.c.id.in_(select(events.c.run_id))),
        update(runs).where(RUN).values(state="waiting"),
        delete(conversations),
        delete(events).where(events.c.run_id.in_(scoped(runs, ANN).select(runs.c.id))),
        insert(files).values(id="f-1", owner="ann"),
        insert(files).values(id="f-1", owner="ann", tenant=""),
    ],
    ids=str,
)
async def test_a_statement_without_its_tenant_is_rejected(
    sqlite_store: SqlStore, statement: Select[tuple[object]] | Update | Delete | Insert
) -> None:
    with pytest.raises(UnscopedStatement):
        async with sqlite_store.database.write() as connection:
            await connection.execute(statement)


async def test_an_insert_of_many_rows_needs_the_tenant_in_each(sqlite_store: SqlStore) -> None:
    rows = [{"run_id": "r-1", "seq": 1, "tenant": "acme"}, {"run_id": "r-1", "seq": 2}]
    with pytest.raises(UnscopedStatement):
        async with sqlite_store.database.write() as connection:
            await connection.execute(insert(events), rows)


@pytest.mark.parametrize(
    "statement",
    [
        scoped(runs, ANN).select().where(RUN),
        scoped(runs, ANN).select().join(events, events.c.run_id == runs.c.id).where(scoped(events, ANN).mine),
        scoped(runs, ANN).update().where(RUN).values(state="waiting"),
        scoped(events, ANN).delete(),
        scoped(runs, SystemScope(instance_id="i-1")).select(),
        select(instances),
    ],
    ids=str,
)
async def test_a_scoped_statement_passes(
    sqlite_store: SqlStore, statement: Select[tuple[object]] | Update | Delete
) -> None:
    async with sqlite_store.database.write() as connection:
        await connection.execute(statement)


def test_a_scope_sees_one_owner_where_rows_have_owners() -> None:
    assert str(scoped(runs, ANN).mine) == "runs.tenant = :tenant_1 AND runs.owner = :owner_1"
    assert str(scoped(events, ANN).mine) == "events.tenant = :tenant_1"
