"""Which adapter opens an address."""

from __future__ import annotations

from tablewright.data.sql.address import Address
from tablewright.data.sql.base import Database
from tablewright.data.sql.children import QueryChildren
from tablewright.data.sql.files import FileEngine
from tablewright.data.sql.guarded import GuardedDatabase
from tablewright.data.sql.mariadb import MariaEngine
from tablewright.data.sql.postgres import PostgresEngine


def open_database(address: Address, children: QueryChildren) -> Database:
    """Return the database at an address. Nothing is connected to before the first question."""
    if address.path is not None:
        return GuardedDatabase(FileEngine(address.path, address.dialect, children))
    if address.dialect == "postgres":
        return GuardedDatabase(PostgresEngine(address))
    return GuardedDatabase(MariaEngine(address))
