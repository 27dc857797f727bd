"""References between tables that are written otherwise than what they refer to: `dt04` is the lift `DT04`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tablewright.data.facts.relations import MOST_TABLES, compared_columns, refers
from tablewright.domain.cleaning import clean_value, folded
from tablewright.domain.dataset import ColumnFacts, DatasetFacts
from tablewright.domain.table_facts import Irregularity

Counts = Mapping[tuple[str, str], Mapping[str, int]]
"""All distinct texts of columns and in how many cells they stand, by the id of the table and the name of the column."""


def with_references(tables: Sequence[DatasetFacts], counts: Counts) -> tuple[DatasetFacts, ...]:
    """Return the tables; of columns that refer to another table, texts that differ from what they refer to only in
    blanks, case or width are told as spellings of it."""
    compared = tables[:MOST_TABLES]
    known = [
        (table, column, _meant(column, counts[table.id, column.name])) for table, column in _columns(compared, counts)
    ]
    keys = [(table, column, set(meant)) for table, column, meant in known if _once(table, column, meant)]
    found: dict[tuple[str, str], tuple[Irregularity, ...]] = {}
    for table, column, meant in known:
        for one, key, names in keys:
            if one.id != table.id and (spelled := tuple(_spelled(column, meant, key, names))):
                found.setdefault((table.id, column.name), spelled)
    return tuple(_told(table, found) for table in tables)


def _columns(tables: Sequence[DatasetFacts], counts: Counts) -> Iterator[tuple[DatasetFacts, ColumnFacts]]:
    for table in tables:
        for column in compared_columns(table):
            if (table.id, column.name) in counts:
                yield table, column


def _meant(column: ColumnFacts, written: Mapping[str, int]) -> Counter[str]:
    """Return the texts of a column as they are once it is cleaned."""
    meant: Counter[str] = Counter()
    for text, cells in written.items():
        meant[clean_value(text, column)] += cells
    return meant


def _once(table: DatasetFacts, column: ColumnFacts, meant: Counter[str]) -> bool:
    """Return whether each value of a column stands in one row, however it is written."""
    return meant.total() == len(meant) == len(set(map(folded, meant))) == table.rows - column.missing


def _spelled(column: ColumnFacts, meant: Counter[str], key: ColumnFacts, names: set[str]) -> Iterator[Irregularity]:
    """Yield the values of a reference that are written otherwise than those of the key, if it is one."""
    by_fold = {folded(name): name for name in names}
    if not refers(column.name, frozenset(map(folded, meant)), key.name, frozenset(by_fold)):
        return
    for text, cells in meant.items():
        name = by_fold.get(folded(text))
        if name is not None and name != text:
            yield Irregularity(kind="spelling", cells=cells, examples=(text,), meant=name, merged=int(name in meant))


def _told(table: DatasetFacts, found: Mapping[tuple[str, str], tuple[Irregularity, ...]]) -> DatasetFacts:
    columns = tuple(
        replace(column, irregular=(*column.irregular, *found[table.id, column.name]))
        if (table.id, column.name) in found
        else column
        for column in table.columns
    )
    return table if columns == table.columns else replace(table, columns=columns)
