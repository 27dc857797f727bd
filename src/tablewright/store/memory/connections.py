"""Connections in memory."""

from __future__ import annotations

from tablewright.domain.connection import DatabaseConnection
from tablewright.domain.scope import Scope
from tablewright.errors import Conflict, NotFound


class MemoryConnections:
    """Implements `ConnectionStore`."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], DatabaseConnection] = {}

    async def add(self, scope: Scope, connection: DatabaseConnection) -> None:
        if (scope.tenant, connection.name) in self._kept:
            raise Conflict("connection_exists", name=connection.name)
        self._kept[scope.tenant, connection.name] = connection

    async def get(self, scope: Scope, name: str) -> DatabaseConnection:
        found = self._kept.get((scope.tenant, name))
        if found is None:
            raise NotFound(kind="connection", id=name)
        return found

    async def all(self, scope: Scope) -> tuple[DatabaseConnection, ...]:
        return tuple(self._kept[key] for key in sorted(self._kept) if key[0] == scope.tenant)

    async def remove(self, scope: Scope, name: str) -> None:
        await self.get(scope, name)
        del self._kept[scope.tenant, name]
