"""Which tables of a database a question names, and the statement that reads one of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from tablewright.data.sql.base import DatabaseSchema, Dialect, TableSchema

MOST_TABLES = 4
"""The most tables that one question is given for what it says."""
MOST_BETWEEN = 2
"""So many more at most that only connect those."""
SAMPLES: Mapping[Dialect, str] = {
    "postgres": " TABLESAMPLE SYSTEM ({})",
    "duckdb": " TABLESAMPLE SYSTEM ({} PERCENT)",
}
"""How dialects look at a part of a table, taken from all over it without reading the rest."""
NAME_WEIGHT = 3
SHORTEST = 3
"""Shorter words of names (`id`, `no`) say nothing about what a table is for, unless they are Chinese."""
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_a-zA-Z]+")


def tables_for(question: str, schema: DatabaseSchema) -> tuple[TableSchema, ...]:
    """Return the tables whose names, columns or sampled texts stand in the question, the best first.

    Every word of the question that names something has one of them, whatever else is named more. Where none does, it
    is the first ones; in any case at most `MOST_TABLES`. Those that connect them by their foreign keys come after, at
    most `MOST_BETWEEN`.
    """
    scores = {table.label: relevance(table, question) for table in schema.tables}
    best = max(scores.values(), default=0)
    ranked = sorted(schema.tables, key=lambda table: -scores[table.label])
    needed, told = set[str](), set[str]()
    for table in ranked:
        words = _told(table, question)
        if words - told:
            needed.add(table.label)
            told |= words
    found = [table for table in ranked if table.label in needed or scores[table.label] * 3 >= best]
    kept = sorted(found, key=lambda table: table.label not in needed)[:MOST_TABLES]
    chosen = [table for table in found if table in kept]
    return (*chosen, *(_between(chosen, schema) if best else ()))


def _between(chosen: Sequence[TableSchema], schema: DatabaseSchema) -> Sequence[TableSchema]:
    """Return the tables on the shortest ways over foreign keys from a table of `chosen` to another that no way of
    chosen ones leads to."""
    beside = _neighbours(schema)
    labels = [table.label for table in chosen]
    added: list[str] = []
    for place, label in enumerate(labels):
        for other in labels[place + 1 :]:
            known = {*labels, *added}
            if _way(label, other, {one: beside[one] & known for one in known}) is None:
                way = _way(label, other, beside) or ()
                new = [one for one in way if one not in known]
                added += new if len(added) + len(new) <= MOST_BETWEEN else []
    return [table for table in schema.tables if table.label in added]


def _neighbours(schema: DatabaseSchema) -> Mapping[str, set[str]]:
    """Return the tables that each table refers to or is referred to by, by their labels."""
    beside: dict[str, set[str]] = {table.label: set() for table in schema.tables}
    for table in schema.tables:
        for key in table.foreign_keys:
            referred = [
                one.label
                for one in schema.tables
                if key.table == one.label or (key.table == one.name and one.schema == table.schema)
            ]
            for label in referred[:1]:
                beside[table.label].add(label)
                beside[label].add(table.label)
    return beside


def _way(start: str, end: str, beside: Mapping[str, set[str]]) -> tuple[str, ...] | None:
    """Return the tables of a shortest way from one to another, both included; None if there is none."""
    ways: dict[str, tuple[str, ...]] = {start: (start,)}
    reached = [start]
    for label in reached:
        if label == end:
            return ways[label]
        for other in sorted(beside[label] - ways.keys()):
            ways[other] = (*ways[label], other)
            reached.append(other)
    return None


def reading(table: TableSchema, dialect: Dialect, *, limit: int | None = None) -> str:
    """Return the statement that reads all columns of a table, at most `limit` rows."""
    columns = ", ".join(_quoted(column.name, dialect) for column in table.columns)
    most = "" if limit is None else f" LIMIT {limit}"
    return f"SELECT {columns} FROM {_place(table, dialect)}{most}"  # noqa: S608  # every name is quoted


def extent(table: TableSchema, dialect: Dialect, measured: Sequence[str]) -> str:
    """Return the statement that counts the rows and the filled cells of each column, then tells the least and the
    greatest value of the columns `measured`."""
    counts = [f"COUNT({_quoted(column.name, dialect)})" for column in table.columns]
    ends = [f"{function}({_quoted(name, dialect)})" for name in measured for function in ("MIN", "MAX")]
    told = ", ".join(f"{one} AS c{place}" for place, one in enumerate(["COUNT(*)", *counts, *ends]))
    return f"SELECT {told} FROM {_place(table, dialect)}"  # noqa: S608  # every name is quoted


def frequencies(table: TableSchema, dialect: Dialect, name: str, *, limit: int, percent: float | None = None) -> str:
    """Return the statement that counts the values of a column, the most frequent first, at most `limit`.

    With `percent` it looks at about so much of the table, in the dialects of `SAMPLES`.
    """
    column = _quoted(name, dialect)
    place = _place(table, dialect) + ("" if percent is None else SAMPLES[dialect].format(f"{percent:.4f}"))
    rows = f"SELECT {column} AS v, COUNT(*) AS n FROM {place} WHERE {column} IS NOT NULL"  # noqa: S608
    return f"{rows} GROUP BY {column} ORDER BY n DESC LIMIT {limit}"


def _place(table: TableSchema, dialect: Dialect) -> str:
    return ".".join(_quoted(name, dialect) for name in (table.schema, table.name) if name is not None)


def _quoted(name: str, dialect: Dialect) -> str:
    mark = "`" if dialect == "mysql" else '"'
    return f"{mark}{name.replace(mark, mark * 2)}{mark}"


def relevance(table: TableSchema, question: str) -> int:
    """Return how much of a table's name, columns and sampled texts stands in a question; 0: nothing."""
    named = sum(_stands_in(word, question.lower()) for word in _words(table.name))
    return NAME_WEIGHT * named + len(_in_columns(table, question))


def _told(table: TableSchema, question: str) -> set[str]:
    """Return the words of a table's name, columns and sampled texts that stand in a question, in the singular."""
    named = {word for word in _words(table.name) if _stands_in(word, question.lower())}
    return {_singular(word) for word in named | _in_columns(table, question)}


def _in_columns(table: TableSchema, question: str) -> set[str]:
    """Return what of a table's columns and sampled texts stands in a question."""
    question = question.lower()
    words = {word for column in table.columns for word in _words(column.name) if _stands_in(word, question)}
    cells = (cell.lower() for row in table.sample for cell in row if isinstance(cell, str) and len(cell) >= SHORTEST)
    short = (column.name.lower() for column in table.columns)
    return {
        *words,
        *(cell for cell in cells if cell in question),
        *(name for name in short if _is_word_of(name, question)),
    }


def _words(name: str) -> Sequence[str]:
    found = [word.lower() for word in _WORDS.findall(name)]
    return [word for word in found if len(word) >= SHORTEST or not word.isascii()]


def _is_word_of(name: str, question: str) -> bool:
    """Whether the whole name of a column is too short for a word that says something, and a word of the question."""
    short = 1 < len(name) < SHORTEST and name.isascii()
    return short and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", question) is not None


def _stands_in(word: str, question: str) -> bool:
    """Whether a word, or its singular, begins a word of the question."""
    if not word.isascii():
        return word in question
    return re.search(rf"(?<![a-z]){re.escape(_singular(word))}", question) is not None


def _singular(word: str) -> str:
    return word.removesuffix("s") if word.isascii() and len(word) > SHORTEST + 1 else word
