"""The same two tables in several databases, and in a file that pandas reads."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

import duckdb
import psycopg
import pymysql
from tests.integration.analyst.sql.random_tables import SALES, SALES_TYPES, STAFF, STAFF_TYPES, Columns, Row

from tablewright.data.sql.base import Dialect
from tablewright.data.sql.cells import cell
from tablewright.data.sql.guard import checked
from tablewright.domain.dataset import ColumnFacts, DatabaseColumn, DatabaseTable, DatasetFacts, ReadOptions
from tablewright.domain.table import Table

NATIVE: dict[Dialect, dict[str, str]] = {
    "mysql": {"text": "varchar(40)", "timestamp": "datetime", "double precision": "double", "boolean": "tinyint(1)"},
    "duckdb": {"double precision": "double", "text": "varchar", "numeric(10,2)": "decimal(10,2)"},
    "sqlite": {"numeric(10,2)": "decimal(10,2)", "double precision": "real"},
    "postgres": {"timestamp": "timestamp without time zone"},
}
TABLES = (("sales", SALES, SALES_TYPES), ("staff", STAFF, STAFF_TYPES))


def declared(kind: str, dialect: Dialect) -> str:
    return NATIVE[dialect].get(kind, kind)


def facts_of(name: str, rows: Sequence[Row], dialect: Dialect, folder: Path) -> DatasetFacts:
    """Return the facts of a table: the file for pandas, and the table of the database."""
    columns, types = next((columns, types) for own, columns, types in TABLES if own == name)
    return DatasetFacts(
        id=name,
        name=name,
        file_name=f"{name}.json",
        path=str(folder / f"{name}.json"),
        read=ReadOptions(kind="json", encoding="utf-8", by_column=True, header_rows=()),
        rows=len(rows),
        columns=tuple(_facts(*one, [row[place] for row in rows]) for place, one in enumerate(columns)),
        sample=Table(columns=(), rows=(), total_rows=0),
        profile_ref="0" * 64,
        table=DatabaseTable(
            connection="tested",
            dialect=dialect,
            name=name,
            columns=tuple(
                DatabaseColumn(name=own, type=declared(kind, dialect))
                for (own, _), kind in zip(columns, types, strict=True)
            ),
            primary_key=("id",),
        ),
    )


def _facts(name: str, kind: Any, cells: Sequence[Any]) -> ColumnFacts:
    dated = kind in {"date", "datetime"}
    form = {"date": "%Y-%m-%d", "datetime": "%Y-%m-%dT%H:%M:%S"}.get(kind)
    notation: Any = "date_text" if dated else "plain"
    if not any(cell is not None for cell in cells):
        return ColumnFacts(name=name, kind="empty", missing=len(cells))
    return ColumnFacts(name=name, kind=kind, notation=notation, date_format=form, missing=cells.count(None))


def write_file(folder: Path, name: str, columns: Columns, rows: Sequence[Row]) -> None:
    """Write a table as the service does: an object of columns."""
    cells = {own: [cell(row[place]) for row in rows] for place, (own, _) in enumerate(columns)}
    (folder / f"{name}.json").write_text(json.dumps(cells), encoding="utf-8")


@dataclass(frozen=True)
class Engine:
    """A database that is filled anew for each plan."""

    dialect: Dialect
    connection: Any

    def fill(self, tables: dict[str, Sequence[Row]]) -> None:
        """Make both tables."""
        for name, columns, types in TABLES:
            parts = ", ".join(
                f"{own} {declared(kind, self.dialect)}" for (own, _), kind in zip(columns, types, strict=True)
            )
            self._do(f"DROP TABLE IF EXISTS {name}")
            self._do(f"CREATE TABLE {name} ({parts})")
            if tables[name]:
                marks = "%s" if self.dialect in {"postgres", "mysql"} else "?"
                row = f"({', '.join([marks] * len(columns))})"
                given = [self._given(value) for one in tables[name] for value in one]
                self._do(f"INSERT INTO {name} VALUES {', '.join([row] * len(tables[name]))}", given)

    def rows(self, sql: str) -> list[list[Any]]:
        """Return the rows of a statement as the product's drivers do, after the guard has passed it."""
        statement = checked(sql, self.dialect, {})
        return [[cell(value) for value in row] for row in self._do(statement.sql)]

    def _do(self, sql: str, given: Sequence[Any] = ()) -> list[Any]:
        cursor = self.connection.cursor()
        if self.dialect == "postgres" or given:
            cursor.execute(sql, given or None)
        else:
            cursor.execute(sql)
        return list(cursor.fetchall()) if cursor.description else []

    def _given(self, value: Any) -> Any:
        if self.dialect == "sqlite" and isinstance(value, date | datetime):
            return value.isoformat()
        return value


def embedded(dialect: Dialect) -> Engine:
    """Return a database in this process."""
    return Engine(
        dialect, duckdb.connect() if dialect == "duckdb" else sqlite3.connect(":memory:", isolation_level=None)
    )


@contextmanager
def mariadb(socket: Path) -> Iterator[Engine]:
    """A database on a real MariaDB server, whose texts ignore case."""
    connection = pymysql.connect(unix_socket=str(socket), user="root", charset="utf8mb4", autocommit=True)
    with connection.cursor() as cursor:
        cursor.execute("DROP DATABASE IF EXISTS random_plans")
        cursor.execute("CREATE DATABASE random_plans CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci")
        cursor.execute("USE random_plans")
    yield Engine("mysql", connection)
    connection.close()


@contextmanager
def postgres(url: str) -> Iterator[Engine]:
    """A database on a real PostgreSQL server; its tables are the session's own."""
    with psycopg.connect(url.replace("postgresql+psycopg://", "postgresql://"), autocommit=True) as connection:
        connection.execute("CREATE SCHEMA IF NOT EXISTS random_plans")
        connection.execute("SET search_path = random_plans")
        yield Engine("postgres", connection)
        connection.execute("DROP SCHEMA random_plans CASCADE")
