"""Connections in SQL."""

from __future__ import annotations

from sqlalchemy.exc import IntegrityError

from tablewright.domain.codec import from_json
from tablewright.domain.connection import DatabaseConnection
from tablewright.domain.scope import Scope
from tablewright.errors import Conflict, NotFound
from tablewright.store.codec import encode
from tablewright.store.sql import tables
from tablewright.store.sql.database import Database
from tablewright.store.sql.scoping import scoped

COLUMNS = tables.connections.c


class SqlConnections:
    """Implements `ConnectionStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, scope: Scope, connection: DatabaseConnection) -> None:
        mine = scoped(tables.connections, scope)
        row = mine.row(name=connection.name, body=encode(DatabaseConnection, connection))
        try:
            async with self._database.write() as session:
                await session.execute(mine.insert(), row)
        except IntegrityError as error:
            raise Conflict("connection_exists", name=connection.name) from error

    async def get(self, scope: Scope, name: str) -> DatabaseConnection:
        found = scoped(tables.connections, scope).select(COLUMNS.body).where(COLUMNS.name == name)
        async with self._database.read() as session:
            body = (await session.execute(found)).scalar()
        if body is None:
            raise NotFound(kind="connection", id=name)
        return from_json(DatabaseConnection, body)

    async def all(self, scope: Scope) -> tuple[DatabaseConnection, ...]:
        statement = scoped(tables.connections, scope).select(COLUMNS.body).order_by(COLUMNS.name)
        async with self._database.read() as session:
            bodies = (await session.execute(statement)).scalars().all()
        return tuple(from_json(DatabaseConnection, body) for body in bodies)

    async def remove(self, scope: Scope, name: str) -> None:
        statement = scoped(tables.connections, scope).delete().where(COLUMNS.name == name).returning(COLUMNS.name)
        async with self._database.write() as session:
            removed = (await session.execute(statement)).first()
        if removed is None:
            raise NotFound(kind="connection", id=name)
