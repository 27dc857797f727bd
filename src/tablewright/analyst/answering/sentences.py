"""One part's answer as a sentence, chosen by the shape of its result."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.analyst.answering.figures import Figures
from tablewright.analyst.plan import (
    Aggregate,
    Combine,
    Derive,
    Drawing,
    Filter,
    Join,
    Measure,
    Missing,
    Part,
    Position,
    Project,
    Relation,
    Share,
    Shift,
    Sort,
    Top,
)
from tablewright.analyst.words import Words, shortened
from tablewright.domain.table import Cell, Table

LONGEST = 160
"""Longest condition in words, in characters."""
LISTED = 10
"""The number of values that a sentence lists at most; more are counted instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """A part of the plan with the results of its execution."""

    part: Part
    result: Table | None
    shown: Table | None
    words: Words
    figures: Figures
    noun: str | None = None
    """What the rows of the part's only table are called."""

    @property
    def table(self) -> Table | None:
        """The result, or else the table shown."""
        return self.result if self.result is not None else self.shown

    def say(self, code: str, **params: object) -> str:
        """Return the catalogue message `code`, filled with `params`."""
        return self.words.say(code, **params)

    def cell(self, value: Cell, column: str) -> str:
        """Return a cell formatted for a sentence."""
        return shortened(self.figures.cell(value, column, self.part.decimals), 200)


def sentence(spoken: Spoken) -> str:
    """Return the answer to a part."""
    table = spoken.table
    if table is None or table.total_rows == 0:
        return _nothing(spoken)
    said = _shaped(spoken, table)
    where = conditions(spoken.part.relation, spoken.words)
    return said if not where or where in said else spoken.say("answer.where", where=where, said=said)


def _shaped(spoken: Spoken, table: Table) -> str:
    if spoken.part.drawing is not None:
        return _drawn(spoken, spoken.part.drawing, table)
    if len(table.rows) == 1:
        return _one_row(spoken, table)
    if len(table.columns) == 1:
        return _one_column(spoken, table)
    return _many(spoken, table)


def _nothing(spoken: Spoken) -> str:
    where = conditions(spoken.part.relation, spoken.words)
    return spoken.say("answer.nothing_where", where=where) if where else spoken.say("answer.nothing")


def conditions(relation: Relation, words: Words) -> str:
    """Return the filters of a relation in words; empty if it has none."""
    found: list[str] = []
    below: Relation | None = relation
    while below is not None:
        if isinstance(below, Filter):
            found.append(words.say("words.unmatched") if _unmatched(below) else words.condition(below.where))
        below = _below(below)
    return shortened(words.joined(reversed(found), "words.both"), LONGEST)


def _unmatched(below: Filter) -> bool:
    """Return whether a filter keeps the rows of one table that have no partner in the other."""
    joined = isinstance(below.source, Join) and below.source.how == "left"
    return joined and isinstance(below.where, Missing)


def _below(relation: Relation) -> Relation | None:
    source: Relation | None = getattr(relation, "source", None)
    return source


def top_of(relation: Relation) -> Top | None:
    """Return the ranking that selects a relation's rows, or None."""
    below: Relation | None = relation
    while isinstance(below, Project | Position | Sort):
        below = below.source
    return below if isinstance(below, Top) and not below.within else None


def _one_row(spoken: Spoken, table: Table) -> str:
    relation = spoken.part.relation
    row = table.rows[0]
    if len(row) == 1:
        if top_of(relation):
            return _ranked(spoken, table)
        return _one_cell(spoken, row[0], table.columns[0])
    if top_of(relation) and len(row) == 2:
        return _ranked(spoken, table)
    pairs = [
        spoken.say("answer.pair", name=name, value=spoken.cell(value, name))
        for name, value in zip(table.columns, row, strict=True)
    ]
    shown = pairs[:12] + (["…"] if len(pairs) > 12 else [])
    return spoken.say("answer.list", items=spoken.say("answer.separator").join(shown))


def _one_cell(spoken: Spoken, value: Cell, column: str) -> str:
    relation = spoken.part.relation
    where = conditions(relation, spoken.words)
    measure = _measure(relation)
    if value is None:
        return spoken.say("answer.no_value_where", where=where) if where else spoken.say("answer.no_value")
    if measure is not None and measure.of is None and measure.where is None:
        return _counted(spoken, value, where)
    name = _said_measure(spoken, measure, relation) if measure is not None else _label(spoken, column)
    shown = spoken.cell(
        value, measure.name if measure is not None else relation.name if isinstance(relation, Combine) else column
    )
    if where and not isinstance(relation, Combine):
        return spoken.say("answer.value_where", name=name, value=shown, where=where)
    return spoken.say("answer.value", name=name, value=shown)


def _said_measure(spoken: Spoken, measure: Measure, relation: Relation) -> str:
    """Return an aggregate in words, with the groups whose totals it combines: `average total cost per month`."""
    said = spoken.words.measure(measure)
    totals = relation.source if isinstance(relation, Aggregate) else None
    if not isinstance(totals, Aggregate) or not totals.groups or measure.of is None:
        return said
    return spoken.say("words.per", what=said, by=spoken.words.joined(group.name for group in totals.groups))


def _counted(spoken: Spoken, value: Cell, where: str) -> str:
    code = "answer.count_where" if where else "answer.count"
    rows = spoken.say("answer.row_noun", noun=spoken.noun) if spoken.noun else spoken.say("answer.rows_plain")
    return spoken.say(f"{code}_one" if value == 1 else code, count=spoken.figures.cell(value), where=where, rows=rows)


def _label(spoken: Spoken, column: str) -> str:
    """Return the name of a single value: the caption, or its column (a bare value has the column `result`)."""
    relation = spoken.part.relation
    if spoken.part.caption:
        return spoken.part.caption
    if isinstance(relation, Combine):
        return relation.name
    return spoken.say("answer.result") if column == "result" else column


def _measure(relation: Relation) -> Measure | None:
    """Return the aggregate that a one-cell relation consists of, or None."""
    below = relation
    while isinstance(below, Project) and len(below.columns) == 1:
        below = below.source
    if isinstance(below, Aggregate) and not below.groups and len(below.measures) == 1:
        return below.measures[0]
    return None


def _one_column(spoken: Spoken, table: Table) -> str:
    if top_of(spoken.part.relation):
        return _ranked(spoken, table)
    column = table.columns[0]
    values = [spoken.cell(row[0], column) for row in table.rows[:LISTED]]
    if table.total_rows > LISTED:
        listed = spoken.say("words.comma").join(values)
        return spoken.say("answer.values_more", name=column, values=listed, count=table.total_rows)
    beside = _beside(spoken, table)
    if beside is None:
        return spoken.say("answer.values", name=column, values=spoken.words.joined(values), count=table.total_rows)
    if _numbers(table, 0):
        pairs = [
            spoken.say("answer.pair", name=other, value=value) for other, value in zip(beside, values, strict=True)
        ]
        return spoken.say("answer.list", items=spoken.say("answer.separator").join(pairs))
    named = [f"{value}{spoken.say('answer.amount', value=other)}" for other, value in zip(beside, values, strict=True)]
    return spoken.say("answer.values", name=column, values=spoken.words.joined(named), count=table.total_rows)


def _beside(spoken: Spoken, table: Table) -> list[str] | None:
    """Return the cells of the shown column that identifies the result's rows: text beside numbers, or numbers beside
    text. None if there is none."""
    shown = spoken.shown
    if shown is None or shown is table or len(shown.rows) != len(table.rows):
        return None
    for place, column in enumerate(shown.columns):
        cells = [row[place] for row in shown.rows]
        if column != table.columns[0] and _numbers(shown, place) != _numbers(table, 0) and len(set(cells)) > 1:
            return [spoken.cell(cell, column) for cell in cells]
    return None


def _numbers(table: Table, place: int) -> bool:
    return all(isinstance(row[place], int | float) or row[place] is None for row in table.rows)


def _ranked(spoken: Spoken, table: Table) -> str:
    """Return the names of the first rows, with the values they are ranked by if these were shown."""
    top = top_of(spoken.part.relation)
    if top is None:
        return _many(spoken, table)
    names = [spoken.cell(row[0], table.columns[0]) for row in table.rows[:LISTED]]
    amounts = _amounts(spoken, top, table)
    if top.count == 1 and not top.offset:
        return _best(spoken, top, table, names, amounts)
    if amounts and len(amounts) >= len(names):
        names = [
            f"{name}{spoken.say('answer.amount', value=amount)}" for name, amount in zip(names, amounts, strict=False)
        ]
    code = "answer.rank" if top.offset else "answer.top" if top.descending else "answer.bottom"
    more = spoken.say("answer.more", count=table.total_rows) if table.total_rows > LISTED else ""
    return spoken.say(
        code, by=top.by, names=spoken.words.joined(names) + more, first=top.offset + 1, count=table.total_rows
    )


def _best(spoken: Spoken, top: Top, table: Table, names: list[str], amounts: list[str]) -> str:
    """Return the sentence for the single highest or lowest, or for all that tie."""
    side = "highest" if top.descending else "lowest"
    if table.columns == (top.by,):
        return spoken.say(
            "answer.value", name=spoken.say(f"words.{'max' if top.descending else 'min'}", of=top.by), value=names[0]
        )
    amount = spoken.say("answer.amount", value=amounts[0]) if amounts else ""
    tied = table.total_rows > 1
    code = f"answer.{side}_tied" if tied else f"answer.{side}"
    more = spoken.say("answer.more", count=table.total_rows) if table.total_rows > LISTED else ""
    return spoken.say(code, by=top.by, names=spoken.words.joined(names) + more, amount=amount, count=table.total_rows)


def _amounts(spoken: Spoken, top: Top, table: Table) -> list[str]:
    """Return the formatted values that rows are ranked by, from the result or the table shown; empty if neither has
    them."""
    for candidate in (table, spoken.shown):
        if candidate is not None and top.by in candidate.columns[1 if candidate is table else 0 :]:
            place = candidate.columns.index(top.by)
            return [spoken.cell(row[place], top.by) for row in candidate.rows]
    return []


def _many(spoken: Spoken, table: Table) -> str:
    if told := _of_each(spoken, table):
        return told
    name, value = table.columns[0], table.columns[-1]
    if len(table.columns) == 2 and table.total_rows <= 6 and (not _numbers(table, 0) or name in spoken.figures.labels):
        pairs = [
            spoken.say("answer.pair", name=spoken.cell(row[0], name), value=spoken.cell(row[1], value))
            for row in table.rows
        ]
        return spoken.say("answer.list", items=spoken.say("answer.separator").join(pairs))
    said = rows_with_columns(spoken, table)
    extremes = _extremes(spoken, table) if grouped(spoken.part.relation) else ""
    return said + (spoken.say("answer.gap") + extremes if extremes else "")


def _of_each(spoken: Spoken, table: Table) -> str:
    """Return the first things of each group, group by group; empty for other results, or if these are too many."""
    below: Relation = spoken.part.relation
    while isinstance(below, Project | Sort | Position):
        below = below.source
    within = below.within if isinstance(below, Top) else ()
    if within != table.columns[:1] or len(table.columns) != 2 or table.total_rows > 2 * LISTED:
        return ""
    groups: dict[str, list[str]] = {}
    for row in table.rows:
        groups.setdefault(spoken.cell(row[0], table.columns[0]), []).append(spoken.cell(row[1], table.columns[1]))
    pairs = [spoken.say("answer.pair", name=name, value=spoken.words.joined(first)) for name, first in groups.items()]
    return spoken.say("answer.list", items=spoken.say("answer.separator").join(pairs))


def rows_with_columns(spoken: Spoken, table: Table) -> str:
    """Return how many rows the table has, and which columns."""
    named = list(table.columns)
    if (left := len(named) - 5) > 1:
        named[5:] = [spoken.say("answer.more_columns", count=left)]
    return spoken.say("answer.rows", count=table.total_rows, columns=spoken.words.joined(named))


def grouped(relation: Relation) -> bool:
    """Return whether a relation has one row per group."""
    below: Relation | None = relation
    while isinstance(below, Project | Sort | Derive | Share | Shift | Filter | Top | Position):
        below = below.source
    return isinstance(below, Aggregate) and bool(below.groups)


def _extremes(spoken: Spoken, table: Table, x: int = 0, y: int = -1) -> str:
    """Return which row has the highest and which the lowest number; empty unless all rows are at hand."""
    rows = [row for row in table.rows if isinstance(row[y], int | float) and not isinstance(row[y], bool)]
    if len(rows) < 2 or table.total_rows > len(table.rows):
        return ""
    highest, lowest = max(rows, key=lambda row: float(row[y] or 0)), min(rows, key=lambda row: float(row[y] or 0))
    if highest[y] == lowest[y]:
        return ""
    value = table.columns[y]
    keys = [place for place, name in enumerate(table.columns) if x == 0 and name in _keys(spoken.part.relation)] or [x]
    names = [[spoken.cell(row[place], table.columns[place]) for place in keys] for row in (highest, lowest)]
    return spoken.say(
        "answer.extremes",
        name=value,
        highest=spoken.say("words.comma").join(names[0]),
        most=spoken.cell(highest[y], value),
        lowest=spoken.say("words.comma").join(names[1]),
        least=spoken.cell(lowest[y], value),
    )


def _keys(relation: Relation) -> set[str]:
    """Return the columns that name the groups of a relation with one row per group; empty for any other."""
    below: Relation | None = relation
    while below is not None and not isinstance(below, Aggregate):
        below = _below(below)
    return {group.name for group in below.groups} if isinstance(below, Aggregate) else set()


def _drawn(spoken: Spoken, drawing: Drawing, table: Table) -> str:
    said = spoken.say(
        "answer.chart", x=drawing.x, y=drawing.y, count=table.total_rows, kind=spoken.say(f"answer.kind.{drawing.kind}")
    )
    if drawing.x not in table.columns or drawing.y not in table.columns or drawing.series or "scatter" in drawing.kind:
        return said
    extremes = _extremes(spoken, table, table.columns.index(drawing.x), table.columns.index(drawing.y))
    return said + (spoken.say("answer.gap") + extremes if extremes else "")
