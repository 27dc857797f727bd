"""Facts about a table in the form that a model reads: name, how to load it, columns, statistics, a sample.

Names and values come from users' files, so they are written as JSON strings. Each part states its origin, so that a
policy on what may reach a model can omit statistics or samples without affecting the rest.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from itertools import groupby

from tablewright.domain.dataset import ColumnFacts, DatabaseTable, DatasetFacts, ReadOptions
from tablewright.domain.language import Language
from tablewright.domain.loading import load_lines
from tablewright.domain.message import TextPart
from tablewright.domain.row_noun import row_noun
from tablewright.domain.table import Cell
from tablewright.domain.table_facts import Irregularity, RepeatedRows
from tablewright.models.prompt_files import phrase

COLUMNS_LISTED = 200
COLUMNS_WITH_STATISTICS = 60
SAMPLE_ROWS = 5
CELL_CHARS = 80
IRREGULAR_LISTED = 8
"""How many ways to write the values of a column are told."""
CODE_CHARS = 6_000
"""Longer loading code is not shown; it names every column of a very wide table."""


def dataset_parts(dataset: DatasetFacts, number: int, language: Language) -> tuple[TextPart, ...]:
    """Return the facts about one table as schema, statistics and sample, in this order. Empty parts are left out."""
    parts = (
        TextPart(text=_schema(dataset, number, language), origin="schema"),
        TextPart(text=_statistics(dataset, language), origin="statistics"),
        TextPart(text=_sample(dataset, language), origin="sample"),
    )
    return tuple(part for part in parts if part.text)


def quoted(value: Cell) -> str:
    """Return `value` as JSON on one line; long text is cut."""
    if isinstance(value, str) and len(value) > CELL_CHARS:
        value = f"{value[:CELL_CHARS]}…"
    return json.dumps(value, ensure_ascii=False)


def quoted_whole(text: str) -> str:
    """Return `text` as JSON on one line."""
    return json.dumps(" ".join(text.split()), ensure_ascii=False)


def _schema(dataset: DatasetFacts, number: int, language: Language) -> str:
    read = dataset.read
    lines = [
        phrase("table_heading", language, number=number, name=quoted(dataset.name)),
        phrase(
            "file",
            language,
            file_name=quoted(dataset.file_name),
            path=json.dumps(dataset.path, ensure_ascii=False),
            kind=read.kind,
        ),
    ]
    if dataset.table is not None:
        lines.append(_database(dataset.table, language))
    if read.sheet is not None:
        lines.append(phrase("sheet", language, sheet=quoted(read.sheet)))
    if read.encoding is not None:
        lines.append(phrase("encoding", language, encoding=read.encoding))
    if read.header_rows:
        lines.append(phrase("header_at", language, rows=", ".join(map(str, read.header_rows))))
    else:
        lines.append(phrase("header_none", language))
    lines.extend(_particulars(read, language))
    code = "\n".join(load_lines(dataset))
    if len(code) <= CODE_CHARS:
        lines.append(f"{phrase('read_with', language)}\n```python\n{code}\n```")
    lines.append(phrase("rows", language, rows=dataset.rows, columns=len(dataset.columns)))
    if noun := row_noun(dataset):
        lines.append(phrase("row_noun", language, noun=quoted(noun)))
    lines.append(phrase("columns", language))
    lines.extend(_column(column, language) for column in dataset.columns[:COLUMNS_LISTED])
    if len(dataset.columns) > COLUMNS_LISTED:
        lines.append(phrase("more_columns", language, count=len(dataset.columns) - COLUMNS_LISTED))
    return "\n".join(lines) + "\n"


def _database(table: DatabaseTable, language: Language) -> str:
    """Describe the table of which the file has the first rows."""
    return phrase(
        "of_database",
        language,
        connection=quoted(table.connection),
        dialect=table.dialect,
        label=quoted(table.label),
        held=table.held,
        rest=phrase("of_database_all", language) if table.complete else "",
    )


def _particulars(read: ReadOptions, language: Language) -> Iterator[str]:
    """Describe the position of the region in its file."""
    if read.first_column or read.last_column is not None or read.last_row is not None:
        end = phrase("to_the_end", language)
        last = end if read.last_column is None else read.last_column
        last_row = end if read.last_row is None else read.last_row
        yield phrase("region", language, first=read.first_column, last=last, last_row=last_row)
    if read.totals_row is not None:
        yield phrase("totals_row", language, row=read.totals_row)
    if read.inner_totals:
        yield phrase("inner_totals", language, rows=", ".join(map(str, read.inner_totals)))
    if read.headings:
        yield phrase("headings", language, rows=", ".join(map(str, read.headings)))


def _column(column: ColumnFacts, language: Language) -> str:
    about: list[str] = [column.kind]
    if column.notation != "plain":
        about.append(phrase(f"notation_{column.notation}", language))
    if column.unit is not None:
        about.append(phrase("unit", language, unit=quoted(column.unit)))
    if column.date_format is not None:
        about.append(phrase("date_format", language, format=quoted(column.date_format)))
    return f"  - {quoted(column.name)}: {', '.join(about)}"


def _irregular(column: ColumnFacts, language: Language) -> Iterator[str]:
    """Describe the cells of a column that are written unlike the rest, those of each kind together."""
    for kind, group in groupby(column.irregular, key=lambda one: one.kind):
        found = list(group)
        listed = found[:IRREGULAR_LISTED]
        told = "; ".join(_written(one) for one in listed) + ("; …" if len(found) > len(listed) else "")
        cells = sum(one.cells for one in found)
        yield phrase(f"irregular_{kind}", language, column=quoted(column.name), cells=cells, written=told)


def _written(irregularity: Irregularity) -> str:
    ways = ", ".join(quoted(example) for example in irregularity.examples)
    return ways if irregularity.meant is None else f"{quoted(irregularity.meant)} = {ways}"


def _statistics(dataset: DatasetFacts, language: Language) -> str:
    told = dataset.columns[:COLUMNS_WITH_STATISTICS]
    lines = [line for column in told if (line := _figures(column, language))]
    irregular = [f"  - {line}" for column in told for line in _irregular(column, language)]
    lines += [phrase("irregular", language), *irregular] if irregular else []
    lines += _repeated(dataset.repeated, language)
    if not lines:
        return ""
    heading = phrase("statistics" if dataset.exact else "statistics_partial", language)
    return "\n".join((heading, *lines)) + "\n"


def _repeated(repeated: RepeatedRows | None, language: Language) -> Iterator[str]:
    """Describe rows that repeat others."""
    if repeated is None:
        return
    if repeated.besides is None:
        yield phrase("repeated_rows", language, rows=repeated.rows)
    else:
        yield phrase("repeated_but_for", language, rows=repeated.rows, column=quoted(repeated.besides))


def _figures(column: ColumnFacts, language: Language) -> str:
    figures: list[tuple[str, Cell]] = [
        ("missing", column.missing or None),
        ("distinct", column.distinct),
        ("minimum", column.minimum),
        ("maximum", column.maximum),
        ("mean", None if column.mean is None else float(f"{column.mean:.6g}")),
    ]
    said = [phrase(code, language, value=quoted(value)) for code, value in figures if value is not None]
    return f"  - {quoted(column.name)}: {', '.join(said)}" if said else ""


def _sample(dataset: DatasetFacts, language: Language) -> str:
    rows = dataset.sample.rows[:SAMPLE_ROWS]
    blocks: list[str] = []
    if dataset.notes:
        blocks.append(phrase("beside_table", language, notes=", ".join(map(quoted_whole, dataset.notes))))
    if rows:
        written = io.StringIO()
        writer = csv.writer(written, lineterminator="\n")
        writer.writerows(map(_shown, row[:COLUMNS_LISTED]) for row in (dataset.sample.columns, *rows))
        blocks.append(f"{phrase('sample', language, count=len(rows))}\n{written.getvalue()}".rstrip("\n"))
    values = [
        f"{quoted(column.name)}: {', '.join(quoted(value) for value in column.samples)}"
        for column in dataset.columns[:COLUMNS_WITH_STATISTICS]
        if column.samples
    ]
    if values:
        blocks.append("\n".join((phrase("values", language), *values)))
    return "\n".join(blocks)


def _shown(value: Cell) -> Cell:
    return f"{value[:CELL_CHARS]}…" if isinstance(value, str) and len(value) > CELL_CHARS else value
