"""Databases in the form that a model reads, within a number of tokens: what is most useful first. Pure.

First come the names of all databases and of as many tables as fit, in their order; then, table by table, the columns
with the keys; then the first rows. What is left out is counted, and told how to be asked for. Names and values come
from others, so they are written as JSON strings; rows are samples, which are fenced as data.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tablewright.domain.database import DatabaseFacts, TableSchema
from tablewright.domain.language import Language
from tablewright.domain.message import TextPart
from tablewright.models.facts import quoted
from tablewright.models.prompt_files import phrase
from tablewright.models.tokens import estimate_text

NAMES_SHARE = 0.4
"""The share of the tokens that names of tables may take."""
COLUMNS = 80
"""The most columns of a table that are told."""
COLUMNS_OF_SAMPLE = 20
SYSTEMS = {"postgres": "PostgreSQL", "mysql": "MariaDB/MySQL", "sqlite": "SQLite", "duckdb": "DuckDB"}


@dataclass(slots=True, kw_only=True)
class _Told:
    """What is told of one table of a database: its columns and rows, as far as there is room."""

    database: str
    table: TableSchema
    columns: str = ""
    sample: str = ""


@dataclass(slots=True, kw_only=True)
class _Room:
    """The tokens that are left."""

    tokens: float

    def takes(self, text: str) -> bool:
        """Take the room for `text` if there is enough."""
        needed = estimate_text(text) + 1
        if needed > self.tokens:
            return False
        self.tokens -= needed
        return True


@dataclass(slots=True, kw_only=True)
class _Listed:
    """One database with the names of its tables that fit; `tables` are those in the order in which they are told."""

    facts: DatabaseFacts
    tables: list[_Told] = field(default_factory=list[_Told])

    @property
    def unnamed(self) -> int:
        """How many tables have no name here."""
        schema = self.facts.schema
        return 0 if schema is None else len(schema.tables) + schema.left_out - len(self.tables)


def database_parts(databases: Sequence[DatabaseFacts], language: Language, *, limit_tokens: int) -> list[TextPart]:
    """Return what is told of the databases in about `limit_tokens` tokens; empty without any."""
    if not databases:
        return []
    room = _Room(tokens=limit_tokens)
    listed = _names(databases, room, limit_tokens * (1 - NAMES_SHARE))
    turn = list(_in_turn(listed))
    for told in turn:
        columns = _columns(told.table, language)
        told.columns = columns if room.takes(columns) else ""
    for told in turn:
        sample = _sample(told)
        told.sample = sample if told.columns and sample and room.takes(sample) else ""
    lines = [phrase("databases_heading", language)]
    lines += [line for each in listed for line in _told(each, language)]
    parts = [TextPart(text="\n".join(lines) + "\n", origin="schema")]
    if samples := [told.sample for told in turn if told.sample]:
        parts.append(TextPart(text="\n".join((phrase("database_samples", language), *samples)), origin="sample"))
    return parts


def _names(databases: Sequence[DatabaseFacts], room: _Room, kept_tokens: float) -> list[_Listed]:
    """List the tables of all databases in turn, until their names have used up their share."""
    listed = [_Listed(facts=facts) for facts in databases]
    most = max((len(facts.schema.tables) for facts in databases if facts.schema is not None), default=0)
    for place in range(most):
        for each in listed:
            schema = each.facts.schema
            if schema is None or place >= len(schema.tables):
                continue
            table = schema.tables[place]
            if room.tokens <= kept_tokens or not room.takes(_name(table)):
                return listed
            each.tables.append(_Told(database=each.facts.name, table=table))
    return listed


def _in_turn(listed: Sequence[_Listed]) -> Iterator[_Told]:
    """Yield the tables of all databases, the first of each before the second of any."""
    for place in range(max((len(each.tables) for each in listed), default=0)):
        yield from (each.tables[place] for each in listed if place < len(each.tables))


def _told(listed: _Listed, language: Language) -> Iterator[str]:
    facts = listed.facts
    if facts.schema is None:
        code = "database_unread" if facts.problem else "database_unlooked"
        yield phrase(code, language, name=quoted(facts.name), problem=facts.problem)
        return
    tables = len(facts.schema.tables) + facts.schema.left_out
    yield phrase("database", language, name=quoted(facts.name), system=SYSTEMS[facts.schema.dialect], tables=tables)
    for told in listed.tables:
        yield f"- {_name(told.table)}" + (f"\n{told.columns}" if told.columns else "")
    if any(not told.columns for told in listed.tables):
        yield phrase("database_columns_left", language)
    if listed.unnamed:
        yield phrase("database_tables_left", language, count=listed.unnamed)


def _name(table: TableSchema) -> str:
    rows = "" if table.rows is None else f" (~{table.rows})"
    return f"{quoted(table.label)}{rows}"


def _columns(table: TableSchema, language: Language) -> str:
    references = {key.columns: key for key in table.foreign_keys}
    shown = [
        f"{quoted(column.name)} {' '.join(column.type.split())[:40]}"
        + (" PK" if column.name in table.primary_key else "")
        for column in table.columns[:COLUMNS]
    ]
    left = len(table.columns) - len(shown)
    lines = [f"  {', '.join(shown)}"]
    if left:
        lines.append("  " + phrase("database_more_columns", language, count=left))
    for columns, key in references.items():
        here = ", ".join(map(quoted, columns))
        lines.append(f"  {here} → {quoted(key.table)} ({', '.join(map(quoted, key.references))})")
    return "\n".join(lines)


def _sample(told: _Told) -> str:
    if not told.table.sample:
        return ""
    names = [column.name for column in told.table.columns[:COLUMNS_OF_SAMPLE]]
    head = f"{quoted(told.database)} {quoted(told.table.label)}: {', '.join(map(quoted, names))}"
    rows = [f"  {', '.join(map(quoted, row[:COLUMNS_OF_SAMPLE]))}" for row in told.table.sample]
    return "\n".join((head, *rows))
