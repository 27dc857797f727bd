"""Choices between two sides or two columns: `Was A released before or after B?`, `did A have more or fewer wins than
B?`, `more silver or bronze medals?`."""

from __future__ import annotations

import re

from tablewright.analyst.linking.columns import hinted
from tablewright.analyst.linking.mentions import ColumnMention
from tablewright.analyst.plan import Aggregate, Case, Col, Compare, Condition, Expr, Lit, Measure, Named, Part, Project
from tablewright.analyst.reading.additivity import aggregate_for
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.grain import repeats
from tablewright.analyst.reading.opposites import Opposites, opposites
from tablewright.analyst.reading.parse import Clause, Parse, joined
from tablewright.analyst.reading.placing import is_placing
from tablewright.analyst.reading.stretches import tells_when
from tablewright.texts.catalogue import text

_TIMED = frozenset({"after", "later"})
_PLACED = frozenset({"above", "higher", "better"})
_HINTS = {"longer": "length", "taller": "height", "older": "age", "heavier": "weight"}
_CLOSED = re.compile(r"^(?:is|are|was|were|do|does|did|has|have|had)\b")


def choices(parse: Parse) -> Offer | None:
    """Offer the answer to a choice between two sides, or between two columns."""
    if parse.language != "en":
        return None
    sides = opposites(parse.question)
    return _of_columns(parse) if sides is None else _of_things(parse, sides)


def _of_things(parse: Parse, sides: Opposites) -> Offer | None:
    named = _named(parse)
    if named is None:
        return None
    column = _column(parse, sides)
    counted = column is None and sides.more == "more" and repeats(parse, named[0].column)
    if column is None and not counted:
        return None
    others = [clause for clause in parse.clauses if clause.column != named[0].column]
    measures = [
        _measure(parse, clause, joined([*others, clause], []), column, f"{place} {clause.values[0]}")
        for place, clause in enumerate(named, start=1)
    ]
    words = (sides.more, sides.less)
    if column is not None and is_placing(column) and sides.more in _PLACED:
        words = (sides.less, sides.more)  # a smaller number is a higher place
    parse.take(*parse.words("comparative", "compare", "or", "and", "before", "after", "wh", "yes", "count"))
    parse.take(*[mention for mention in parse.free(ColumnMention) if not parse.numeric(mention.column)])
    return Offer(part=_part(parse, measures, words), parse=parse, family="choices", fit=1.1)


def _named(parse: Parse) -> list[Clause] | None:
    """Return the conditions on the two cells compared, in the order of the question, or None."""
    ordered = sorted(parse.clauses, key=lambda clause: clause.start)
    for first in ordered:
        same = [clause for clause in ordered if clause.column == first.column and not clause.negated]
        if len(same) == 2 and all(len(clause.values) == 1 for clause in same):
            return same
    return None


def _column(parse: Parse, sides: Opposites) -> str | None:
    """Return the column to compare by: one that is named, the one that dates the rows, or one of places in an order."""
    columns = parse.table.facts.columns
    if sides.more in _TIMED:
        named = [mention.column for mention in parse.free(ColumnMention) if tells_when(parse, mention.column)]
        timed = [facts.name for facts in columns if tells_when(parse, facts.name)]
        return next(iter([*named, *(timed if len(timed) == 1 else [])]), None)
    for mention in parse.free(ColumnMention):
        name = parse.numeric_reading(mention)
        if name is not None:
            parse.take(mention)
            return name
    if sides.more == "above":
        return next((facts.name for facts in columns if parse.numeric(facts.name) and is_placing(facts.name)), None)
    implied = hinted(_HINTS.get(sides.more, ""), parse.table.names)
    return next((name for name in implied if parse.numeric(name)), None)


def _measure(parse: Parse, clause: Clause, where: Condition | None, column: str | None, name: str) -> Measure:
    if column is None:
        return Measure(name=name, function="count", where=where)
    function = aggregate_for(parse.facts(column)) if repeats(parse, clause.column) else None
    return Measure(name=name, function=function or "first", of=Col(name=column), where=where)


def _of_columns(parse: Parse) -> Offer | None:
    """Offer the larger of two columns, over all rows or a named one: `are there more silver or bronze medals?`."""
    words = [*parse.words("comparative"), *[word for word in parse.words("compare") if word.value in {"<", ">"}]]
    either = parse.words("or")
    if not words or len(either) != 1 or _CLOSED.match(parse.question.lower().strip()) is None:
        return None
    left, right = parse.before(either[0].start, ColumnMention, 1), parse.after(either[0].end, ColumnMention, 1)
    if left is None or right is None or words[0].end > left.start:
        return None
    columns = [parse.numeric_reading(mention) for mention in (left, right)]
    if None in columns or columns[0] == columns[1]:
        return None
    measures = [
        Measure(name=name, function="sum", of=Col(name=name), where=parse.where())
        for name in columns
        if name is not None
    ]
    names = (measures[0].name, measures[1].name)
    parse.take(*words, *either, left, right, *parse.words("aggregate"))
    said = names if words[0].value in {"max", ">"} else (names[1], names[0])
    return Offer(part=_part(parse, measures, said), parse=parse, family="choices", fit=1.1)


def _part(parse: Parse, measures: list[Measure], words: tuple[str, str]) -> Part:
    """Return the first of `words` if the first figure is larger, the second if it is smaller, or a word for a tie."""
    both = Aggregate(source=parse.base(), groups=(), measures=tuple(measures))
    first, second = (Col(name=measure.name) for measure in measures)
    branches: tuple[tuple[Condition, Expr], ...] = (
        (Compare(op=">", left=first, right=second), Lit(value=words[0])),
        (Compare(op="<", left=first, right=second), Lit(value=words[1])),
        (Compare(op="=", left=first, right=second), Lit(value=text("reading.same", parse.language))),
    )
    answer = Named(name=text("reading.answer", parse.language), of=Case(branches=branches, otherwise=Lit(value=None)))
    return Part(relation=Project(source=both, columns=(answer,)), shown=both)
