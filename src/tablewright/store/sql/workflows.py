"""Workflows in SQL."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from tablewright.domain.codec import from_json
from tablewright.domain.page import Page
from tablewright.domain.scope import Scope
from tablewright.domain.workflow import Workflow
from tablewright.domain.workflow.stored import (
    SettingsLevel,
    StoredWorkflow,
    VersionNote,
    WorkflowChoices,
    WorkflowEntry,
    WorkflowSettings,
    WorkflowVersion,
)
from tablewright.errors import Conflict, NotFound
from tablewright.store.codec import encode
from tablewright.store.cursors import bounded, page_of, read_cursor
from tablewright.store.rules import micros, time_of
from tablewright.store.sql import workflow_tables as tables
from tablewright.store.sql.database import Database
from tablewright.store.sql.scoping import of_all_owners, scoped
from tablewright.store.sql.workflow_choices import choices_of, set_choices

WORKFLOWS = tables.workflows.c
VERSIONS = tables.workflow_versions.c
CHANGES = tables.workflow_changes.c
NAMES = ("definition_id", "name", "description", "examples")


class SqlWorkflows:
    """Implements `WorkflowStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, scope: Scope, workflow: StoredWorkflow) -> None:
        mine = scoped(tables.workflows, scope)
        row = mine.row(
            id=workflow.id,
            created_at=micros(workflow.created_at),
            revision=workflow.revision,
            latest=workflow.latest,
            published=workflow.published,
            **_draft_values(workflow),
        )
        async with self._database.write() as connection:
            await connection.execute(mine.insert(), row)

    async def get(self, scope: Scope, workflow_id: str) -> StoredWorkflow:
        async with self._database.read() as connection:
            return await _own(connection, scope, workflow_id)

    async def identify(self, scope: Scope, name: str) -> str:
        seen = of_all_owners(tables.workflows, scope).select(WORKFLOWS.id).where(_seen(scope), WORKFLOWS.id == name)
        called = (
            scoped(tables.workflows, scope)
            .select(WORKFLOWS.id)
            .where(WORKFLOWS.definition_id == name)
            .order_by(WORKFLOWS.updated_at.desc(), WORKFLOWS.id.desc())
            .limit(1)
        )
        async with self._database.read() as connection:
            for statement in (seen, called):
                found: str | None = (await connection.execute(statement)).scalar()
                if found is not None:
                    return found
        raise NotFound(kind="workflow", id=name)

    async def entry(self, scope: Scope, workflow_id: str) -> WorkflowEntry:
        statement = _listed(scope, outer=True).where(_seen(scope), WORKFLOWS.id == workflow_id)
        async with self._database.read() as connection:
            row = (await connection.execute(statement)).one_or_none()
        if row is None:
            raise NotFound(kind="workflow", id=workflow_id)
        return _entry(row, own=row.owner == scope.owner)

    async def find(self, scope: Scope, *, limit: int = 50, cursor: str | None = None) -> Page[WorkflowEntry]:
        size = bounded(limit)
        statement = _listed(scope, outer=True).where(_seen(scope)).order_by(WORKFLOWS.id.desc()).limit(size + 1)
        if cursor is not None:
            statement = statement.where(WORKFLOWS.id < read_cursor(cursor, str)[0])
        async with self._database.read() as connection:
            rows = (await connection.execute(statement)).all()
        found = [_entry(row, own=row.owner == scope.owner) for row in rows]
        return page_of(found, size, lambda entry: (entry.id,))

    async def save(self, scope: Scope, workflow: StoredWorkflow, *, expected: int) -> StoredWorkflow:
        values = {**_draft_values(workflow), "revision": expected + 1}
        async with self._database.write() as connection:
            await _require(connection, scope, workflow.id, expected)
            await _update(connection, scope, workflow.id, values)
            await _count(connection, scope)
            return await _own(connection, scope, workflow.id)

    async def publish(self, scope: Scope, version: WorkflowVersion, *, expected: int) -> WorkflowVersion:
        versions = scoped(tables.workflow_versions, scope)
        definition = version.definition
        async with self._database.write() as connection:
            number = (await _require(connection, scope, version.workflow_id, expected)).latest + 1
            row = versions.row(
                workflow_id=version.workflow_id,
                number=number,
                definition_id=version.definition_id,
                name=definition.name,
                description=definition.description,
                examples=encode(tuple[str, ...], definition.examples),
                definition=encode(Workflow, definition),
                created_at=micros(version.created_at),
                created_by=version.created_by,
            )
            await connection.execute(versions.insert(), row)
            moved = {"latest": number, "published": number, "updated_at": micros(version.created_at)}
            await _update(connection, scope, version.workflow_id, moved)
            await _count(connection, scope)
        return _version_of(row)

    async def withdraw(self, scope: Scope, workflow_id: str, *, at: datetime) -> None:
        async with self._database.write() as connection:
            await _own(connection, scope, workflow_id, lock=True)
            await _update(connection, scope, workflow_id, {"published": None, "updated_at": micros(at)})
            await _count(connection, scope)

    async def remove(self, scope: Scope, workflow_id: str) -> None:
        statement = scoped(tables.workflows, scope).delete().where(WORKFLOWS.id == workflow_id)
        async with self._database.write() as connection:
            if (await connection.execute(statement.returning(WORKFLOWS.id))).first() is None:
                raise NotFound(kind="workflow", id=workflow_id)
            await _count(connection, scope)

    async def version(self, scope: Scope, workflow_id: str, number: int | None = None) -> WorkflowVersion:
        mine = of_all_owners(tables.workflows, scope)
        one = mine.select(WORKFLOWS.owner, WORKFLOWS.published).where(_seen(scope), WORKFLOWS.id == workflow_id)
        async with self._database.read() as connection:
            row = (await connection.execute(one)).one_or_none()
            if row is None:
                raise NotFound(kind="workflow", id=workflow_id)
            wanted = row.published if number is None else number
            shown = wanted == row.published or row.owner == scope.owner
            kept = (
                scoped(tables.workflow_versions, scope)
                .select()
                .where(VERSIONS.workflow_id == workflow_id, VERSIONS.number == wanted)
            )
            found = (await connection.execute(kept)).mappings().one_or_none() if shown and wanted is not None else None
        if found is None:
            raise NotFound(kind="version", id=str(wanted or ""))
        return _version_of(found)

    async def versions(self, scope: Scope, workflow_id: str) -> tuple[VersionNote, ...]:
        statement = (
            scoped(tables.workflow_versions, scope)
            .select(VERSIONS.number, VERSIONS.created_at, VERSIONS.created_by)
            .where(VERSIONS.workflow_id == workflow_id)
            .order_by(VERSIONS.number)
        )
        async with self._database.read() as connection:
            await _own(connection, scope, workflow_id)
            rows = (await connection.execute(statement)).all()
        return tuple(
            VersionNote(number=row.number, created_at=time_of(row.created_at), created_by=row.created_by)
            for row in rows
        )

    async def candidates(self, scope: Scope) -> tuple[WorkflowEntry, ...]:
        statement = _listed(scope, outer=False).where(_seen(scope)).order_by(WORKFLOWS.id)
        async with self._database.read() as connection:
            rows = (await connection.execute(statement)).all()
        return tuple(_entry(row, own=False) for row in rows)

    async def changes(self, scope: Scope) -> int:
        statement = scoped(tables.workflow_changes, scope).select(CHANGES.number)
        async with self._database.read() as connection:
            return (await connection.execute(statement)).scalar() or 0

    async def settings(self, scope: Scope) -> WorkflowSettings:
        async with self._database.read() as connection:
            return await choices_of(connection, scope)

    async def choose(self, scope: Scope, level: SettingsLevel, choices: WorkflowChoices) -> None:
        async with self._database.write() as connection:
            await set_choices(connection, scope, level, choices)


def _seen(scope: Scope) -> ColumnElement[bool]:
    """The condition that a caller of the tenant sees a workflow."""
    public = (WORKFLOWS.visibility == "public") & WORKFLOWS.published.is_not(None)
    return (WORKFLOWS.owner == scope.owner) | public


def _listed(scope: Scope, *, outer: bool) -> Select[Any]:
    """Select the workflows of the tenant beside their published versions; `outer` if also those that have none."""
    mine, versions = of_all_owners(tables.workflows, scope), scoped(tables.workflow_versions, scope)
    columns = [column for column in WORKFLOWS if column.name not in {"draft", "tenant"}]
    shown = [VERSIONS[name].label(f"shown_{name}") for name in NAMES]
    published = and_(VERSIONS.workflow_id == WORKFLOWS.id, VERSIONS.number == WORKFLOWS.published, versions.mine)
    statement = mine.select(*columns, *shown).select_from(tables.workflows)
    return statement.join(tables.workflow_versions, published, isouter=outer)


async def _own(connection: AsyncConnection, scope: Scope, workflow_id: str, *, lock: bool = False) -> StoredWorkflow:
    statement = scoped(tables.workflows, scope).select().where(WORKFLOWS.id == workflow_id)
    row = (await connection.execute(statement.with_for_update() if lock else statement)).one_or_none()
    if row is None:
        raise NotFound(kind="workflow", id=workflow_id)
    return StoredWorkflow(
        id=row.id,
        owner=row.owner,
        visibility=row.visibility,
        draft=from_json(dict[str, Any], row.draft),
        definition_id=row.definition_id,
        name=row.name,
        description=row.description,
        examples=from_json(tuple[str, ...], row.examples),
        created_at=time_of(row.created_at),
        updated_at=time_of(row.updated_at),
        revision=row.revision,
        latest=row.latest,
        published=row.published,
    )


async def _require(connection: AsyncConnection, scope: Scope, workflow_id: str, revision: int) -> StoredWorkflow:
    """Return the caller's workflow, which nobody else changes now. Raises `Conflict` if its revision is another."""
    found = await _own(connection, scope, workflow_id, lock=True)
    if found.revision != revision:
        raise Conflict("workflow_changed", revision=found.revision, base=revision)
    return found


async def _update(connection: AsyncConnection, scope: Scope, workflow_id: str, values: dict[str, Any]) -> None:
    await connection.execute(
        scoped(tables.workflows, scope).update().where(WORKFLOWS.id == workflow_id).values(**values)
    )


async def _count(connection: AsyncConnection, scope: Scope) -> None:
    """Count a change of the tenant's candidates."""
    mine = scoped(tables.workflow_changes, scope)
    further = mine.update().values(number=CHANGES.number + 1)
    if (await connection.execute(further)).rowcount:
        return
    try:
        async with connection.begin_nested():
            await connection.execute(mine.insert(), mine.row(number=1))
    except IntegrityError:  # someone else counted the first one
        await connection.execute(further)


def _draft_values(workflow: StoredWorkflow) -> dict[str, Any]:
    return {
        "visibility": workflow.visibility,
        "draft": encode(dict[str, Any], workflow.draft),
        "definition_id": workflow.definition_id,
        "name": workflow.name,
        "description": workflow.description,
        "examples": encode(tuple[str, ...], workflow.examples),
        "updated_at": micros(workflow.updated_at),
    }


def _version_of(row: Mapping[str, Any]) -> WorkflowVersion:
    return WorkflowVersion(
        workflow_id=row["workflow_id"],
        number=row["number"],
        definition=from_json(Workflow, row["definition"]),
        definition_id=row["definition_id"],
        created_at=time_of(row["created_at"]),
        created_by=row["created_by"],
    )


def _entry(row: Any, *, own: bool) -> WorkflowEntry:
    """Build an entry, named as the draft is if it is the caller's `own`."""
    words = {name: getattr(row, name if own else f"shown_{name}") for name in NAMES}
    return WorkflowEntry(
        id=row.id,
        owner=row.owner,
        visibility=row.visibility,
        published=row.published,
        created_at=time_of(row.created_at),
        updated_at=time_of(row.updated_at),
        **words | {"examples": from_json(tuple[str, ...], words["examples"])},
    )
