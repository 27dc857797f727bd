"""The port to the connections of a tenant."""

from __future__ import annotations

from typing import Protocol

from tablewright.domain.connection import DatabaseConnection
from tablewright.domain.scope import Scope


class ConnectionStore(Protocol):
    """Connections to databases, by tenant and name."""

    async def add(self, scope: Scope, connection: DatabaseConnection) -> None:
        """Store a connection. Raises `Conflict` if there is one of its name."""
        ...

    async def get(self, scope: Scope, name: str) -> DatabaseConnection:
        """Return the connection, or raise `NotFound`."""
        ...

    async def all(self, scope: Scope) -> tuple[DatabaseConnection, ...]:
        """Return all connections of the tenant, by name."""
        ...

    async def remove(self, scope: Scope, name: str) -> None:
        """Remove the connection, or raise `NotFound`."""
        ...
