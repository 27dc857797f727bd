"""The form of a table that code was written for: what the code takes for granted."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tablewright.domain.dataset import ColumnFacts, DatasetFacts, ReadOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnForm:
    """A column as code reads it: its name, what it holds, and how that is written."""

    name: str
    kind: str
    notation: str = "plain"
    date_format: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableForm:
    """A table of the file that code calls `file`: how it is read, and its columns. Its number of rows is no part."""

    file: str
    read: ReadOptions
    columns: tuple[ColumnForm, ...]


def form_of(facts: DatasetFacts, file: str) -> TableForm:
    """Return the form of a table of the file that code calls `file`."""
    return TableForm(file=file, read=replace(facts.read, damaged=False), columns=tuple(map(_column, facts.columns)))


def bound_to_rows(facts: DatasetFacts) -> bool:
    """Return whether code that reads a table counts its rows, and is wrong where there are more or fewer."""
    read = facts.read
    return read.last_row is not None or bool(read.left_out or read.fill_ranges)


def _column(facts: ColumnFacts) -> ColumnForm:
    kind = "number" if facts.kind == "integer" else facts.kind
    return ColumnForm(name=facts.name, kind=kind, notation=facts.notation, date_format=facts.date_format)
