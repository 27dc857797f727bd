"""Files in SQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from tablewright.domain.artifact import BlobRef
from tablewright.domain.dataset import StoredFile
from tablewright.domain.naming import free_name
from tablewright.domain.page import Page
from tablewright.domain.scope import Scope, SystemScope
from tablewright.errors import NotFound
from tablewright.store.cursors import bounded, page_of, read_cursor
from tablewright.store.sql import tables
from tablewright.store.sql.database import Database
from tablewright.store.sql.rows import file_of, file_values
from tablewright.store.sql.scoping import scoped

CONVERSATIONS = tables.conversations.c
FILES = tables.files.c
LINKS = tables.conversation_files.c
REFS = tables.blob_refs.c
NAME_TRIES = 20
VERSIONS_OF = "versions"
"""The owner kind that represents all versions of a workbook together: they are only ever removed together."""
LOG_OF = "log"
"""The owner kind that represents the log of a run."""


class SqlFiles:
    """Implements `FileStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(
        self, scope: Scope, file: StoredFile, *, refs: Sequence[BlobRef], conversation_id: str | None
    ) -> StoredFile:
        for left in reversed(range(NAME_TRIES)):
            try:
                async with self._database.write() as connection:
                    return await self._add(connection, scope, file, refs, conversation_id)
            except IntegrityError:  # another run took the free name meanwhile
                if not left or file.run_id is None:
                    raise
        raise AssertionError

    async def get(self, scope: Scope, file_id: str) -> StoredFile:
        statement = scoped(tables.files, scope).select().where(FILES.id == file_id)
        async with self._database.read() as connection:
            row = (await connection.execute(statement)).one_or_none()
        if row is None:
            raise NotFound(kind="file", id=file_id)
        return file_of(row)

    async def find(
        self,
        scope: Scope,
        *,
        conversation_id: str | None = None,
        name: str | None = None,
        prefix: str = "",
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[StoredFile]:
        statement = scoped(tables.files, scope).select()
        if conversation_id is not None:
            linked = select(LINKS.file_id).where(
                scoped(tables.conversation_files, scope).mine, LINKS.conversation_id == conversation_id
            )
            statement = statement.where(FILES.id.in_(linked))
        if name is not None:
            statement = statement.where(FILES.name == name)
        if prefix:
            statement = statement.where(func.substr(FILES.name, 1, len(prefix)) == prefix)
        if cursor is not None:
            (last,) = read_cursor(cursor, str)
            statement = statement.where(FILES.id < last)
        statement = statement.order_by(FILES.id.desc()).limit(bounded(limit) + 1)
        async with self._database.read() as connection:
            if conversation_id is not None:
                await require_conversation(connection, scope, conversation_id)
            rows = (await connection.execute(statement)).all()
        return page_of([file_of(row) for row in rows], bounded(limit), lambda file: (file.id,))

    async def replace(self, scope: Scope, file: StoredFile, *, refs: Sequence[BlobRef]) -> None:
        mine = scoped(tables.files, scope)
        statement = mine.update().where(FILES.id == file.id, FILES.sha256 == file.sha256)
        async with self._database.write() as connection:
            if (await connection.execute(statement.values(**file_values(file)))).rowcount:
                await set_refs(connection, scope, "file", file.id, refs)
            elif (await connection.execute(mine.select(FILES.id).where(FILES.id == file.id))).first() is None:
                raise NotFound(kind="file", id=file.id)

    async def remove(self, scope: Scope, file_id: str) -> tuple[str, ...]:
        statement = scoped(tables.files, scope).delete().where(FILES.id == file_id)
        async with self._database.write() as connection:  # links are deleted through their foreign key
            if not (await connection.execute(statement)).rowcount:
                raise NotFound(kind="file", id=file_id)
            content = await drop_refs(connection, scope, "file", file_id)
            return (*content, *await drop_refs(connection, scope, VERSIONS_OF, file_id))

    async def link(self, scope: Scope, conversation_id: str, file_ids: Sequence[str]) -> None:
        async with self._database.write() as connection:
            await require_conversation(connection, scope, conversation_id, lock=True)
            await require_files(connection, scope, file_ids)
            await link(connection, scope, conversation_id, file_ids)

    async def linked(self, scope: Scope, conversation_id: str) -> tuple[StoredFile, ...]:
        statement = (
            scoped(tables.files, scope)
            .select()
            .join(tables.conversation_files, LINKS.file_id == FILES.id)
            .where(scoped(tables.conversation_files, scope).mine, LINKS.conversation_id == conversation_id)
            .order_by(LINKS.place)
        )

        async def found(connection: AsyncConnection) -> Sequence[Any]:
            await require_conversation(connection, scope, conversation_id)
            rows: Sequence[Any] = (await connection.execute(statement)).all()
            return rows

        return tuple(file_of(row) for row in await self._database.read_at_once(found))

    async def in_use(self, scope: Scope, file_id: str) -> bool:
        links = scoped(tables.conversation_files, scope).select(LINKS.file_id).where(LINKS.file_id == file_id).limit(1)
        async with self._database.read() as connection:
            return (await connection.execute(links)).first() is not None

    async def conversations(self, scope: Scope, file_id: str) -> tuple[str, ...]:
        statement = (
            scoped(tables.conversations, scope)
            .select(CONVERSATIONS.id)
            .join(tables.conversation_files, LINKS.conversation_id == CONVERSATIONS.id)
            .where(scoped(tables.conversation_files, scope).mine, LINKS.file_id == file_id)
            .order_by(CONVERSATIONS.updated_at.desc(), CONVERSATIONS.id.desc())
        )
        async with self._database.read() as connection:
            return tuple((await connection.execute(statement)).scalars().all())

    async def referenced(self, scope: SystemScope, limit: int) -> tuple[tuple[str, str], ...]:
        newest = func.max(REFS.owner_id)
        found = scoped(tables.blob_refs, scope).select(REFS.tenant, REFS.sha256)
        statement = found.group_by(REFS.tenant, REFS.sha256).order_by(newest.desc()).limit(limit)
        async with self._database.read() as connection:
            rows = (await connection.execute(statement)).all()
        return tuple((str(tenant), str(sha256)) for tenant, sha256 in rows)

    async def unreferenced(self, scope: SystemScope, tenant: str, hashes: Sequence[str]) -> frozenset[str]:
        statement = scoped(tables.blob_refs, Scope(tenant=tenant)).select(REFS.sha256).where(REFS.sha256.in_(hashes))
        async with self._database.read() as connection:
            kept = (await connection.execute(statement)).scalars().all()
        return frozenset(hashes) - frozenset(kept)

    async def _add(
        self,
        connection: AsyncConnection,
        scope: Scope,
        file: StoredFile,
        refs: Sequence[BlobRef],
        conversation_id: str | None,
    ) -> StoredFile:
        mine = scoped(tables.files, scope)
        file = await freely_named(connection, scope, file)
        await connection.execute(mine.insert(), mine.row(**file_values(file)))
        await add_refs(connection, scope, "file", file.id, refs)
        if conversation_id is not None:
            await require_conversation(connection, scope, conversation_id, lock=True)
            await link(connection, scope, conversation_id, (file.id,))
        return file


async def freely_named(connection: AsyncConnection, scope: Scope, file: StoredFile) -> StoredFile:
    """Return the file; if a run made it, with a name that no other file of its owner has."""
    if file.run_id is None:
        return file
    like = FILES.name.startswith(f"{PurePath(file.name).stem} (", autoescape=True)
    others = scoped(tables.files, scope).select(FILES.name).where(FILES.id != file.id)
    taken = await connection.execute(others.where(or_(FILES.name == file.name, like)))
    return replace(file, name=free_name(file.name, frozenset(taken.scalars().all())))


async def set_refs(
    connection: AsyncConnection, scope: Scope, owner_kind: str, owner_id: str, refs: Sequence[BlobRef]
) -> None:
    """Make `refs` the only blobs that an owner refers to."""
    await drop_refs(connection, scope, owner_kind, owner_id)
    await add_refs(connection, scope, owner_kind, owner_id, refs)


async def add_refs(
    connection: AsyncConnection, scope: Scope, owner_kind: str, owner_id: str, refs: Sequence[BlobRef]
) -> None:
    """Add `refs` to the blobs that an owner refers to."""
    mine = scoped(tables.blob_refs, scope)
    hashes = dict.fromkeys(ref.sha256 for ref in refs)
    known = mine.select(REFS.sha256).where(_of(owner_kind, owner_id), REFS.sha256.in_(hashes))
    fresh = hashes.keys() - set((await connection.execute(known)).scalars().all())
    rows = [mine.row(sha256=sha256, owner_kind=owner_kind, owner_id=owner_id) for sha256 in sorted(fresh)]
    if rows:
        await connection.execute(mine.insert(), rows)


async def drop_refs(connection: AsyncConnection, scope: Scope, owner_kind: str, owner_id: str) -> tuple[str, ...]:
    """Remove all references of an owner; return the hashes."""
    statement = scoped(tables.blob_refs, scope).delete().where(_of(owner_kind, owner_id)).returning(REFS.sha256)
    return tuple((await connection.execute(statement)).scalars().all())


def _of(owner_kind: str, owner_id: str) -> ColumnElement[bool]:
    return (REFS.owner_kind == owner_kind) & (REFS.owner_id == owner_id)


async def require_conversation(
    connection: AsyncConnection, scope: Scope, conversation_id: str, *, lock: bool = False
) -> None:
    """Raise `NotFound` unless the caller has this conversation. `lock` keeps others from changing it."""
    columns = tables.conversations.c
    statement = scoped(tables.conversations, scope).select(columns.id).where(columns.id == conversation_id)
    if (await connection.execute(statement.with_for_update() if lock else statement)).first() is None:
        raise NotFound(kind="conversation", id=conversation_id)


async def require_files(connection: AsyncConnection, scope: Scope, file_ids: Sequence[str]) -> None:
    """Raise `NotFound` unless the caller has all these files."""
    if not file_ids:
        return
    statement = scoped(tables.files, scope).select(FILES.id).where(FILES.id.in_(file_ids))
    found = set((await connection.execute(statement)).scalars().all())
    for file_id in file_ids:
        if file_id not in found:
            raise NotFound(kind="file", id=file_id)


async def link(connection: AsyncConnection, scope: Scope, conversation_id: str, file_ids: Sequence[str]) -> None:
    """Link the caller's files to a locked conversation. Existing links keep their position."""
    mine = scoped(tables.conversation_files, scope)
    of_conversation = LINKS.conversation_id == conversation_id
    linked = (await connection.execute(mine.select(LINKS.file_id).where(of_conversation))).scalars().all()
    last = (await connection.execute(mine.select(func.max(LINKS.place)).where(of_conversation))).scalar() or 0
    fresh = [file_id for file_id in file_ids if file_id not in linked]
    rows = [
        mine.row(conversation_id=conversation_id, file_id=file_id, place=place)
        for place, file_id in enumerate(fresh, start=last + 1)
    ]
    if rows:
        await connection.execute(mine.insert(), rows)
