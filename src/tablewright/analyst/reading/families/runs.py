"""`How many games in a row did they win?`, `the longest streak of losses`, `for how many consecutive years did sales
rise?`."""

from __future__ import annotations

import re

from tablewright.analyst.linking.mentions import ColumnMention
from tablewright.analyst.plan import Case, Col, Compare, Condition, Derive, Lit, Named, Part, Procedure, Relation, Shift
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.parse import Parse

_STREAK = re.compile(r"\b(?:streak|run of|consecutive|consecutively|in a row|straight|successive)\b|连续")
_NUMBER = re.compile(r"\b(?:how many|number of|how long|longest|most|length of|highest|largest)\b|多少|几|最长")
_TIMES = re.compile(r"\bin (?:\w+ )?consecutive\b")
"""`released in consecutive years` compares the times of rows, and is not a run of rows."""
_RISES = re.compile(r"\b(?:increase[sd]?|rise|rose|grow|grew|growth|went up|go up)\b|增长|上升|增加|上涨")
_FALLS = re.compile(r"\b(?:decrease[sd]?|fall|fell|decline[sd]?|drop(?:ped)?|went down|go down)\b|下降|减少|下跌|下滑")
_MARK = "in_run"
_CHANGE = "change"


def runs(parse: Parse) -> Offer | None:
    """Offer the longest run of consecutive rows, in the table's order, for which something holds."""
    question = parse.question.lower()
    if not _STREAK.search(question) or not _NUMBER.search(question) or _TIMES.search(question):
        return None
    source, condition = _changing(parse, question) or (parse.base(), parse.where())
    if condition is None:
        return None
    parse.take(
        *parse.words("consecutive", "count", "times", "superlative", "row", "aggregate", "wh", "growth", "top", "trend")
    )
    parse.take(*list(parse.free(ColumnMention)))
    mark = Case(branches=((condition, Lit(value=1)),), otherwise=Lit(value=0))
    marked = Derive(source=source, columns=(Named(name=_MARK, of=mark),))
    relation = Procedure(source=marked, name="longest_run", columns=(_MARK,))
    return Offer(part=Part(relation=relation), parse=parse, family="runs", fit=1.05)


def _changing(parse: Parse, question: str) -> tuple[Relation, Condition] | None:
    """Return a relation and the condition that a column rises or falls from row to row, or None."""
    rises, falls = _RISES.search(question), _FALLS.search(question)
    said = rises or falls
    if said is None or (rises and falls) or parse.clauses:
        return None
    column = _nearest(parse, said.start())
    if column is None:
        return None
    source = Shift(source=parse.base(), column=column, name=_CHANGE, how="difference")
    return source, Compare(op=">" if rises else "<", left=Col(name=_CHANGE), right=Lit(value=0))


def _nearest(parse: Parse, place: int) -> str | None:
    """Return the numeric column named nearest to a place in the text, in characters."""
    named = [
        (abs(parse.tokens[mention.start].start - place), name)
        for mention in parse.free(ColumnMention)
        if (name := parse.numeric_reading(mention)) is not None
    ]
    return min(named)[1] if named else None
