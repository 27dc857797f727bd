"""Connections to databases: made by operators; passwords are written and never read."""

from __future__ import annotations

from fastapi import APIRouter

from tablewright.api.dependencies import Caller, Parts, Speech
from tablewright.api.documents import faults
from tablewright.api.schemas.connections import (
    ConnectionTestOut,
    DatabaseConnectionOut,
    DatabaseConnectionsOut,
    NewDatabaseConnection,
)
from tablewright.api.schemas.native import Fault
from tablewright.domain.connection import DatabaseConnection
from tablewright.texts.errors import describe

router = APIRouter(prefix="/connections", tags=["connections"])


@router.get("", responses=faults())
async def find(parts: Parts, caller: Caller) -> DatabaseConnectionsOut:
    """List the connections of the tenant."""
    return DatabaseConnectionsOut(items=[_shown(found) for found in await parts.connections.all(caller)])


@router.post("", status_code=201, responses=faults(409, 422, 503))
async def create(parts: Parts, caller: Caller, wanted: NewDatabaseConnection) -> DatabaseConnectionOut:
    """Make a connection to a host that the settings allow. Operators only."""
    return _shown(await parts.connections.create(caller, wanted.name, wanted.url.get_secret_value()))


@router.delete("/{name}", status_code=204, responses=faults(404))
async def delete(parts: Parts, caller: Caller, name: str) -> None:
    """Delete a connection. Operators only."""
    await parts.connections.delete(caller, name)


@router.post("/{name}/test", responses=faults(404))
async def test(parts: Parts, caller: Caller, language: Speech, name: str) -> ConnectionTestOut:
    """Connect and list the tables. What goes wrong with the database is told in `error`. Operators only."""
    came = await parts.connections.test(caller, name)
    fault = None if came.error is None else Fault(code=came.error.code, message=describe(came.error, language))
    return ConnectionTestOut(ok=fault is None, tables=came.tables, elapsed_s=round(came.elapsed_s, 3), error=fault)


def _shown(connection: DatabaseConnection) -> DatabaseConnectionOut:
    return DatabaseConnectionOut(
        name=connection.name,
        address=connection.address,
        created_at=connection.created_at,
        created_by=connection.created_by,
    )
