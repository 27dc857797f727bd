"""Conditions between two columns of a row: `stock below the reorder level`, `实际大于预算`."""

from __future__ import annotations

from typing import Literal, cast

from tablewright.analyst.linking.mentions import ColumnMention, NumberMention
from tablewright.analyst.plan import Col, Compare
from tablewright.analyst.reading.parse import Clause, Parse

_TIES = frozenset({"the", "its", "their", "a", "of", "is", "are", "be", "was", "were", "that"})


def read_columns_compared(parse: Parse) -> None:
    """Take each comparison that stands between two numeric columns, or two columns of dates."""
    for word in parse.words("compare"):
        left, right = parse.before(word.start, ColumnMention, 2), parse.after(word.end, ColumnMention, 2)
        if left is None or right is None or parse.after(word.end, NumberMention, 2) is not None:
            continue
        tied = {token.norm for token in parse.tokens[left.end : word.start]} | {
            token.norm for token in parse.tokens[word.end : right.start]
        }
        if not tied <= _TIES or left.column == right.column or not _alike(parse, left.column, right.column):
            continue
        operator = cast("Literal['=', '!=', '<', '<=', '>', '>=']", word.value)
        condition = Compare(op=operator, left=Col(name=left.column), right=Col(name=right.column))
        parse.clauses.append(Clause(condition=condition, start=left.start, end=right.end, column=left.column))
        parse.take(word, left, right)


def _alike(parse: Parse, left: str, right: str) -> bool:
    return (parse.numeric(left) and parse.numeric(right)) or (parse.dated(left) and parse.dated(right))
