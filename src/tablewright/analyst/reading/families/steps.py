"""Tables in order of time, with each row compared to the one before or to a named one: `In which year did the number
of storms increase the most?`, `how many years lie between A and B?`."""

from __future__ import annotations

import re

from tablewright.analyst.linking.mentions import ColumnMention, RowsMention
from tablewright.analyst.plan import (
    Aggregate,
    Bucket,
    Col,
    Combine,
    Expr,
    Filter,
    Measure,
    Part,
    Relation,
    Shift,
    Sort,
    Top,
)
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.families.projection import show
from tablewright.analyst.reading.grain import repeats
from tablewright.analyst.reading.parse import Clause, Parse, joined
from tablewright.analyst.reading.stretches import tells_time
from tablewright.texts.catalogue import text

_UP = r"increas\w*|ris\w*|rose|gr[oe]w\w*|gain\w*|climb\w*|growth"
_DOWN = r"decreas\w*|declin\w*|drop\w*|f[ae]ll\w*|los[es]\w*|reduc\w*"
_JUMP = re.compile(
    rf"^(?:in |during )?(?:which|what) (?P<unit>year|season|month|decade|period|date)\b.*?"
    rf"(?:\b(?:(?P<up>{_UP})|(?P<down>{_DOWN})) (?:by )?the (?P<most>most|least)\b"
    rf"|\bthe (?:largest|biggest|greatest|highest|most) (?:(?P<a_rise>{_UP})|(?P<a_fall>{_DOWN})))"
    r"(?P<against>(?: (?:in|of|for) [^?,]*?)?(?:,? (?:compared (?:to|with)|from|over|than) the (?:previous|last|preceding|prior)"
    r" (?:year|season|month|one|decade|period|date))?)"
)
_AGAINST = re.compile(r"(?:compared (?:to|with)|from|over|than) the (?:previous|last|preceding|prior) \w+")
_BETWEEN = re.compile(
    r"^(?:how many years|how long)\b.*\b(?:between|passed|apart|elapsed)\b|^how many years (?:after|before|later|earlier)\b"
)
_ROWS_LEAST = 3


def jumps(parse: Parse) -> Offer | None:
    """Offer the year in which a number changed most from the year before."""
    match = _JUMP.match(parse.question.lower().strip()) if parse.language == "en" else None
    time = tells_time(parse)
    if match is None or time is None or parse.clauses or repeats(parse, time) or match["most"] == "least":
        return None
    column = _measured(parse, time)
    if column is None or parse.table.facts.rows < _ROWS_LEAST:
        return None
    _take_said(parse)
    ordered = Sort(source=parse.source(), keys=((time, False),))
    change = text("words.change", parse.language)
    shifted = Shift(source=ordered, column=column, name=change, how="difference")
    top = Top(source=shifted, by=change, count=1, descending=bool(match["up"] or match["a_rise"]))
    part = show(top, [time], [], measures=[column, change])
    return Offer(part=part, parse=parse, family="growth", fit=1.1)


def _measured(parse: Parse, time: str) -> str | None:
    """Return the only numeric column named, or None."""
    named = [
        name
        for mention in parse.free(ColumnMention)
        if (name := parse.numeric_reading(mention)) is not None and name != time
    ]
    return named[0] if len(set(named)) == 1 else None


def _take_said(parse: Parse) -> None:
    """Take the words for the change and for what it is compared with, and the columns."""
    question = parse.question.lower()
    spans = [found.span() for found in re.finditer(rf"\b(?:{_UP}|{_DOWN})\b", question)]
    spans += [found.span() for found in _AGAINST.finditer(question)]
    for place, token in enumerate(parse.tokens):
        if any(start <= token.start and token.end <= end for start, end in spans):
            said = RowsMention(start=place, end=place + 1, score=0.8, column=None)
            parse.mentions.append(said)
            parse.take(said)
            parse.take_span(place, place + 1)
    parse.take(*parse.words("wh", "count", "superlative", "row", "growth", "top", "compare", "comparative"))
    parse.take(*[found for found in parse.words("aggregate") if found.value == "sum"])
    parse.take(*parse.free(ColumnMention))


def elapsed(parse: Parse) -> Offer | None:
    """Offer the number of years between two named rows."""
    if parse.language != "en" or _BETWEEN.match(parse.question.lower().strip()) is None:
        return None
    time = tells_time(parse)
    sides = [clause for clause in parse.clauses if len(clause.values) == 1 and not clause.negated]
    if time is None or len(sides) != 2 or len(parse.clauses) != 2 or sides[0].column != sides[1].column:
        return None
    years: Expr = Bucket(of=Col(name=time), unit="year") if parse.dated(time) else Col(name=time)
    left, right = (_cell(parse, clause, time, years) for clause in sides)
    question = parse.question.lower()
    for place, token in enumerate(parse.tokens):
        if token.norm in {"years", "year", "passed", "elapsed", "apart", "release", "releases"} and token.start < len(
            question
        ):
            said = RowsMention(start=place, end=place + 1, score=0.8, column=None)
            parse.mentions.append(said)
            parse.take(said)
            parse.take_span(place, place + 1)
    parse.take(*parse.words("wh", "count", "between", "and", "after", "before", "comparative"))
    parse.take(*[mention for mention in parse.free(ColumnMention) if mention.column == time])
    relation = Combine(op="absolute_difference", left=left, right=right, name=text("words.years", parse.language))
    return Offer(part=Part(relation=relation), parse=parse, family="difference", fit=1.1)


def _cell(parse: Parse, clause: Clause, time: str, years: Expr) -> Relation:
    where = joined([clause], [])
    assert where is not None
    rows = Filter(source=parse.base(), where=where)
    return Aggregate(source=rows, groups=(), measures=(Measure(name=time, function="first", of=years),))
