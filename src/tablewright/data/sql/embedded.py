"""Operations on SQLite and DuckDB files, in the child process: each opens the file read-only and closes it again."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import duckdb

from tablewright.data.sql.base import ColumnSchema, ExploreLimits, ForeignKey, Parameter, QueryRows, TableSchema
from tablewright.data.sql.cells import MOST_BYTES, cell, weight
from tablewright.data.sql.engine import Catalogue, Statement
from tablewright.domain.codec import to_json
from tablewright.domain.table import Cell
from tablewright.errors import (
    ColumnUnknown,
    DatabaseAway,
    DatabaseFailed,
    DatabaseSlow,
    StatementRefused,
    StatementWrong,
    TableUnknown,
)

SQLITE_STEPS = 10_000
"""The number of steps of SQLite between two looks at the clock."""
VALUE_BYTES = 16 * 1024**2
"""The longest text or blob that SQLite may make."""
READING = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE})
REFUSED_FUNCTIONS = frozenset({"load_extension", "writefile", "readfile", "edit", "fts3_tokenizer"})
DUCKDB = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
    "threads": "2",
    "lock_configuration": "true",
}
"""The session of DuckDB: no files, no network, no extensions, and none of this can be changed any more."""
DUCKDB_MEMORY = "512MB"
OWN_SCHEMA = "main"


def sqlite_query(
    path: Path, *, name: str, sql: str, params: Mapping[str, Parameter], max_rows: int, limit_s: float
) -> bytes:
    """Execute a statement on a SQLite file; return `QueryRows` as JSON."""
    with _sqlite(path, name, limit_s) as connection:
        return to_json(QueryRows, _sqlite_taken(connection, sql, params, max_rows))


def duckdb_query(
    path: Path, *, name: str, sql: str, params: Mapping[str, Parameter], max_rows: int, limit_s: float
) -> bytes:
    """Execute a statement on a DuckDB file; return `QueryRows` as JSON."""
    with _duckdb(path, name, limit_s) as connection:
        found = connection.execute(sql, dict(params) or None)
        names = tuple(str(column[0]) for column in found.description or ())
        types = tuple(str(column[1]).lower() for column in found.description or ())
        return to_json(QueryRows, _taken(found.fetchone, names, types, max_rows))


def sqlite_catalogue(path: Path, *, name: str, tables: int, columns: int, limit_s: float) -> bytes:
    """Return the `Catalogue` of a SQLite file as JSON."""
    with _sqlite(path, name, limit_s) as connection:
        return to_json(Catalogue, _sqlite_tables(connection, tables, columns))


def duckdb_catalogue(path: Path, *, name: str, tables: int, columns: int, limit_s: float) -> bytes:
    """Return the `Catalogue` of a DuckDB file as JSON."""
    with _duckdb(path, name, limit_s) as connection:
        listed = connection.execute(
            "SELECT schema_name, table_name, estimated_size FROM duckdb_tables() WHERE NOT internal UNION ALL "
            "SELECT schema_name, view_name, NULL FROM duckdb_views() WHERE NOT internal ORDER BY 1, 2"
        ).fetchall()
        lines = connection.execute(
            "SELECT schema_name, table_name, column_name, data_type, is_nullable, comment FROM duckdb_columns() "
            "WHERE NOT internal ORDER BY 1, 2, column_index"
        ).fetchall()
        keys = connection.execute(
            "SELECT schema_name, table_name, constraint_type, constraint_column_names, referenced_table, "
            "referenced_column_names FROM duckdb_constraints() WHERE constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')"
        ).fetchall()
    found = tuple(_duckdb_table(row, lines, keys, columns) for row in listed[:tables])
    return to_json(Catalogue, Catalogue(tables=found, left_out=len(listed) - len(found)))


@contextmanager
def _sqlite(path: Path, name: str, limit_s: float) -> Iterator[sqlite3.Connection]:
    with (
        _sqlite_errors(name, limit_s),
        closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, isolation_level=None)) as connection,
    ):
        prepare(connection, limit_s)
        yield connection


def prepare(connection: sqlite3.Connection, limit_s: float) -> None:
    """Make a session of SQLite read-only and bounded."""
    connection.text_factory = lambda content: content.decode(errors="replace")
    connection.execute("PRAGMA query_only = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, VALUE_BYTES)
    late = threading.Event()
    timer = threading.Timer(limit_s, late.set)
    timer.daemon = True
    timer.start()
    connection.set_progress_handler(lambda: int(late.is_set()), SQLITE_STEPS)


def memory_query(connection: sqlite3.Connection, statement: Statement, max_rows: int, limit_s: float) -> QueryRows:
    """Execute a statement on a connection that others also use, read-only for as long as it takes."""
    prepare(connection, limit_s)
    try:
        return _sqlite_taken(connection, statement.sql, statement.params, max_rows)
    finally:
        connection.set_authorizer(None)
        connection.set_progress_handler(None, 0)


def memory_catalogue(connection: sqlite3.Connection, limits: ExploreLimits) -> Catalogue:
    """Return the tables of a connection."""
    return _sqlite_tables(connection, limits.tables, limits.columns)


def _sqlite_taken(
    connection: sqlite3.Connection, sql: str, params: Mapping[str, Parameter], max_rows: int
) -> QueryRows:
    connection.set_authorizer(_authorized)
    cursor = connection.execute(sql, dict(params))
    names = tuple(str(column[0]) for column in cursor.description or ())
    return _taken(cursor.fetchone, names, (), max_rows)


def _sqlite_tables(connection: sqlite3.Connection, tables: int, columns: int) -> Catalogue:
    listed = connection.execute(
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
        "ORDER BY name"
    ).fetchall()
    found = tuple(_sqlite_table(connection, str(row[0]), columns) for row in listed[:tables])
    return Catalogue(tables=found, left_out=len(listed) - len(found))


def _authorized(action: int, first: str | None, second: str | None, *_: str | None) -> int:
    """Allow reading of tables; refuse everything else, the settings of the session included."""
    if action == sqlite3.SQLITE_FUNCTION and str(second or first).lower() in REFUSED_FUNCTIONS:
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK if action in READING else sqlite3.SQLITE_DENY


@contextmanager
def _sqlite_errors(name: str, limit_s: float) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise sqlite_failure(error, name, limit_s) from error


def sqlite_failure(error: sqlite3.Error, name: str, limit_s: float) -> DatabaseFailed:
    """Return what an error of SQLite is called here."""
    words, code = str(error), getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_INTERRUPT:
        return DatabaseSlow(limit_s=limit_s)
    if code in {sqlite3.SQLITE_AUTH, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM}:
        return StatementRefused("statement_read_only", part=words)
    if code in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_BUSY}:
        return DatabaseAway(address=name, words=words)
    if words.startswith("no such table"):
        return TableUnknown(words=words)
    if words.startswith("no such column"):
        return ColumnUnknown(words=words)
    if code == sqlite3.SQLITE_ERROR or isinstance(error, sqlite3.ProgrammingError):
        return StatementWrong(words=words)
    return DatabaseFailed(words=words)


@contextmanager
def _duckdb(path: Path, name: str, limit_s: float) -> Iterator[duckdb.DuckDBPyConnection]:
    timer: threading.Timer | None = None
    try:
        settings: dict[str, str | bool | int | float | list[str]] = {**DUCKDB, "memory_limit": DUCKDB_MEMORY}
        with closing(duckdb.connect(str(path), read_only=True, config=settings)) as connection:
            timer = threading.Timer(limit_s, connection.interrupt)
            timer.daemon = True
            timer.start()
            yield connection
    except duckdb.Error as error:
        raise _duckdb_failure(error, name, limit_s) from error
    finally:
        if timer is not None:
            timer.cancel()


def _duckdb_failure(error: duckdb.Error, name: str, limit_s: float) -> DatabaseFailed:
    words = str(error).splitlines()[0]
    if isinstance(error, duckdb.InterruptException):
        return DatabaseSlow(limit_s=limit_s)
    if isinstance(error, duckdb.PermissionException) or "read-only mode" in words or "configuration has been" in words:
        return StatementRefused("statement_read_only", part=words)
    if isinstance(error, duckdb.CatalogException):
        return TableUnknown(words=words)
    if isinstance(error, duckdb.BinderException):
        return ColumnUnknown(words=words) if "olumn" in words else StatementWrong(words=words)
    if isinstance(error, duckdb.IOException):
        return DatabaseAway(address=name, words=words.replace(name, Path(name).name))
    if isinstance(error, duckdb.OutOfMemoryException):
        return DatabaseFailed(words=words)
    return StatementWrong(words=words)


def _taken(
    fetch: Callable[[], Sequence[Any] | None], names: tuple[str, ...], types: tuple[str, ...], max_rows: int
) -> QueryRows:
    """Take rows up to the limits; where the driver tells no types, they are those of the first values."""
    rows: list[tuple[Cell, ...]] = []
    bytes_left, truncated = MOST_BYTES, False
    seen = [""] * len(names)
    while names and (row := fetch()) is not None:
        if len(rows) == max_rows or bytes_left <= 0:
            truncated = True
            break
        rows.append(tuple(cell(value) for value in row))
        bytes_left -= weight(rows[-1])
        seen = [known or _storage(value) for known, value in zip(seen, row, strict=True)]
    return QueryRows(columns=names, types=types or tuple(seen), rows=tuple(rows), truncated=truncated)


def _storage(value: Any) -> str:
    kinds = {int: "integer", float: "real", str: "text", bytes: "blob"}
    return kinds.get(type(value), "")


def _sqlite_table(connection: sqlite3.Connection, name: str, columns: int) -> TableSchema:
    lines = connection.execute('SELECT name, type, "notnull", pk FROM pragma_table_info(?)', (name,)).fetchall()
    keys: dict[int, ForeignKey] = {}
    for number, table, own, other in connection.execute(
        'SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY id, seq', (name,)
    ):
        known = keys.get(number) or ForeignKey(columns=(), table=table, references=())
        keys[number] = replace(known, columns=(*known.columns, own), references=(*known.references, other or ""))
    primary = sorted((line for line in lines if line[3]), key=lambda line: line[3])
    return TableSchema(
        name=name,
        columns=tuple(
            ColumnSchema(name=line[0], type=line[1].lower(), nullable=not line[2]) for line in lines[:columns]
        ),
        primary_key=tuple(line[0] for line in primary),
        foreign_keys=tuple(keys[number] for number in sorted(keys)),
        rows=_sqlite_rows(connection, name),
    )


def _sqlite_rows(connection: sqlite3.Connection, name: str) -> int | None:
    """Return the number of rows that `ANALYZE` noted, None if it never ran."""
    with suppress(sqlite3.Error):
        found = connection.execute("SELECT stat FROM sqlite_stat1 WHERE tbl = ? LIMIT 1", (name,)).fetchone()
        return int(str(found[0]).split()[0]) if found else None
    return None


def _duckdb_table(row: Sequence[Any], lines: Sequence[Any], keys: Sequence[Any], columns: int) -> TableSchema:
    own = (row[0], row[1])
    mine = [
        ColumnSchema(name=line[2], type=str(line[3]).lower(), nullable=line[4], comment=line[5] or "")
        for line in lines
        if line[:2] == own
    ]
    primary = next((tuple(key[3]) for key in keys if key[:2] == own and key[2] == "PRIMARY KEY"), ())
    foreign = tuple(
        ForeignKey(columns=tuple(key[3]), table=key[4], references=tuple(key[5]))
        for key in keys
        if key[:2] == own and key[2] == "FOREIGN KEY"
    )
    return TableSchema(
        name=row[1],
        schema=None if row[0] == OWN_SCHEMA else row[0],
        columns=tuple(mine[:columns]),
        primary_key=primary,
        foreign_keys=foreign,
        rows=None if row[2] is None else int(row[2]),
    )
