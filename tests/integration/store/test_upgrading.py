"""Old databases come up to date, and a database of the future is left alone."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import Column, Connection, Text, text
from sqlalchemy.ext.asyncio import AsyncConnection
from tests.support.databases import schema_of_its_own, sqlite_url

from tablewright.domain.events import RunStarted
from tablewright.domain.inbox import AnswerGiven
from tablewright.errors import StoreUnavailable
from tablewright.store.codec import encode, encode_body
from tablewright.store.conformance.answers import YES, asked
from tablewright.store.conformance.examples import ANN, SYSTEM, after, begun, conversation, first_of, run
from tablewright.store.sql import SqlStore, migrations, upgrading
from tablewright.store.sql.rows import conversation_values, message_values, request_values, run_values
from tablewright.store.sql.tables import metadata


def alembic_config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    return config


STEPS = ScriptDirectory.from_config(alembic_config())
RUNS_AT_FIRST = ("id", "conversation_id", "given", "state", "attempt", "last_seq", "created_at", "owner_instance")
WHOSE = {"tenant": ANN.tenant, "owner": ANN.owner}
STARTED = RunStarted(conversation_id="c-1", question="?", model="builtin", mode="auto")
WITH_INBOX = "0007"
"""The form from which on answers that are not taken are in inboxes."""
WITH_THE_STATES = ("provider_name", "base_name")
"""Columns of messages that no earlier form has."""
EARLIER = [step.revision for step in STEPS.walk_revisions() if step.revision != migrations.HEAD]


def differences(connection: Connection) -> list[object]:
    return list(compare_metadata(MigrationContext.configure(connection), metadata))


def upgraded_to(connection: Connection, revision: str) -> None:
    config = alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


async def written_by_an_earlier_version(connection: AsyncConnection, revision: str) -> None:
    """Write a conversation whose run waits: of its two answered requests, one has been taken."""
    value = run()
    given = {name: values for name, values in run_values(value).items() if name in RUNS_AT_FIRST} | WHOSE
    values = message_values(first_of(value).messages[0], 1) | {"tenant": ANN.tenant}
    said = {name: each for name, each in values.items() if name not in WITH_THE_STATES}
    event = {"run_id": "r-1", "seq": 1, "at": 0, "type": "run.started", "body": encode_body(STARTED)}
    for table, values in (
        ("conversations", conversation_values(conversation()) | WHOSE),
        ("messages", said),
        ("runs", given | {"state": "waiting", "last_seq": 1, "owner_instance": None, "lease_until": None}),
        ("events", event | {"tenant": ANN.tenant}),
    ):
        await inserted(connection, table, values)
    for place, (request_id, taken) in enumerate((("q-1", True), ("q-2", False)), start=1):
        request = replace(asked(request_id), answer=YES, answered_at=after(5), answered_by="ann")
        values = request_values(request) | {"tenant": ANN.tenant, "place": place}
        if revision < WITH_INBOX:
            await inserted(connection, "requests", values | {"taken": taken})
            continue
        await inserted(connection, "requests", values)
        if not taken:
            item = encode(AnswerGiven, AnswerGiven(request_id=request_id, answer=YES))
            row = {"run_id": "r-1", "place": 1, "tenant": ANN.tenant, "at": values["answered_at"], "taken": False}
            await inserted(connection, "inbox", row | {"item": item})


async def inserted(connection: AsyncConnection, table: str, values: dict[str, object]) -> None:
    names = ", ".join(f'"{name}"' for name in values)
    await connection.execute(
        text(f"INSERT INTO {table} ({names}) VALUES ({', '.join(f':{n}' for n in values)})"), values
    )


async def answered_before_is_given_to_the_next_attempt(store: SqlStore) -> None:
    (owned,) = await store.instances.unresumed(SYSTEM, before=after(6))
    claimed = await store.runs.claim(ANN, owned.run.id, attempt=1, instance_id="i", at=after(7), lease_until=after(9))
    assert claimed is not None
    (entry,) = await store.log.take(ANN, "r-1", attempt=2)
    assert (entry.at, entry.item) == (after(5), AnswerGiven(request_id="q-2", answer=YES))
    assert [request.answer for request in await store.log.requests(ANN, "r-1")] == [YES, YES]


def test_the_last_step_is_the_one_that_a_database_is_compared_with() -> None:
    assert STEPS.get_current_head() == migrations.HEAD


async def test_the_steps_lead_to_the_present_tables(sqlite_store: SqlStore, postgres_store: SqlStore) -> None:
    for store in (sqlite_store, postgres_store):
        async with store.database.read() as connection:
            assert await connection.run_sync(differences) == []


@pytest.mark.requirement("store-upgrades-earlier-forms")
@pytest.mark.parametrize("revision", EARLIER)
async def test_a_database_of_every_earlier_form_comes_up_to_date_with_what_it_holds(
    tmp_path: Path, postgres_url: str, revision: str
) -> None:
    async with schema_of_its_own(postgres_url, f"old_{revision}") as own:
        for url in (sqlite_url(tmp_path / "store.db"), own):
            old = SqlStore(url)
            old.database.make_folder()
            async with old.database.write() as connection:
                await connection.run_sync(upgraded_to, revision)
                await written_by_an_earlier_version(connection, revision)
            store = SqlStore(url)
            await store.open()
            async with store.database.read() as connection:
                assert await connection.run_sync(differences) == []
            found = await store.runs.get(ANN, "r-1")
            assert (found.last_seq, found.state, found.parent_id, found.worked_s) == (1, "waiting", None, 0.0)
            assert isinstance((await store.log.events(ANN, "r-1"))[0].body, RunStarted)
            assert len((await store.conversations.messages(ANN, "c-1")).items) == 1
            await answered_before_is_given_to_the_next_attempt(store)
            await store.conversations.add_keyed(ANN, "genie", "s", conversation("c-2"))
            await store.close()
            await old.close()


async def test_a_database_of_the_present_form_is_not_touched(
    sqlite_store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sqlite_store.conversations.add(ANN, conversation())
    monkeypatch.setattr(upgrading, "_upgrade", None)
    await sqlite_store.open()
    assert (await sqlite_store.conversations.get(ANN, "c-1")).id == "c-1"


async def test_a_database_of_a_later_version_is_left_alone(sqlite_store: SqlStore) -> None:
    async with sqlite_store.database.write() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreUnavailable, match=r"database_newer.*9999"):
        await sqlite_store.open()


async def test_two_processes_may_make_one_database_at_the_same_time(tmp_path: Path) -> None:
    stores = [SqlStore(sqlite_url(tmp_path / "data" / "store.db")) for _ in range(3)]
    await asyncio.gather(*(store.open() for store in stores))
    await begun(stores[0])
    assert (await stores[2].runs.get(ANN, "r-1")).last_seq == 1
    for store in stores:
        await store.close()


def made_anew(connection: Connection) -> None:
    with Operations(MigrationContext.configure(connection)).batch_alter_table(
        "conversations", recreate="always"
    ) as table:
        table.add_column(Column("colour", Text))


async def test_a_step_that_makes_a_table_anew_keeps_what_points_to_it(sqlite_store: SqlStore) -> None:
    await begun(sqlite_store)
    upgraded = sqlite_store.database.for_upgrade()
    async with upgraded.write() as connection:
        await connection.run_sync(made_anew)
    await upgraded.close()
    assert len((await sqlite_store.conversations.messages(ANN, "c-1")).items) == 1
    assert (await sqlite_store.runs.get(ANN, "r-1")).last_seq == 1
