"""`Which is higher, A or B?` and `what is the difference between A and B?`."""

from __future__ import annotations

import re
from typing import Literal

from tablewright.analyst.linking.columns import hinted
from tablewright.analyst.linking.mentions import ColumnMention, WordMention
from tablewright.analyst.plan import Aggregate, AggregateName, Col, Combine, Filter, Measure, OneOf, Part, Relation
from tablewright.analyst.reading.entities import targets
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.families.projection import show
from tablewright.analyst.reading.parse import Clause, Parse, joined
from tablewright.analyst.reading.placing import ordered_by_number, reversed_by_place
from tablewright.analyst.reading.rankings import Ranking, rankable, ranked

_SIDE = re.compile(
    r"比.+?(多|高|大|少|低|小).{0,3}(?:多少|几)|\bhow much (more|higher|greater|larger|less|lower|smaller)\b.*\bthan\b"
)
"""A difference with a direction: negative if it is the other way round."""
_LESS = frozenset({"少", "低", "小", "less", "lower", "smaller"})


def comparing(parse: Parse) -> Offer | None:
    """Offer which of several named things has more of something."""
    alternatives = _alternatives(parse)
    words = [
        *parse.words("comparative"),
        *parse.words("superlative"),
        *[word for word in parse.words("compare") if word.value in {"<", ">"}],
    ]
    if alternatives is None or not words or parse.has("difference"):
        return None
    word = words[0]
    column = _measure(parse, word)
    if column is None:
        return None
    parse.take(*words)
    _take_same(parse, column)
    targets(parse)
    descending = (word.value in {"max", ">"}) != reversed_by_place(parse, word.start, word.end, column)
    source, by = ordered_by_number(parse, _all_of(parse, alternatives), column)
    ranking = Ranking(column=column, descending=descending)
    part = show(ranked(source, ranking, by), [alternatives.column], [], measures=[column])
    return Offer(part=part, parse=parse, family="comparing", fit=1.05)


def _alternatives(parse: Parse) -> Clause | None:
    """Return the conditions on two or more cells of one column as one, or None."""
    by_column: dict[str, list[Clause]] = {}
    for clause in parse.clauses:
        if clause.values and not clause.negated:
            by_column.setdefault(clause.column, []).append(clause)
    for column, clauses in by_column.items():
        if len(clauses) >= 2:
            values = tuple(dict.fromkeys(value for clause in clauses for value in clause.values))
            return Clause(
                condition=OneOf(of=Col(name=column), values=values),
                start=clauses[0].start,
                end=clauses[-1].end,
                column=column,
                values=values,
            )
    return None


def _all_of(parse: Parse, alternatives: Clause) -> Relation:
    others = [clause for clause in parse.clauses if not (clause.values and clause.column == alternatives.column)]
    where = joined([*others, alternatives], [])
    source = parse.base()
    return Filter(source=source, where=where) if where is not None else source


def _measure(parse: Parse, word: WordMention) -> str | None:
    near = [mention for mention in parse.free(ColumnMention) if rankable(parse, mention)]
    if near:
        best = min(near, key=lambda mention: min(abs(mention.end - word.start), abs(mention.start - word.end)))
        return parse.numeric_reading(best) or best.column
    if word.hint:
        named = hinted(word.hint, parse.table.names)
        return next((column for column in named if parse.numeric(column) or parse.dated(column)), None)
    return None


def _take_same(parse: Parse, column: str) -> None:
    for mention in list(parse.free(ColumnMention)):
        if mention.column == column or parse.numeric_reading(mention) == column:
            parse.take(mention)


def difference(parse: Parse) -> Offer | None:
    """Offer the difference between two named things, or between the highest and the lowest."""
    words = parse.words("difference")
    if not words:
        return None
    measures = [mention for mention in parse.free(ColumnMention) if rankable(parse, mention)]
    higher = {"higher", "lower", "taller"} & set(parse.gap(words[0].start, words[0].end).split())
    heights = [name for name in hinted("height", parse.table.names) if parse.numeric(name)] if higher else []
    if not measures and len(heights) != 1:
        return None
    column = (parse.numeric_reading(measures[0]) or measures[0].column) if measures else heights[0]
    aggregate = next(
        (word for word in parse.words("aggregate") if word.value in {"mean", "sum", "max", "min", "median"}), None
    )
    part = _spread(parse, column) or _between_two(parse, column, aggregate) or _between_columns(parse, measures)
    if part is None:
        return None
    parse.take(*words, aggregate)
    parse.take(*parse.words("wh"), *parse.words("comparative"), *parse.words("compare"), *parse.words("and"))
    _take_same(parse, column)
    return Offer(part=part, parse=parse, family="difference", fit=1.05)


def _cell(parse: Parse, clause: Clause, column: str, function: AggregateName) -> Relation:
    others = [other for other in parse.clauses if other.column != clause.column]
    where = joined([*others, clause], [])
    assert where is not None
    rows = Filter(source=parse.base(), where=where)
    return Aggregate(source=rows, groups=(), measures=(Measure(name=column, function=function, of=Col(name=column)),))


def _between_two(parse: Parse, column: str, aggregate: WordMention | None) -> Part | None:
    alternatives = _alternatives(parse)
    if alternatives is None:
        return None
    clauses = [clause for clause in parse.clauses if clause.column == alternatives.column and clause.values][:2]
    function: AggregateName = aggregate.value if aggregate else "sum"  # type: ignore[assignment]
    if parse.dated(column) or not parse.numeric(column):
        function = "first"
    left, right = (_cell(parse, clause, column, function) for clause in clauses)
    shown = show(_all_of(parse, alternatives), [alternatives.column, column], [])
    relation = Combine(op="absolute_difference", left=left, right=right, name=f"{column}_difference")
    return Part(relation=relation, shown=None if aggregate else shown.relation)


def _spread(parse: Parse, column: str) -> Part | None:
    """Return the highest value minus the lowest."""
    ends = [*parse.words("superlative"), *[word for word in parse.words("aggregate") if word.value in {"max", "min"}]]
    if {word.value for word in ends} != {"max", "min"}:
        return None
    parse.take(*ends)
    sides = [
        Aggregate(
            source=parse.source(), groups=(), measures=(Measure(name=column, function=function, of=Col(name=column)),)
        )
        for function in ("max", "min")
    ]
    return Part(relation=Combine(op="absolute_difference", left=sides[0], right=sides[1], name=f"{column}_difference"))


def _between_columns(parse: Parse, measures: list[ColumnMention]) -> Part | None:
    """Return the difference between the sums (or means) of two columns: `the difference between home and away
    goals`."""
    columns = list(dict.fromkeys(parse.numeric_reading(mention) for mention in measures))
    if len(columns) != 2 or None in columns:
        return None
    function: AggregateName = "mean" if parse.has("aggregate", "mean") else "sum"
    sides = [
        Aggregate(
            source=parse.source(),
            groups=(),
            measures=(Measure(name=name or "", function=function, of=Col(name=name or "")),),
        )
        for name in columns
    ]
    parse.take(*measures)
    said = _SIDE.search(parse.question.lower())
    if said is not None and set(said.groups()) & _LESS:
        sides.reverse()
    op: Literal["difference", "absolute_difference"] = "absolute_difference" if said is None else "difference"
    relation = Combine(op=op, left=sides[0], right=sides[1], name="difference")
    return Part(relation=relation, decimals=2 if function == "mean" else None)
