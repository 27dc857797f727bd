"""What a report looks at as one table: a table by itself, or tables of one form, one below the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from tablewright.analyst.grammar.subjects import part_column
from tablewright.domain.cleaning import clean_facts, irregular_together
from tablewright.domain.dataset import CleanFacts, ColumnFacts, ColumnKind, DatasetFacts
from tablewright.domain.table import Cell
from tablewright.domain.table_facts import TableForm, TableRelation

_WIDER: dict[frozenset[ColumnKind], ColumnKind] = {
    frozenset({"number", "integer"}): "number",
    frozenset({"date", "datetime"}): "datetime",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """A table that a report looks at: its facts once its columns are cleaned, and the `tables` it is made of.

    Of several, `parts` are the names, and `part` is the column that says of which a row is.
    """

    facts: DatasetFacts
    tables: tuple[DatasetFacts, ...]
    parts: tuple[str, ...] = ()
    part: str | None = None

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(table.id for table in self.tables)

    def mostly(self, column: str, judged: Callable[[ColumnFacts, int], bool]) -> bool:
        """Return whether a column is judged so, by its facts and the number of rows, in the tables of most rows."""
        every = [(one, table.rows) for table in self.tables for one in table.columns if one.name == column]
        return 2 * sum(rows for one, rows in every if judged(one, rows)) > sum(rows for _, rows in every)


def materials(datasets: Sequence[DatasetFacts], relations: Sequence[TableRelation]) -> list[Material]:
    """Return what there is to look at in `datasets`: tables of one form are one, but for those without rows."""
    clean = {facts.id: clean_facts(facts) for facts in datasets}
    found: dict[str, Material] = {}
    for form in relations:
        if isinstance(form, TableForm) and clean.keys() >= set(form.tables):
            held = [(clean[table], part) for table, part in zip(form.tables, form.parts, strict=True)]
            held = [(facts, part) for facts, part in held if facts.rows]
            if len(held) > 1:
                whole = _whole([facts for facts, _ in held], tuple(part for _, part in held))
                found |= dict.fromkeys(whole.ids, whole)
    alone = (found.get(facts.id) or Material(facts=facts, tables=(facts,)) for facts in clean.values())
    return _named_apart(list({one.facts.id: one for one in alone}.values()))


def _named_apart(found: Sequence[Material]) -> list[Material]:
    """Return the materials, those made of several named after all of these where another has the same name."""
    names = [one.facts.name for one in found]
    return [
        replace(one, facts=replace(one.facts, name=_joined(one.parts)))
        if one.part and names.count(one.facts.name) > 1
        else one
        for one in found
    ]


def _joined(parts: Iterable[str]) -> str:
    return " + ".join(parts)


def _whole(tables: Sequence[DatasetFacts], parts: tuple[str, ...]) -> Material:
    first = tables[0]
    named = part_column(first, parts)
    one_file = len({table.path for table in tables}) == 1
    columns = (_together([_column(table, column.name) for table in tables], tables) for column in first.columns)
    facts = replace(
        first,
        id=_joined(table.id for table in tables),
        name=PurePath(first.file_name).stem if one_file else _joined(parts),
        rows=sum(table.rows for table in tables),
        columns=(*columns, named),
    )
    return Material(facts=facts, tables=tuple(tables), parts=parts, part=named.name)


def _column(table: DatasetFacts, name: str) -> ColumnFacts:
    return next(column for column in table.columns if column.name == name)


def _together(columns: Sequence[ColumnFacts], tables: Sequence[DatasetFacts]) -> ColumnFacts:
    """Return the facts about a column of tables that are put together."""
    held = [column for column in columns if column.kind != "empty"] or list(columns)
    every = [cell for column in held for cell in (column.minimum, column.maximum)]
    return replace(
        held[0],
        kind=_kind(held),
        missing=sum(column.missing for column in columns),
        distinct=_distinct(columns, tables),
        minimum=min(every, key=_order) if None not in every else None,
        maximum=max(every, key=_order) if None not in every else None,
        mean=None,
        samples=tuple(dict.fromkeys(cell for column in held for cell in column.samples)),
        irregular=irregular_together(held),
        clean=_clean([column.clean for column in held if column.clean is not None]),
    )


def _kind(columns: Sequence[ColumnFacts]) -> ColumnKind:
    """Return the kind of values of columns together: numbers in several units are none to compute with."""
    kinds = frozenset(column.kind for column in columns)
    units = {column.unit for column in columns}
    if any(column.notation == "currency" for column in columns):
        units.discard(None)
    if len(units) > 1:
        return "mixed"
    return columns[0].kind if len(kinds) == 1 else _WIDER.get(kinds, "mixed")


def _distinct(columns: Sequence[ColumnFacts], tables: Sequence[DatasetFacts]) -> int | None:
    """Return about how many distinct values there are: no table shares any with another where each row has one of its
    own and no sample of a table is one of another's."""
    counts = [column.distinct for column in columns if column.distinct is not None]
    samples = {cell for column in columns for cell in column.samples}
    single = all(column.distinct == table.rows for column, table in zip(columns, tables, strict=True))
    if single and len(samples) == sum(len(column.samples) for column in columns):
        return sum(counts)
    return max(*counts, len(samples)) if counts else None


def _order(cell: Cell) -> tuple[bool, float, str]:
    """Return what cells are ordered by: numbers as such, and dates as text."""
    return (False, cell, "") if isinstance(cell, int | float) else (True, 0, str(cell))


def _clean(every: Sequence[CleanFacts]) -> CleanFacts | None:
    if not every:
        return None
    return replace(
        every[0],
        marks=tuple(dict.fromkeys(mark for one in every for mark in one.marks)),
        date_formats=tuple(dict.fromkeys(form for one in every for form in one.date_formats)),
        limits=any(one.limits for one in every),
        powers=tuple(dict.fromkeys(power for one in every for power in one.powers)),
    )
