"""Example questions that a table can answer, made from its facts; the reader understands each of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tablewright.analyst.reading.additivity import aggregate_for
from tablewright.domain.dataset import ColumnFacts, DatasetFacts
from tablewright.domain.language import Language
from tablewright.texts.catalogue import text

_MOST = 3
_GROUPS = 30
"""A column with more groups than this makes a poor example."""


def suggestions(language: Language, datasets: Sequence[DatasetFacts], said: Collection[str] = ()) -> tuple[str, ...]:
    """Return up to three questions of different kinds about the first table, preferring columns in `said` where they
    fit."""
    found: list[str] = []
    for facts in datasets[:1]:
        measure = _chosen([column for column in facts.columns if _measures(column)], said)
        group = _chosen([column for column in facts.columns if _groups(facts, column)], said)
        if measure and group:
            kind = "sum" if aggregate_for(measure) == "sum" else "mean"
            found.append(text(f"suggest.{kind}_by_group", language, measure=measure.name, group=group.name))
            found.append(text("suggest.highest_group", language, measure=measure.name, group=group.name))
        if (
            measure
            and aggregate_for(measure) == "sum"
            and any(column.kind in {"date", "datetime"} for column in facts.columns)
        ):
            found.append(text("suggest.by_month", language, measure=measure.name))
        elif measure:
            found.append(text("suggest.highest", language, measure=measure.name))
        if group:
            found.append(text("suggest.count_by_group", language, group=group.name))
        found.extend((text("suggest.rows", language), text("suggest.missing", language)))
    return tuple(found[:_MOST])


def _chosen(columns: Sequence[ColumnFacts], said: Collection[str]) -> ColumnFacts | None:
    """Return the best example column: one in `said`, then an additive one, then the one with the largest mean; None
    if there are none."""
    ranked = sorted(
        columns,
        key=lambda column: (column.name not in said, aggregate_for(column) != "sum", -abs(column.mean or 0.0)),
    )
    return ranked[0] if ranked else None


def _measures(column: ColumnFacts) -> bool:
    plain = column.name.lower()
    coded = plain in {"id", "year", "rank", "no", "序号", "编号", "年份"} or plain.endswith(
        ("_id", " id", "id", "号", "编号")
    )
    return column.kind in {"number", "integer"} and not coded


def _groups(facts: DatasetFacts, column: ColumnFacts) -> bool:
    few = column.distinct is not None and 2 <= column.distinct <= max(2, min(_GROUPS, facts.rows // 2))
    return column.kind in {"text", "boolean"} and few
