"""A part compared with the whole, answered with yes or no and both figures: `外科的平均费用比整体平均高吗`, `is the
average cost in Hamburg above the overall average?`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from tablewright.analyst.linking.mentions import ColumnMention, RowsMention
from tablewright.analyst.plan import Aggregate, Case, Col, Compare, Lit, Measure, Named, Part, Project, Statistic
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.parse import Clause, Parse, joined
from tablewright.texts.catalogue import text

_CHINESE = re.compile(
    r"(?:比(?:全[\u4e00-\u9fff]{1,2}?|整体|总体|所有[\u4e00-\u9fff]{0,3}?)?的?平均(?:值|水平)?要?(?P<is>高|低|多|少|大"
    r"|小)"
    r"|(?P<than>高于|低于|超过|大于|小于|多于|少于)(?:全[\u4e00-\u9fff]{1,2}?|整体|总体)的?平均(?:值|水平)?)(?:一些"
    r"|些)?吗"
)
_ENGLISH = re.compile(
    r"\b(?P<is>above|below|(?:higher|lower|more|less|greater|smaller|better|worse|larger|fewer) than)"
    r" (?:the )?(?:overall|company|company-wide|general|total|global|whole|grand|entire)(?: \w+)? (?:average|mean)\b"
)
_CLOSED = re.compile(r"^(?:is|are|was|were|does|do|did)\b")
_LESS = frozenset({"低", "少", "小", "低于", "小于", "少于", "below", "lower", "less", "smaller", "fewer", "worse"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    start: int
    end: int
    operator: Literal["<", ">"]


def overall(parse: Parse) -> Offer | None:
    """Offer whether the average of the selected rows is above or below that of all rows."""
    said = _said(parse)
    clauses = [clause for clause in parse.clauses if not _of_rows(clause)]
    column = _column(parse, said) if said is not None else None
    where = joined(clauses, parse.either)
    if said is None or column is None or where is None:
        return None
    whole = RowsMention(start=said.start, end=said.end, score=0.9, column=None)
    parse.mentions = [*parse.mentions, whole]
    parse.take_span(said.start, said.end)
    parse.take(*parse.words("aggregate", "yes"), *parse.free(RowsMention))
    measures = (
        Measure(name=f"mean_{column}", function="mean", of=Col(name=column), where=where),
        Measure(name=text("reading.overall_average", parse.language), function="mean", of=Col(name=column)),
    )
    both = Aggregate(source=parse.base(), groups=(), measures=measures)
    test = Compare(op=said.operator, left=Col(name=measures[0].name), right=Col(name=measures[1].name))
    answers = [Lit(value=text(f"reading.{side}", parse.language)) for side in ("yes", "no")]
    said_so = Case(branches=((test, answers[0]),), otherwise=answers[1])
    columns = [Named(name=text("reading.answer", parse.language), of=said_so)]
    columns += [Named(name=measure.name, of=Col(name=measure.name)) for measure in measures]
    part = Part(relation=Project(source=both, columns=tuple(columns)), decimals=2)
    return Offer(part=part, parse=parse, family="overall", fit=1.1)


def _said(parse: Parse) -> _Said | None:
    """Return where the whole is mentioned, and the side asked for; None if the question does not compare with it."""
    question = parse.question.lower().strip()
    if parse.language == "en" and _CLOSED.match(question) is None:
        return None
    match = (_CHINESE if parse.language == "zh" else _ENGLISH).search(parse.question.lower())
    if match is None:
        return None
    side = next(group for group in match.groups() if group)
    places = [at for at, token in enumerate(parse.tokens) if match.start() <= token.start < match.end()]
    less = bool({side, side.split()[0]} & _LESS)
    return _Said(start=places[0], end=places[-1] + 1, operator="<" if less else ">")


def _of_rows(clause: Clause) -> bool:
    """Return whether `above the average` was read as a condition on rows, while here it is the question."""
    return isinstance(clause.condition, Compare) and isinstance(clause.condition.right, Statistic)


def _column(parse: Parse, said: _Said) -> str | None:
    """Return the only numeric column named before the whole, or None."""
    named = {
        name
        for mention in parse.mentions
        if isinstance(mention, ColumnMention)
        and mention.end <= said.start + 1
        and (name := parse.numeric_reading(mention)) is not None
    }
    if len(named) != 1:
        return None
    name = named.pop()
    parse.take(*[mention for mention in parse.free(ColumnMention) if parse.numeric_reading(mention) == name])
    return name
