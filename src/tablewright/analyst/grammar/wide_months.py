"""Tables with a column for each month, as rows: one for each cell, with the name of its month."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tablewright.analyst.grammar.months import besides_month, month_of
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.plan import Col, Concat, Derive, Lit, Named, Project, Relation, Source
from tablewright.domain.dataset import ColumnFacts, DatasetFacts

LEAST_MONTHS = 3
_GENERIC = frozenset(["sheet", "table", "data", "表", "数据"])
"""What tables are called that say nothing of what is in them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LongTable:
    """A table of months as rows: its facts, what makes it, and the column that holds the names of the months, which are
    `labels`. `repeated` are columns of numbers that stand in the row of each month again."""

    facts: DatasetFacts
    source: Relation
    month: str
    labels: tuple[str, ...]
    repeated: frozenset[str]


def long_table(facts: DatasetFacts) -> LongTable | None:
    """Return a table whose columns of numbers are called by months as rows; None for other tables."""
    wide = _columns_of_months(facts)
    if len(wide) < LEAST_MONTHS:
        return None
    kept = [column for column in facts.columns if column not in wide]
    han = any(is_han(character) for column in wide for character in column.name)
    taken = {column.name for column in kept}
    month = _free("月份" if han else "Month", taken)
    value = _free(_measured(facts, wide) or ("数值" if han else "Value"), {*taken, month})
    labels = tuple(column.name for column in wide)
    parts = tuple(_part(facts, kept, column.name, month, value) for column in wide)
    columns = (
        *kept,
        ColumnFacts(name=month, kind="text", distinct=len(labels), samples=labels),
        _values(value, wide, facts.rows),
    )
    return LongTable(
        facts=replace(facts, columns=columns, rows=facts.rows * len(wide)),
        source=Concat(sources=parts),
        month=month,
        labels=labels,
        repeated=frozenset(column.name for column in kept if column.kind in {"number", "integer"}),
    )


def _columns_of_months(facts: DatasetFacts) -> list[ColumnFacts]:
    """Return the columns of numbers that are called by a month and, all of them, by the same other words."""
    found: dict[frozenset[str], list[ColumnFacts]] = {}
    for column in facts.columns:
        said, others = month_of(column.name)
        if said is not None and column.kind in {"number", "integer", "mixed"}:
            found.setdefault(others, []).append(column)
    return max(found.values(), key=len, default=[])


def _measured(facts: DatasetFacts, wide: Sequence[ColumnFacts]) -> str:
    """Return what the months hold: the words of their names besides the month, or else the name of the table."""
    if others := besides_month(wide[0].name):
        return others
    name = facts.name.strip()
    plain = "".join(character for character in name.casefold() if not character.isdigit()).strip(" _-")
    return "" if plain in _GENERIC else name


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name = f"{name}_"
    return name


def _part(facts: DatasetFacts, kept: Sequence[ColumnFacts], label: str, month: str, value: str) -> Relation:
    named = Derive(source=Source(dataset_id=facts.id), columns=(Named(name=month, of=Lit(value=label)),))
    columns = [Named(name=column.name, of=Col(name=column.name)) for column in kept]
    columns += [Named(name=month, of=Col(name=month)), Named(name=value, of=Col(name=label))]
    return Project(source=named, columns=tuple(columns))


def _values(name: str, wide: Sequence[ColumnFacts], rows: int) -> ColumnFacts:
    kinds = {column.kind for column in wide}
    lows = [column.minimum for column in wide if isinstance(column.minimum, int | float)]
    highs = [column.maximum for column in wide if isinstance(column.maximum, int | float)]
    return ColumnFacts(
        name=name,
        kind="integer" if kinds == {"integer"} else "number",
        distinct=min(rows * len(wide), sum(column.distinct or 0 for column in wide)),
        missing=sum(column.missing for column in wide),
        minimum=min(lows, default=None),
        maximum=max(highs, default=None),
        unit=wide[0].unit,
    )
