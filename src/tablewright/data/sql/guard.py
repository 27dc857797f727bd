"""The first of three locks: a statement is parsed, every part of it must be known to read only, and it is written anew.

What is executed is written from the parsed tree, without comments, so that nothing runs that was not looked at: a
server that reads a comment as code, or a quote differently, is given neither. `allowed.json` lists the parts of queries
and the functions that are allowed; all others are refused, those of later versions of the parser included.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import sqlglot
from sqlglot import Token, TokenType, exp
from sqlglot.errors import ErrorLevel, SqlglotError

from tablewright.data.sql.base import Dialect, Parameter
from tablewright.data.sql.engine import Statement
from tablewright.errors import StatementRefused, StatementWrong

MOST_CHARS = 20_000
"""The longest statement."""
MARKS: Mapping[Dialect, Callable[[str], str]] = {
    "postgres": "%({})s".format,
    "mysql": "%({})s".format,
    "sqlite": ":{}".format,
    "duckdb": "${}".format,
}
"""How each driver writes a parameter."""
FORMATTED = frozenset[Dialect]({"postgres", "mysql"})
"""Dialects whose drivers read `%` as the start of a parameter."""
CATALOGUES: Mapping[Dialect, tuple[str, ...]] = {
    "postgres": ("pg_",),
    "mysql": (),
    "sqlite": ("sqlite_dbpage", "sqlite_stmt", "dbstat", "pragma_"),
    "duckdb": ("pg_", "duckdb_", "pragma_"),
}
"""How the names of tables begin that tell of the server instead of the data."""
SCHEMAS = frozenset({"mysql", "performance_schema", "sys", "pg_catalog", "pg_toast", "system", "temp"})
"""Schemas of the server's own."""
STANDARD = "information_schema"
TABLES_OF_STANDARD = frozenset(
    {"tables", "columns", "views", "schemata", "key_column_usage", "table_constraints", "referential_constraints"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowTables:
    """The wish to see all tables, in any dialect."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribeTable:
    """The wish to see the columns of one table, in any dialect."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Allowed:
    nodes: frozenset[str]
    functions: frozenset[str]
    names: Mapping[str, frozenset[str]]


Inspection = ShowTables | DescribeTable


def inspected(sql: str, dialect: Dialect) -> Inspection | None:
    """Return what `SHOW TABLES` or `DESCRIBE name` asks for, None for any other statement."""
    words = [token for token in _tokens(sql, dialect) if token.token_type != TokenType.SEMICOLON]
    first = words[0].text.upper() if words else ""
    if first == "SHOW" and len(words) == 2 and words[1].text.upper() == "TABLES":
        return ShowTables()
    named = words[1:] if first in {"DESCRIBE", "DESC"} else []
    if named and len(named) % 2 and all(token.token_type == TokenType.DOT for token in named[1::2]):
        return DescribeTable(name=".".join(token.text for token in named[::2]))
    return None


def checked(sql: str, dialect: Dialect, params: Mapping[str, Parameter]) -> Statement:
    """Return the statement as it may be executed.

    Raises `StatementWrong` if it cannot be parsed, and `StatementRefused` if a part of it is not known to read only.
    """
    if len(sql) > MOST_CHARS:
        raise StatementRefused("statement_long", limit=MOST_CHARS)
    tokens = _tokens(sql, dialect)
    if any(comment.startswith(("!", "M!")) for token in tokens for comment in token.comments):
        raise StatementRefused("statement_comment")
    explained = _explained(sql, tokens, dialect)
    try:
        query = _query(explained if explained is not None else sql, dialect)
        _check(query, dialect)
        bound = _bound(query, dialect, params)
    except RecursionError as error:
        raise StatementRefused("statement_deep") from error
    if explained is None:
        return bound
    prefix = "EXPLAIN QUERY PLAN " if dialect == "sqlite" else "EXPLAIN "
    return replace(bound, sql=prefix + bound.sql, reads_tables=False)


def _tokens(sql: str, dialect: Dialect) -> list[Token]:
    try:
        return sqlglot.tokenize(sql, read=dialect)
    except SqlglotError as error:
        raise StatementWrong(words=_first_line(error)) from error


def _explained(sql: str, tokens: Sequence[Token], dialect: Dialect) -> str | None:
    """Return what is to be explained, None if the statement is not an EXPLAIN."""
    if not tokens or tokens[0].text.upper() != "EXPLAIN":
        return None
    last = tokens[0]
    if dialect == "sqlite" and [token.text.upper() for token in tokens[1:3]] == ["QUERY", "PLAN"]:
        last = tokens[2]
    return sql[last.end + 1 :]


def _query(sql: str, dialect: Dialect) -> exp.Expr:
    try:
        parsed = [tree for tree in sqlglot.parse(sql, read=dialect) if tree is not None]
    except SqlglotError as error:
        raise StatementWrong(words=_first_line(error)) from error
    if len(parsed) != 1:
        raise StatementRefused("statement_none" if not parsed else "statement_several")
    tree = parsed[0]
    if not isinstance(tree, exp.Query) and not isinstance(tree, exp.Values):
        raise StatementRefused("statement_no_query", part=_named(tree))
    return tree


def _first_line(error: SqlglotError) -> str:
    return str(error).splitlines()[0].replace("\x1b[4m", "").replace("\x1b[0m", "")[:300]


def _check(query: exp.Expr, dialect: Dialect) -> None:
    allowed = _allowed()
    for node in query.walk():
        if isinstance(node, exp.Anonymous):
            quoted = not isinstance(node.this, str)
            if quoted or node.name.lower() not in allowed.names[dialect]:
                raise StatementRefused("statement_function", part=node.name)
        elif isinstance(node, exp.Func):
            if type(node).__name__ not in allowed.functions:
                raise StatementRefused("statement_function", part=node.sql_name())
        elif type(node).__name__ not in allowed.nodes:
            raise StatementRefused("statement_part", part=_named(node))
        if isinstance(node, exp.Table):
            _check_table(node, dialect)


def _check_table(table: exp.Table, dialect: Dialect) -> None:
    """Refuse tables that tell of the server: its settings, sessions, users and files."""
    name, schema = table.name.lower(), table.db.lower()
    if schema == STANDARD:
        known = name in TABLES_OF_STANDARD
    else:
        hidden = bool(CATALOGUES[dialect]) and name.startswith(CATALOGUES[dialect])
        known = not hidden and schema not in SCHEMAS and table.catalog.lower() not in SCHEMAS
    if not known:
        raise StatementRefused("statement_system_table", part=table.name)


def _bound(query: exp.Expr, dialect: Dialect, params: Mapping[str, Parameter]) -> Statement:
    """Write the query with each `:name` as its driver wants it."""
    own = {cte.alias.lower() for cte in query.find_all(exp.CTE)}
    tables = tuple(f"{table.db}.{table.name}" if table.db else table.name for table in query.find_all(exp.Table))
    columns = tuple(dict.fromkeys(column.name for column in query.find_all(exp.Column)))
    nonce = f"tw{secrets.token_hex(8)}"
    used: dict[str, str] = {}
    for node in list(query.find_all(exp.Placeholder)):
        name = node.name
        if not name or name == "?":
            raise StatementRefused("statement_unnamed_parameter")
        if name not in params:
            raise StatementRefused("statement_parameter_missing", part=name)
        node.replace(exp.Var(this=f"{nonce}_{used.setdefault(name, f'p{len(used)}')}_"))
    try:
        written = query.sql(dialect=dialect, comments=False, unsupported_level=ErrorLevel.RAISE)
    except SqlglotError as error:
        raise StatementRefused("statement_part", part=_first_line(error)) from error
    if used and dialect in FORMATTED:
        written = written.replace("%", "%%")
    for key in used.values():
        written = written.replace(f"{nonce}_{key}_", MARKS[dialect](key))
    values = {key: params[name] for name, key in used.items()}
    named = tuple(dict.fromkeys(name for name in tables if name and name.lower() not in own))
    return Statement(sql=written, params=values, tables=named, columns=columns)


def _named(node: exp.Expr) -> str:
    """Return what people call a part of a statement; of a command that is not parsed, its first word."""
    if isinstance(node, exp.Command):
        return str(node.this).upper()
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(node).__name__).upper()


@cache
def _allowed() -> _Allowed:
    told = json.loads(Path(__file__).with_name("allowed.json").read_text(encoding="utf-8"))
    names = {dialect: frozenset(names) for dialect, names in told["names"].items()}
    return _Allowed(nodes=frozenset(told["nodes"]), functions=frozenset(told["functions"]), names=names)
