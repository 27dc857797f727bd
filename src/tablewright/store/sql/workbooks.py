"""Workbooks in SQL: heads, versions, rounds."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from sqlalchemy import func
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from tablewright.domain.artifact import BlobRef
from tablewright.domain.codec import from_json
from tablewright.domain.dataset import StoredFile
from tablewright.domain.rounds.round import Round
from tablewright.domain.scope import Scope
from tablewright.domain.workbook import Version, Workbook
from tablewright.errors import NotFound, WorkbookChanged
from tablewright.store.codec import encode
from tablewright.store.sql import tables
from tablewright.store.sql.database import Database
from tablewright.store.sql.files import VERSIONS_OF, add_refs, freely_named, set_refs
from tablewright.store.sql.rows import file_values
from tablewright.store.sql.scoping import scoped

FILES = tables.files.c
WORKBOOKS = tables.workbooks.c
VERSIONS = tables.versions.c
ROUNDS = tables.rounds.c


class SqlWorkbooks:
    """Implements `WorkbookStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, scope: Scope, first: Version, *, refs: Sequence[BlobRef]) -> Workbook:
        mine, file_id = scoped(tables.workbooks, scope), first.workbook_id
        file = scoped(tables.files, scope).select(FILES.id).where(FILES.id == file_id)
        with suppress(IntegrityError):  # someone else was faster; their row is kept
            async with self._database.write() as connection:
                if (await connection.execute(file)).first() is None:
                    raise NotFound(kind="file", id=file_id)
                if (await connection.execute(mine.select().where(WORKBOOKS.id == file_id))).first() is None:
                    await connection.execute(mine.insert(), mine.row(id=file_id, head=1, latest=1))
                    await _add_version(connection, scope, replace(first, number=1, parent=None), refs)
        return await self.get(scope, file_id)

    async def get(self, scope: Scope, workbook_id: str) -> Workbook:
        async with self._database.read() as connection:
            return await _require(connection, scope, workbook_id)

    async def version(self, scope: Scope, workbook_id: str, number: int) -> Version:
        async with self._database.read() as connection:
            await _require(connection, scope, workbook_id)
            return await _version(connection, scope, workbook_id, number)

    async def versions(self, scope: Scope, workbook_id: str) -> tuple[Version, ...]:
        statement = scoped(tables.versions, scope).select(VERSIONS.body).where(VERSIONS.workbook_id == workbook_id)
        async with self._database.read() as connection:
            await _require(connection, scope, workbook_id)
            kept = (await connection.execute(statement.order_by(VERSIONS.number))).scalars().all()
        return tuple(from_json(Version, body) for body in kept)

    async def commit(
        self,
        scope: Scope,
        version: Version,
        *,
        file: StoredFile,
        refs: Sequence[BlobRef],
        round_: Round | None = None,
    ) -> Version:
        async with self._database.write() as connection:
            workbook = await _require(connection, scope, version.workbook_id, lock=True)
            if workbook.head != version.parent:
                raise WorkbookChanged(version=workbook.head, base=version.parent)
            numbered = replace(version, number=workbook.latest + 1)
            await _add_version(connection, scope, numbered, refs)
            await _move(connection, scope, workbook.id, numbered.number, file, latest=numbered.number)
            if round_ is not None:
                await _add_round(connection, scope, replace(round_, version=numbered.number))
        return numbered

    async def move_head(self, scope: Scope, workbook_id: str, *, expected: int, number: int, file: StoredFile) -> None:
        async with self._database.write() as connection:
            workbook = await _require(connection, scope, workbook_id, lock=True)
            if workbook.head != expected:
                raise WorkbookChanged(version=workbook.head, base=expected)
            await _version(connection, scope, workbook_id, number)
            await _move(connection, scope, workbook_id, number, file)

    async def add_round(self, scope: Scope, round_: Round) -> None:
        same = (ROUNDS.workbook_id == round_.workbook_id) & (ROUNDS.plan_id == round_.plan_id)
        kept = scoped(tables.rounds, scope).select(ROUNDS.id).where(same, ROUNDS.number == round_.number)
        async with self._database.write() as connection:
            await _require(connection, scope, round_.workbook_id, lock=True)
            if (await connection.execute(kept)).first() is None:
                await _add_round(connection, scope, round_)

    async def rounds(
        self, scope: Scope, workbook_id: str, *, run_ids: Sequence[str] | None = None
    ) -> tuple[Round, ...]:
        statement = scoped(tables.rounds, scope).select(ROUNDS.body).where(ROUNDS.workbook_id == workbook_id)
        if run_ids is not None:
            statement = statement.where(ROUNDS.run_id.in_(run_ids))
        async with self._database.read() as connection:
            await _require(connection, scope, workbook_id)
            kept = (await connection.execute(statement.order_by(ROUNDS.place))).scalars().all()
        return tuple(from_json(Round, body) for body in kept)


async def _require(connection: AsyncConnection, scope: Scope, workbook_id: str, *, lock: bool = False) -> Workbook:
    """Return the caller's workbook, or raise `NotFound`; `lock` keeps others from changing it."""
    statement = scoped(tables.workbooks, scope).select().where(WORKBOOKS.id == workbook_id)
    row = (await connection.execute(statement.with_for_update() if lock else statement)).one_or_none()
    if row is None:
        raise NotFound(kind="workbook", id=workbook_id)
    return Workbook(id=row.id, head=row.head, latest=row.latest)


async def _version(connection: AsyncConnection, scope: Scope, workbook_id: str, number: int) -> Version:
    one = (VERSIONS.workbook_id == workbook_id) & (VERSIONS.number == number)
    body = (await connection.execute(scoped(tables.versions, scope).select(VERSIONS.body).where(one))).scalar()
    if body is None:
        raise NotFound(kind="version", id=str(number))
    return from_json(Version, body)


async def _add_version(connection: AsyncConnection, scope: Scope, version: Version, refs: Sequence[BlobRef]) -> None:
    mine = scoped(tables.versions, scope)
    row = mine.row(workbook_id=version.workbook_id, number=version.number, body=encode(Version, version))
    await connection.execute(mine.insert(), row)
    await add_refs(connection, scope, VERSIONS_OF, version.workbook_id, refs)


async def _add_round(connection: AsyncConnection, scope: Scope, round_: Round) -> None:
    """Add a round to a locked workbook."""
    mine, of_workbook = scoped(tables.rounds, scope), ROUNDS.workbook_id == round_.workbook_id
    last = (await connection.execute(mine.select(func.max(ROUNDS.place)).where(of_workbook))).scalar() or 0
    row = mine.row(
        id=round_.id,
        workbook_id=round_.workbook_id,
        place=last + 1,
        run_id=round_.run_id,
        plan_id=round_.plan_id,
        number=round_.number,
        body=encode(Round, round_),
    )
    await connection.execute(mine.insert(), row)


async def _move(
    connection: AsyncConnection, scope: Scope, workbook_id: str, number: int, file: StoredFile, **values: Any
) -> None:
    """Make `number` the head of a locked workbook, and update its file to that version."""
    moved = scoped(tables.workbooks, scope).update().where(WORKBOOKS.id == workbook_id)
    await connection.execute(moved.values(head=number, **values))
    file = await freely_named(connection, scope, file)
    await connection.execute(
        scoped(tables.files, scope).update().where(FILES.id == file.id).values(**file_values(file))
    )
    content = BlobRef(sha256=file.sha256, size_bytes=file.size_bytes)
    await set_refs(connection, scope, "file", file.id, (content,))
