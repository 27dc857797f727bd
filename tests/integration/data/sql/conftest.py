"""Real databases with the example of the conformance suite."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import duckdb
import psycopg
import pymysql
import pytest
from tests.support.mariadb import mariadb_socket

from tablewright.data.sql.address import Address, address_of
from tablewright.data.sql.children import QueryChildren
from tablewright.data.sql.conformance import EXAMPLE

__all__ = ["mariadb_socket"]
READER = "reader"
SECRET = "p'w&%s~geheim"  # of a server that lives as long as the tests


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A real server: the addresses of its owner and of a role that may only read, and the owner's connection."""

    owner: Address
    reader: Address
    connection: Any = field(repr=False)

    def rows(self, sql: str) -> list[Any]:
        """Execute a statement as the owner."""
        with self.connection.cursor() as cursor:
            cursor.execute(sql)
            return list(cursor.fetchall()) if cursor.description else []


@pytest.fixture
async def children() -> AsyncIterator[QueryChildren]:
    made = QueryChildren(size=2)
    yield made
    await made.stop()


@pytest.fixture
def sqlite_file(tmp_path: Path) -> Path:
    path = tmp_path / "example.sqlite"
    connection = sqlite3.connect(path)
    for statement in EXAMPLE:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return path


@pytest.fixture
def duckdb_file(tmp_path: Path) -> Path:
    path = tmp_path / "example.duckdb"
    connection = duckdb.connect(str(path))
    for statement in EXAMPLE:
        connection.execute(statement)
    connection.close()
    return path


@pytest.fixture(scope="module")
def postgres(postgres_url: str) -> Iterator[Server]:
    """A database with the example, its owner (who may do everything) and a role without rights but to read."""
    plain = postgres_url.replace("postgresql+psycopg://", "postgresql://")
    with psycopg.connect(plain, autocommit=True) as server:
        server.execute("DROP DATABASE IF EXISTS shop WITH (FORCE)")
        server.execute("CREATE DATABASE shop")
    owner = replace(address_of(plain), database="shop")
    host = owner.options.get("host") or owner.host
    with psycopg.connect(host=host, user=owner.user, password=owner.password, dbname="shop", autocommit=True) as one:
        for statement in EXAMPLE:
            one.execute(statement.encode())
        one.execute("CREATE SEQUENCE numbers")
        one.execute(
            "CREATE FUNCTION add_one() RETURNS int LANGUAGE sql AS 'INSERT INTO orders VALUES (77) RETURNING id'"
        )
        one.execute(f"DROP ROLE IF EXISTS {READER}")
        one.execute(f"CREATE ROLE {READER} LOGIN PASSWORD '{SECRET.replace(chr(39), chr(39) * 2)}' NOSUPERUSER")
        one.execute(f"GRANT USAGE ON SCHEMA public TO {READER}")
        one.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {READER}")
        one.execute("REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC")
        reader = replace(owner, user=READER, password=SECRET)
        yield Server(owner=owner, reader=reader, connection=one)
        one.execute(f"DROP OWNED BY {READER}")
        one.execute(f"DROP ROLE {READER}")


@pytest.fixture(scope="module")
def mariadb(mariadb_socket: Path) -> Iterator[Server]:
    """The same in MariaDB; `options` of the addresses name its socket."""
    connection = pymysql.connect(unix_socket=str(mariadb_socket), user="root", charset="utf8mb4", autocommit=True)
    with connection.cursor() as cursor:
        cursor.execute("DROP DATABASE IF EXISTS shop")
        cursor.execute("CREATE DATABASE shop CHARACTER SET utf8mb4")
        cursor.execute("USE shop")
        cursor.execute("SET SESSION sql_mode = 'ANSI_QUOTES'")
        for statement in EXAMPLE:
            cursor.execute(statement)
        cursor.execute("SET SESSION sql_mode = ''")
        cursor.execute("CREATE SEQUENCE numbers")
        cursor.execute("CREATE PROCEDURE add_one() INSERT INTO orders VALUES (77, 1, 1, NULL)")
        cursor.execute(f"CREATE OR REPLACE USER {READER}@localhost IDENTIFIED BY %s", (SECRET,))
        cursor.execute(f"GRANT SELECT ON shop.* TO {READER}@localhost")
        connection.commit()
    owner = Address(dialect="mysql", user="root", database="shop", options={"unix_socket": str(mariadb_socket)})
    yield Server(owner=owner, reader=replace(owner, user=READER, password=SECRET), connection=connection)
    connection.close()
