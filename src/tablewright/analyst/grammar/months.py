"""Months that a question speaks of, and columns and cells that are called by a month."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from tablewright.analyst.grammar.lexicon import words
from tablewright.analyst.grammar.semantics import Word
from tablewright.analyst.linking.mentions import PeriodMention
from tablewright.analyst.linking.periods import periods
from tablewright.analyst.linking.tokens import Token, tokenize

FEW_VALUES = 40
_MONTHS = frozenset({"month_name"})
_MONTHS_IN_NAMES = frozenset({"month_name", "month_in_name"})
"""In a name `may` is a month; in a question it seldom is, unless it is written as one."""
_SURE, _LOOSE = 0.95, 0.7


def periods_said(
    text: str, tokens: tuple[Token, ...], found: Sequence[Word], types: frozenset[str] = _MONTHS
) -> tuple[PeriodMention, ...]:
    """Return the periods in a text, short names of months too."""
    known = periods(text, tokens)
    taken = {place for one in known for place in range(one.start, one.end)}
    months = [word for word in found if word.type in types and word.start not in taken]
    short = (
        PeriodMention(
            start=word.start, end=word.end, score=0.9, low=None, high=None, month=int(word.meaning),
            text=" ".join(token.norm for token in tokens[word.start : word.end]), months=(int(word.meaning),),
        )
        for word in months
    )  # fmt: skip
    return tuple(sorted((*known, *short), key=lambda one: one.start))


def columns_of_months(
    tokens: tuple[Token, ...], said: Sequence[PeriodMention], names: Sequence[str]
) -> Iterator[tuple[PeriodMention, str, float]]:
    """Yield each period of the question with the columns that are called by it, and how surely: less where nothing else
    of the column's name is said."""
    asked = {token.lemma for token in tokens}
    for name in names:
        month, others = _month_of(name)
        if month is None:
            continue
        for one in said:
            if same_month(one, month):
                yield one, name, _SURE if not others or others & asked else _LOOSE


def cells_of_months(
    said: Sequence[PeriodMention], known: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[PeriodMention, str, tuple[str, ...]]]:
    """Yield each period of the question with the columns and cells that are called by it."""
    for column, values in known.items():
        if len(values) > FEW_VALUES:
            continue
        months = [(value, month) for value in values if (month := _month_of(value)[0]) is not None]
        for one in said:
            same = tuple(value for value, month in months if same_month(one, month))
            if same:
                yield one, column, same


def same_month(one: PeriodMention, other: PeriodMention) -> bool:
    """Return whether two periods are one month: of one year, if both say one."""
    whole = one.month is not None and one.day is None and one.month == other.month and other.day is None
    return whole and (one.low is None or other.low is None or one.low[:4] == other.low[:4])


@lru_cache(maxsize=4096)
def _month_of(name: str) -> tuple[PeriodMention | None, frozenset[str]]:
    """Return the only month in a name, and the other words of it."""
    tokens = tokenize(name)
    found = periods_said(name, tokens, words(tokens), _MONTHS_IN_NAMES)
    if len(found) != 1 or found[0].month is None or found[0].day is not None:
        return None, frozenset()
    inside = range(found[0].start, found[0].end)
    return found[0], frozenset(
        token.lemma for place, token in enumerate(tokens) if place not in inside and token.kind != "mark"
    )
