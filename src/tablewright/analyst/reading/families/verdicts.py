"""Questions answered with yes or no (`Did Lyon sell more than Gent?`, `is the height of X above 100?`, `were there
more than 4 wins?`), or with one of two sides of a number (`more or less than 24?`)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal, cast

from tablewright.analyst.linking.mentions import ColumnMention, NumberMention
from tablewright.analyst.plan import Aggregate, Case, Col, Compare, Filter, Lit, Measure, Named, Part, Project, Relation
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.parse import Clause, Parse, joined
from tablewright.texts.catalogue import text

Operator = Literal["=", "!=", "<", "<=", ">", ">="]
_CLOSED = re.compile(r"^(?:is|are|was|were|do|does|did|has|have|had)\b")
_EITHER = re.compile(r"\b(?:more|greater|higher) or (?:less|fewer|lower) than\b")
_OPEN = re.compile(r"\b(?:any other|any others|which|what|how|who|when|where)\b")
_NOT_HERE = (
    "difference", "share", "consecutive", "chart", "relation", "normality", "test", "outliers", "missing",
    "superlative", "duplicates",
)  # fmt: skip


def verdicts(parse: Parse) -> Offer | None:
    """Offer a yes or no, or one of two sides of a number."""
    question = parse.question.lower().strip()
    if parse.language != "en" or not _CLOSED.match(question) or any(parse.has(code) for code in _NOT_HERE):
        return None
    if _EITHER.search(question):
        return _sided(parse)
    if parse.has("or") or _OPEN.search(question):
        return None
    count = _counted(parse)
    if not parse.clauses and count is None:
        return None
    operator, number = count or (">", 0)
    _take_nouns(parse)
    answers = (text("reading.yes", parse.language), text("reading.no", parse.language))
    return Offer(part=_part(_count(parse.source()), operator, number, answers), parse=parse, family="verdicts")


def _counted(parse: Parse) -> tuple[Operator, int | float] | None:
    """Take a comparison with the number of rows, and return its operator and number: `more than 4 …`."""
    for word in parse.words("compare"):
        number = parse.after(word.end, NumberMention, 1)
        if number is not None:
            parse.take(word, number)
            return cast("Operator", word.value), number.value
    return None


def _sided(parse: Parse) -> Offer | None:
    """Offer one of two sides of a number, for a named row or for the number of rows: `more or less than 4
    councillors`."""
    found = next(((clause, number) for clause in parse.clauses if (number := _compared(clause)) is not None), None)
    if found is None:
        return None
    against, number = found
    others = [clause for clause in parse.clauses if clause is not against]
    told = parse.numeric(against.column)
    if told != bool(others):
        return None
    parse.take(*parse.words("comparative", "compare", "or"))
    _take_nouns(parse)
    where = joined(others, [])
    counted = _count(parse.base() if where is None else Filter(source=parse.base(), where=where))
    if told:
        measure = Measure(name="count", function="sum", of=Col(name=against.column))
        counted = replace(counted, measures=(measure,))
    sides = (text("reading.more", parse.language), text("reading.less", parse.language))
    return Offer(part=_part(counted, ">", number, sides), parse=parse, family="verdicts", fit=1.1)


def _compared(clause: Clause) -> float | None:
    """Return the number that a condition compares a column with, or None."""
    condition = clause.condition
    if not isinstance(condition, Compare) or condition.op not in {"<", ">"} or not isinstance(condition.left, Col):
        return None
    value = condition.right.value if isinstance(condition.right, Lit) else None
    return value if isinstance(value, int | float) else None


def _take_nouns(parse: Parse) -> None:
    """Take the words beside the conditions, which only name things."""
    parse.take(*parse.words("and", "yes", "wh"), *list(parse.free(ColumnMention)))


def _count(source: Relation) -> Aggregate:
    return Aggregate(source=source, groups=(), measures=(Measure(name="count", function="count"),))


def _part(counted: Aggregate, operator: Operator, number: float, answers: tuple[str, str]) -> Part:
    test = Compare(op=operator, left=Col(name="count"), right=Lit(value=number))
    said = Case(branches=((test, Lit(value=answers[0])),), otherwise=Lit(value=answers[1]))
    return Part(relation=Project(source=counted, columns=(Named(name="answer", of=said),)))
