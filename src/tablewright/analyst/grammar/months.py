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
        month, others = month_of(name)
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
        months = [(value, month) for value in values if (month := month_of(value)[0]) is not None]
        for one in said:
            same = tuple(value for value, month in months if same_month(one, month) or month_within(one, month))
            if same:
                yield one, column, same


def only_months(cells: Sequence[str]) -> bool:
    """Return whether cells are different months and nothing else."""
    return 1 < len(cells) <= FEW_VALUES and all(month_of(cell)[0] is not None for cell in cells)


def same_month(one: PeriodMention, other: PeriodMention) -> bool:
    """Return whether two periods are one month: of one year, if both say one."""
    whole = one.month is not None and one.day is None and one.month == other.month and other.day is None
    return whole and (one.low is None or other.low is None or one.low[:4] == other.low[:4])


def month_within(one: PeriodMention, month: PeriodMention) -> bool:
    """Return whether a month is one of those of a longer period, such as a quarter: of one year, if both say one."""
    if month.month is None or one.day is not None or one.month is not None:
        return False
    if one.low is None or one.high is None:
        return month.month in one.months
    if month.low is not None and month.high is not None:
        return one.low <= month.low and month.high <= one.high
    return one.low[:4] == one.high[:4] and int(one.low[5:7]) <= month.month <= int(one.high[5:7])


@lru_cache(maxsize=4096)
def month_of(name: str) -> tuple[PeriodMention | None, frozenset[str]]:
    """Return the only month in a name, and the other words of it."""
    tokens = tokenize(name)
    month = _only_month(name, tokens)
    if month is None:
        return None, frozenset()
    return month, frozenset(tokens[place].lemma for place in _besides(tokens, month))


def besides_month(name: str) -> str:
    """Return a name as it is written, without the only month in it."""
    tokens = tokenize(name)
    month = _only_month(name, tokens)
    kept = [] if month is None else [tokens[place] for place in _besides(tokens, month)]
    return ("" if any(token.kind == "han" for token in kept) else " ").join(token.text for token in kept)


def _only_month(name: str, tokens: tuple[Token, ...]) -> PeriodMention | None:
    found = periods_said(name, tokens, words(tokens), _MONTHS_IN_NAMES)
    return found[0] if len(found) == 1 and found[0].month is not None and found[0].day is None else None


def _besides(tokens: tuple[Token, ...], month: PeriodMention) -> list[int]:
    """Return the places of the words outside the month."""
    inside = range(month.start, month.end)
    return [place for place, token in enumerate(tokens) if place not in inside and token.kind != "mark"]
