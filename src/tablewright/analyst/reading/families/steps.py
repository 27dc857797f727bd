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
    TimeUnit,
    Top,
)
from tablewright.analyst.reading.additivity import aggregate_for
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.families.projection import show
from tablewright.analyst.reading.grain import days_between, repeats
from tablewright.analyst.reading.groups import bucket
from tablewright.analyst.reading.parse import Clause, Parse, joined
from tablewright.analyst.reading.stretches import tells_time
from tablewright.texts.catalogue import text

_UP = r"increas\w*|ris\w*|rose|gr[oe]w\w*|gain\w*|climb\w*|growth"
_DOWN = r"decreas\w*|declin\w*|drop\w*|f[ae]ll\w*|los[es]\w*|reduc\w*"
_JUMP = re.compile(
    rf"^(?:in |during )?(?:which|what) (?P<unit>year|season|quarter|month|decade|period|date)\b.*?"
    rf"(?:\b(?:(?P<up>{_UP})|(?P<down>{_DOWN})) (?:by )?the (?P<most>most|least)\b"
    rf"|\bthe (?:largest|biggest|greatest|highest|most) (?:(?P<a_rise>{_UP})|(?P<a_fall>{_DOWN})))"
    r"(?P<against>(?: (?:in|of|for) [^?,]*?)?(?:,? (?:compared (?:to|with)|from|over|than) the (?:previous|last"
    r"|preceding|prior)"
    r" (?:year|season|quarter|month|one|decade|period|date))?)"
)
_AGAINST = re.compile(
    r"(?:compared (?:to|with)|from|over|than) the (?:(?:previous|last|preceding|prior) \w+|\w+ before)"
)
_JUMP_HAN = re.compile(
    r"哪一?个?(?P<unit>月|季度|年)(?:份|度)?.*?(?:(?P<down>下降|减少|下滑|下跌|降低|降|跌)|(?P<up>增长|增加|上升|上涨"
    r"|提高|涨))"
    r"(?:的|得)?(?P<rate>幅度?|比例|百分比)?最(?P<most>多|大|快|高|明显|厉害|猛)"
)
_WORDS_HAN = re.compile(
    r"(?:环比|相?比上一?个?(?:月|季度?|年)|较上一?个?(?:月|季度?|年))?(?:下降|减少|下滑|下跌|降低|降|跌|增长|增加"
    r"|上升|上涨|提高|涨)(?:的|得)?(?:幅度?|比例|百分比)?"
)
_UNITS: dict[str, TimeUnit] = {
    "month": "month",
    "quarter": "quarter",
    "year": "year",
    "月": "month",
    "季度": "quarter",
    "年": "year",
}
_BETWEEN = re.compile(
    r"^(?:how many years|how long)\b.*\b(?:between|passed|apart|elapsed)\b|^how many years (?:after|before|later"
    r"|earlier)\b"
)
_ROWS_LEAST = 3
_DAYS = {"month": 30, "quarter": 91, "year": 365}


def jumps(parse: Parse) -> Offer | None:
    """Offer the year, or another period, in which a number changed most from the one before."""
    pattern = _JUMP if parse.language == "en" else _JUMP_HAN
    match = pattern.search(parse.question.lower().strip())
    if match is None or match["most"] == "least" or "同比" in parse.question:
        return None
    said = match.groupdict()
    rises = bool(said["up"] or said.get("a_rise"))
    time = tells_time(parse)
    if time is None or repeats(parse, time) or _many_within(parse, time, said["unit"]):
        return _of_totals(parse, said["unit"], rises=rises, relative=bool(said.get("rate")))
    column = _measured(parse, time)
    if parse.clauses or column is None or parse.table.facts.rows < _ROWS_LEAST:
        return None
    return _largest(parse, parse.source(), time, column, rises=rises)


def _many_within(parse: Parse, time: str, said: str) -> bool:
    """Return whether several rows fall into each such period, as days do into months."""
    facts = parse.facts(time)
    known = days_between(str(facts.minimum), str(facts.maximum)) if facts.kind in {"date", "datetime"} else None
    length = _DAYS.get(_UNITS.get(said, "day"))
    return known is not None and length is not None and parse.table.facts.rows > 1.5 * (known / length + 1)


def _of_totals(parse: Parse, said: str, *, rises: bool, relative: bool) -> Offer | None:
    """Offer the period whose total changed most, for rows that are parts of a total, such as orders; None without a
    date, or if the measure is not an amount."""
    dated = [column.name for column in parse.table.facts.columns if column.kind in {"date", "datetime"}]
    column = _measured(parse, dated[0]) if dated and said in _UNITS else None
    if column is None or aggregate_for(parse.facts(column)) != "sum" or any(c.column in dated for c in parse.clauses):
        return None
    group = bucket(dated[0], _UNITS[said])
    measure = Measure(name=f"sum_{column}", function="sum", of=Col(name=column))
    totals = Aggregate(source=parse.source(), groups=(group,), measures=(measure,))
    return _largest(parse, totals, group.name, measure.name, rises=rises, relative=relative)


def _largest(parse: Parse, rows: Relation, time: str, column: str, *, rises: bool, relative: bool = False) -> Offer:
    """Return the row of the largest change, beside the number itself."""
    _take_said(parse)
    change = text("words.change", parse.language)
    ordered = Sort(source=rows, keys=((time, False),))
    shifted = Shift(source=ordered, column=column, name=change, how="growth" if relative else "difference")
    top = Top(source=shifted, by=change, count=1, descending=rises)
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
    spans += [found.span() for found in _WORDS_HAN.finditer(question)]
    for place, token in enumerate(parse.tokens):
        if any(start <= token.start and token.end <= end for start, end in spans):
            said = RowsMention(start=place, end=place + 1, score=0.8, column=None)
            parse.mentions.append(said)
            parse.take(said)
            parse.take_span(place, place + 1)
    words = parse.words(
        "wh", "count", "superlative", "row", "growth", "top", "compare", "comparative", "before", "unit"
    )
    parse.take(*words)
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
