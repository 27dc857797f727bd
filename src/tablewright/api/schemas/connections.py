"""Connections to databases over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field, SecretStr

from tablewright.api.schemas.native import Fault, WireModel


class NewDatabaseConnection(WireModel):
    """A connection to make: `url` is `postgresql://user:password@host:5432/database`, or that of another dialect."""

    name: Annotated[str, Field(min_length=1, max_length=64)]
    url: Annotated[SecretStr, Field(min_length=1, max_length=2000)]


class DatabaseConnectionOut(WireModel):
    """A connection; its address is without the password."""

    name: str
    address: str
    created_at: datetime
    created_by: str


class DatabaseConnectionsOut(WireModel):
    """All connections of the tenant."""

    items: list[DatabaseConnectionOut]


class ConnectionTestOut(WireModel):
    """What came of a test: the number of tables that can be read, or why it failed."""

    ok: bool
    tables: int
    elapsed_s: float
    error: Fault | None = None
