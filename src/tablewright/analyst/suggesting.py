"""Questions that a table can answer, made from its facts; the reader understands each of them."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.domain.dataset import ColumnFacts, DatasetFacts
from tablewright.domain.language import Language
from tablewright.texts.catalogue import text

_MOST = 3


def suggestions(language: Language, datasets: Sequence[DatasetFacts]) -> tuple[str, ...]:
    """Return up to three questions about the tables, of different kinds."""
    found: list[str] = []
    for facts in datasets[:1]:
        measure = next((column.name for column in facts.columns if _measures(column)), None)
        group = next((column.name for column in facts.columns if _groups(facts, column)), None)
        if measure and group:
            found.append(text("suggest.mean_by_group", language, measure=measure, group=group))
        if measure:
            found.append(text("suggest.highest", language, measure=measure))
        if group:
            found.append(text("suggest.count_by_group", language, group=group))
        found.extend((text("suggest.rows", language), text("suggest.missing", language)))
    return tuple(found[:_MOST])


def _measures(column: ColumnFacts) -> bool:
    plain = column.name.lower()
    coded = plain in {"id", "year", "rank", "no", "序号", "编号", "年份"} or plain.endswith(("_id", " id", "id"))
    return column.kind in {"number", "integer"} and not coded


def _groups(facts: DatasetFacts, column: ColumnFacts) -> bool:
    few = column.distinct is not None and 2 <= column.distinct <= max(2, facts.rows // 2)
    return column.kind in {"text", "boolean"} and few
