"""Comparisons of groups, periods or columns by their totals: `Was revenue higher in the North or in the South?`,
`2024年比2023年多花了多少钱`, `total revenue minus total cost`."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from tablewright.analyst.linking.mentions import ColumnMention, WordMention
from tablewright.analyst.plan import (
    Aggregate,
    Bucket,
    Col,
    Combine,
    Expr,
    Filter,
    Measure,
    Named,
    Part,
    Relation,
)
from tablewright.analyst.reading.additivity import aggregate_for
from tablewright.analyst.reading.entities import targets
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.families.projection import show
from tablewright.analyst.reading.grain import repeats
from tablewright.analyst.reading.measures import measures_of, read_measures
from tablewright.analyst.reading.parse import Clause, Parse, joined
from tablewright.analyst.reading.rankings import Ranking, ranked

_LESS = frozenset("少低减降") | {"less", "lower", "fewer", "smaller"}
_CHANGE = re.compile(
    r"比.*?(?P<zh>多|高|增长|增加|上升|上涨|少|低|减少|下降|下滑).{0,4}(?:多少|几)"
    r"|how (?:much|many) (?P<en>more|higher|larger|less|lower|fewer|smaller)\b"
)
_COUNTED = re.compile(
    r"^(?:are|were) there (?:more|fewer|less)\b|^how many (?:more|fewer|less)\b|^which \w+ (?:has|had"
    r"|have) (?:more|fewer)\b"
)
"""Beginnings of questions that compare numbers of rows if no measure is named."""
_FROM_TO = re.compile(r"\bfrom\b.*\bto\b|从.*到")
_PERCENT = re.compile(r"百分|%|增长率|增幅|\bpercent")
_Op = Literal["difference", "absolute_difference", "percent_change"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """The conditions that are compared, and the key that separates their rows."""

    clauses: tuple[Clause, ...]
    key: Named


def contrasts(parse: Parse) -> Offer | None:
    """Offer which of several groups or periods has more, or by how much."""
    sides = _sides(parse)
    if sides is None:
        return _columns(parse)
    measure = _measure(parse)
    if measure is None:
        return None
    change = _CHANGE.search(parse.question.lower())
    over_time = sides.clauses[0].unit is not None and _FROM_TO.search(parse.question.lower()) is not None
    part: Part | None = None
    if parse.has("difference") or parse.has("minus") or change is not None or parse.has("growth") or over_time:
        part = _difference(parse, sides, measure, change, over_time=over_time)
    elif words := _winning(parse):
        part = _winner(parse, sides, measure, words[0])
    if part is None:
        return None
    targets(parse)
    parse.take(*parse.words("difference", "minus", "comparative", "superlative", "growth", "and", "or", "wh", "count"))
    parse.take(*parse.words("compare", "share", "between"))
    return Offer(part=part, parse=parse, family="contrasts", fit=1.07)


def _sides(parse: Parse) -> Sides | None:
    """Return the conditions on one column that name several groups of rows, or several periods of one kind."""
    found: dict[tuple[str, str], list[Clause]] = {}
    for clause in parse.clauses:
        if not clause.negated and (clause.unit is not None or (clause.values and repeats(parse, clause.column))):
            found.setdefault((clause.column, clause.unit or ""), []).append(clause)
    several = [clauses for clauses in found.values() if len(clauses) > 1]
    if not several:
        return None
    first = several[0][0]
    of: Expr = Col(name=first.column)
    if first.unit is not None and parse.dated(first.column):
        of = Bucket(of=of, unit=first.unit)
    name = first.unit if isinstance(of, Bucket) and first.unit is not None else first.column
    return Sides(clauses=tuple(several[0]), key=Named(name=name, of=of))


def _measure(parse: Parse) -> Measure | None:
    """Return the aggregate to compare: the one named, else the one that suits the column, else the number of rows."""
    told = measures_of(read_measures(parse))
    if told:
        return told[0] if len(told) == 1 else None
    for mention in list(parse.free(ColumnMention)):
        name = parse.numeric_reading(mention)
        function = aggregate_for(parse.facts(name)) if name is not None else None
        if function is not None:
            parse.take(mention)
            _take_again(parse, name)
            return Measure(name=f"{function}_{name}", function=function, of=Col(name=name or ""))
    said = _COUNTED.match(parse.question.lower().strip()) is not None
    return Measure(name="count", function="count") if said and not parse.words("aggregate") else None


def _take_again(parse: Parse, column: str | None) -> None:
    parse.take(*[other for other in parse.free(ColumnMention) if parse.numeric_reading(other) == column])


def _rows(parse: Parse, sides: Sides, *chosen: Clause) -> Relation:
    others = [clause for clause in parse.clauses if clause not in sides.clauses]
    where = joined([*others, *chosen], [])
    return parse.base() if where is None else Filter(source=parse.base(), where=where)


def _difference(
    parse: Parse, sides: Sides, measure: Measure, change: re.Match[str] | None, *, over_time: bool
) -> Part | None:
    if len(sides.clauses) != 2:
        return None
    left, right = reversed(sides.clauses) if over_time else sides.clauses
    op: _Op = "difference" if parse.has("minus") or change is not None else "absolute_difference"
    if op == "absolute_difference" and left.unit is not None:
        op = "difference"
    if _PERCENT.search(parse.question.lower()) or (parse.has("growth") and change is None):
        op = "percent_change"
        left, right = (right, left) if change is not None or over_time else (left, right)
    elif change is not None and _said(change) & _LESS:
        left, right = right, left
    pair = [Aggregate(source=_rows(parse, sides, side), groups=(), measures=(measure,)) for side in (left, right)]
    relation = Combine(
        op=op, left=pair[0], right=pair[1], name="percent_change" if op == "percent_change" else "difference"
    )
    return Part(relation=relation, shown=_grouped(parse, sides, measure))


def _said(change: re.Match[str]) -> set[str]:
    word = change.group("zh") or change.group("en")
    return {word, *word} if change.group("zh") else {word}


def _grouped(parse: Parse, sides: Sides, measure: Measure) -> Aggregate:
    return Aggregate(source=_rows(parse, sides, *sides.clauses), groups=(sides.key,), measures=(measure,))


def _winning(parse: Parse) -> list[WordMention]:
    return [
        *parse.words("comparative", "superlative"),
        *[word for word in parse.words("compare") if word.value in {"<", ">"}],
    ]


def _winner(parse: Parse, sides: Sides, measure: Measure, word: WordMention) -> Part:
    grouped = _grouped(parse, sides, measure)
    top = ranked(grouped, Ranking(column=measure.name, descending=word.value in {"max", ">"}), measure.name)
    part = show(top, [sides.key.name], [], measures=[measure.name])
    return replace(part, shown=grouped)


def _columns(parse: Parse) -> Offer | None:
    """Offer the difference of two columns over the same rows: `total revenue minus total cost`."""
    words = parse.words("minus")
    if not words:
        return None
    columns: list[str] = []
    for mention in list(parse.free(ColumnMention)):
        name = parse.numeric_reading(mention)
        if name is not None and aggregate_for(parse.facts(name)) == "sum":
            columns.append(name)
            parse.take(mention)
    if len(columns) != 2:
        return None
    totals = [Measure(name=f"sum_{column}", function="sum", of=Col(name=column)) for column in columns]
    pair = [Aggregate(source=parse.source(), groups=(), measures=(total,)) for total in totals]
    parse.take(*words, *parse.words("aggregate", "wh", "and"))
    relation = Combine(op="difference", left=pair[0], right=pair[1], name="difference")
    shown = Aggregate(source=parse.source(), groups=(), measures=tuple(totals))
    return Offer(part=Part(relation=relation, shown=shown), parse=parse, family="contrasts", fit=1.07)
