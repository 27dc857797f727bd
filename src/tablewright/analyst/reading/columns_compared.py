"""Conditions between two columns of a row: `stock below the reorder level`, `实际大于预算`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, cast

from tablewright.analyst.linking.mentions import ColumnMention, NumberMention, WordMention
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import Col, Compare
from tablewright.analyst.reading.parse import Clause, Parse

_TIES = frozenset({"the", "its", "their", "a", "of", "is", "are", "be", "was", "were", "that", "了", "其"})
_SHORTEST = 2


def read_columns_compared(parse: Parse) -> None:
    """Take each comparison that stands between two numeric columns, or two columns of dates."""
    for word in parse.words("compare"):
        if (right := _kindred_only(parse, word)) is not None:
            _take_kindred(parse, word, right)
            continue
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


def limit_after(parse: Parse, word: WordMention) -> ColumnMention | None:
    """Return the numeric column directly after a free comparison that has no number: `below the reorder level`."""
    near = (mention for mention in parse.mentions if word.end <= mention.start <= word.end + 1)
    column = next((mention for mention in near if isinstance(mention, ColumnMention)), None)
    if column is None or word.value not in {"<", "<=", ">", ">="} or not parse.numeric(column.column):
        return None
    between = {token.norm for token in parse.tokens[word.end : column.start]}
    return column if between <= _TIES and parse.after(word.end, NumberMention, 2) is None else None


def _kindred_only(parse: Parse, word: WordMention) -> ColumnMention | None:
    """Return the column of limits after a comparison whose left side is only a thing (`物料低于安全库存`)."""
    left = parse.before(word.start, ColumnMention, 2)
    measured = left is not None and parse.numeric_reading(left) is not None
    return None if measured or (left is not None and parse.dated(left.column)) else limit_after(parse, word)


def _take_kindred(parse: Parse, word: WordMention, right: ColumnMention) -> None:
    """Take a comparison with a column of limits; what is compared is the one other numeric column whose name has the
    noun of the limit's: 库存数量 for 安全库存, `stock level` for `reorder level`."""
    others = [facts.name for facts in parse.table.facts.columns if facts.name != right.column]
    numeric = [name for name in others if parse.numeric(name)]
    kin = next((found for noun in _nouns(right.column) if (found := [name for name in numeric if noun(name)])), [])
    if len(kin) != 1:
        return
    operator = cast("Literal['<', '<=', '>', '>=']", word.value)
    condition = Compare(op=operator, left=Col(name=kin[0]), right=Col(name=right.column))
    parse.clauses.append(Clause(condition=condition, start=word.start, end=right.end, column=kin[0]))
    parse.take(word, right)


def _nouns(name: str) -> list[Callable[[str], bool]]:
    """Return tests of whether another name has the same noun at the end, the longest first."""
    if not is_han(name[-1]):
        last = lemmas(name)[-1:]
        return [lambda other: lemmas(other)[-1:] == last]
    return [partial(_named_with, name[place:]) for place in range(1, len(name) - _SHORTEST + 1)]


def _named_with(noun: str, other: str) -> bool:
    return noun in other


def _alike(parse: Parse, left: str, right: str) -> bool:
    return (parse.numeric(left) and parse.numeric(right)) or (parse.dated(left) and parse.dated(right))
