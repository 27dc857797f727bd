"""Questions that a table answers, made forwards from its facts: what adds up, what groups the rows, what dates them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from tablewright.analyst.grammar.columns import ColumnView, view
from tablewright.analyst.linking.additivity import adds_up_in, aggregate_for
from tablewright.analyst.linking.columns import column_names
from tablewright.domain.dataset import ColumnFacts, DatasetFacts
from tablewright.domain.language import Language
from tablewright.texts.catalogue import text

_MOST = 3
_GROUPS = 30
"""A column with more groups than this makes a poor example."""
_LONGEST_NAME = 32
"""A column whose name is longer than this is no name to be read aloud."""


def suggestions(language: Language, datasets: Sequence[DatasetFacts], said: Collection[str] = ()) -> tuple[str, ...]:
    """Return up to three questions of different kinds about the first table, preferring columns in `said` where they
    fit."""
    return tuple(question for facts in datasets[:1] for question in _plain(language, facts, said))[:_MOST]


def questions(language: Language, facts: DatasetFacts) -> tuple[str, ...]:
    """Return questions of different kinds about a table, each once, those that show most first."""
    *plain, rows, missing = _plain(language, facts, ())
    return tuple(dict.fromkeys((*_shown(language, facts), *plain, *_of_single_rows(language, facts), rows, missing)))


def _shown(language: Language, facts: DatasetFacts) -> Iterator[str]:
    """Yield questions whose answers are charts, rankings and shares."""
    views = _views(facts)
    measures, groups = _measures(facts, views, ()), _groups(facts, views, ())
    measure = next(iter(measures), None)
    if groups and measure is None:
        yield text("suggest.count_drawn", language, group=groups[0].name)
    if measure is None or not groups:
        return
    kind = "sum" if _adds(facts, views, measure) else "mean"
    yield text(f"suggest.{kind}_drawn", language, measure=measure.name, group=groups[0].name)
    if kind == "sum" and _dated(facts):
        yield text("suggest.by_month_drawn", language, measure=measure.name)
    level = next((column for column in measures if not _adds(facts, views, column)), measure)
    yield text("suggest.top_groups", language, measure=level.name, group=groups[-1].name)
    if kind == "sum":
        yield text("suggest.share", language, measure=measure.name, group=groups[0].name)
    yield text("suggest.count_by_group", language, group=groups[-1].name)
    yield text("suggest.highest", language, measure=measure.name)


def _of_single_rows(language: Language, facts: DatasetFacts) -> Iterator[str]:
    """Yield questions that small tables answer too, where every row is of a kind of its own."""
    views = _views(facts)
    measures = _measures(facts, views, ())[:2]
    names = [column for column in facts.columns if column.kind == "text" and column.distinct == facts.rows]
    named = next((column for column in names if len(column.name) <= _LONGEST_NAME), None)
    if named is not None:
        yield from (text("suggest.highest_named", language, measure=one.name, named=named.name) for one in measures)
    for measure in measures:
        if _adds(facts, views, measure):
            yield text("suggest.sum", language, measure=measure.name)
        yield text("suggest.mean", language, measure=measure.name)
        if named is not None:
            yield text("suggest.lowest_named", language, measure=measure.name, named=named.name)
        yield text("suggest.lowest", language, measure=measure.name)


def _plain(language: Language, facts: DatasetFacts, said: Collection[str]) -> Iterator[str]:
    views = _views(facts)
    measure = next(iter(_measures(facts, views, said)), None)
    group = next(iter(_groups(facts, views, said)), None)
    adds = measure is not None and _adds(facts, views, measure)
    if measure and group:
        kind = "sum" if adds else "mean"
        yield text(f"suggest.{kind}_by_group", language, measure=measure.name, group=group.name)
        yield text("suggest.highest_group", language, measure=measure.name, group=group.name)
    if measure and adds and _dated(facts):
        yield text("suggest.by_month", language, measure=measure.name)
    elif measure:
        yield text("suggest.highest", language, measure=measure.name)
    if group:
        yield text("suggest.count_by_group", language, group=group.name)
    yield text("suggest.rows", language)
    yield text("suggest.missing", language)


def _views(facts: DatasetFacts) -> dict[str, ColumnView]:
    names = column_names(facts.columns)
    return {name.column: view(facts, place, name, ()) for place, name in enumerate(names)}


def _measures(facts: DatasetFacts, views: dict[str, ColumnView], said: Collection[str]) -> list[ColumnFacts]:
    """Return the columns of numbers that measure something: those in `said` first, then what adds up, then the
    largest."""
    found = [column for column in facts.columns if _measures_something(column, views[column.name])]
    return sorted(found, key=lambda c: (c.name not in said, not _adds(facts, views, c), -abs(c.mean or 0.0)))


def _measures_something(column: ColumnFacts, seen: ColumnView) -> bool:
    plain = seen.role == "number" and not seen.identifies and not seen.year and column.distinct != 1
    return plain and len(column.name) <= _LONGEST_NAME


def _groups(facts: DatasetFacts, views: dict[str, ColumnView], said: Collection[str]) -> list[ColumnFacts]:
    """Return the columns that group rows, in their order, those in `said` first and those that number things last."""
    most = max(2, min(_GROUPS, facts.rows // 2))
    found = [
        column
        for column in facts.columns
        if column.kind in {"text", "boolean"} and 2 <= (column.distinct or 0) <= most
        and len(column.name) <= _LONGEST_NAME
    ]  # fmt: skip
    return sorted(found, key=lambda column: (column.name not in said, views[column.name].identifies))


def _adds(facts: DatasetFacts, views: dict[str, ColumnView], column: ColumnFacts) -> bool:
    """Return whether the total of a column over all rows means something."""
    return bool(views[column.name].adds) and (adds_up_in(column, facts) or aggregate_for(column) != "sum")


def _dated(facts: DatasetFacts) -> bool:
    return any(column.kind in {"date", "datetime"} for column in facts.columns)
