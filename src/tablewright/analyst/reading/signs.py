"""Conditions on the sign of numbers: `利润为负的订单`, `orders with a negative profit`, `亏损的产品`."""

from __future__ import annotations

from typing import Literal, cast

from tablewright.analyst.linking.columns import hinted
from tablewright.analyst.linking.mentions import ColumnMention, WordMention
from tablewright.analyst.plan import Col, Compare, Lit
from tablewright.analyst.reading.parse import Clause, Parse

_REACH = 2


def read_signs(parse: Parse) -> None:
    """Take words for a sign as a condition on the column beside them, else on the one they imply."""
    for word in parse.words("sign"):
        column = _beside(parse, word)
        name = parse.numeric_reading(column) if column is not None else _implied(parse, word)
        if name is None:
            continue
        negation = parse.before(word.start, WordMention, 1, "not")
        operator = cast("Literal['<', '>', '<=', '>=']", {"<": ">=", ">": "<="}[word.value] if negation else word.value)
        condition = Compare(op=operator, left=Col(name=name), right=Lit(value=0))
        spans = [mention for mention in (word, column, negation) if mention is not None]
        start, end = min(mention.start for mention in spans), max(mention.end for mention in spans)
        parse.clauses.append(Clause(condition=condition, start=start, end=end, column=name))
        parse.take(word, column, negation)


def _beside(parse: Parse, word: WordMention) -> ColumnMention | None:
    before = parse.before(word.start, ColumnMention, _REACH)
    after = parse.after(word.end, ColumnMention, 1)
    near = (before, after) if parse.language == "zh" else (after, before)
    return next((column for column in near if column is not None and parse.numeric_reading(column)), None)


def _implied(parse: Parse, word: WordMention) -> str | None:
    return next((name for name in hinted(word.hint, parse.table.names) if parse.numeric(name)), None)
