"""What spans of a question were recognised as, and the choice between overlapping ones."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from tablewright.analyst.linking.tokens import Token, weight

LinkHow = Literal["stem", "part", "concept"]
"""How words mean what they do not repeat: by their word family, by a part of it, or by another word for it."""
MatchKind = Literal["exact", "contained", "stem", "part", "concept"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """Tokens `start` to `end` (exclusive), and the confidence of the link, 0 to 1."""

    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnMention(Mention):
    """A column; `others` are further columns that the same words could name, with their scores, likeliest first."""

    column: str
    others: tuple[tuple[str, float], ...] = ()
    how: MatchKind = "exact"


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueMention(Mention):
    """A cell's text. `places` are pairs of a column and the value as written in it; `how` is whether the whole text
    was named or only part of it."""

    places: tuple[tuple[str, str], ...]
    how: MatchKind = "exact"


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberMention(Mention):
    """A number; `year` if it could be a year, `percent` if written with a percent sign."""

    value: int | float
    year: bool = False
    percent: bool = False
    ordinal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodMention(Mention):
    """A day or a longer period from `low` to `high`, both inclusive ISO days. Without a year, these are None and
    only `month` and `day`, or the `months` of a quarter or half-year, are set."""

    low: str | None
    high: str | None
    month: int | None = None
    day: int | None = None
    text: str = ""
    months: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WordMention(Mention):
    """A phrase of the lexicon: what it does (`code`), which variant (`value`), and the concept it implies (`hint`)."""

    code: str
    value: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableMention(Mention):
    """Words that only name a table; `dataset_ids` are the tables they fit."""

    dataset_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsMention(Mention):
    """The noun for the table's rows (`pilots` in a table of pilots); `column` is the column that names them, if
    there is one."""

    column: str | None


AnyMention = ColumnMention | ValueMention | NumberMention | PeriodMention | WordMention | TableMention | RowsMention


def choose(mentions: Iterable[AnyMention], tokens: tuple[Token, ...]) -> list[AnyMention]:
    """Return the non-overlapping mentions that together explain the most text, in order of place."""
    ordered = sorted(mentions, key=lambda mention: (mention.end, mention.start))
    ends = [mention.end for mention in ordered]
    best: list[tuple[float, list[int]]] = [(0.0, [])]
    for place, mention in enumerate(ordered):
        before = bisect_right(ends, mention.start, 0, place)
        gain = best[before][0] + _worth(mention, tokens)
        if gain > best[place][0]:
            best.append((gain, [*best[before][1], place]))
        else:
            best.append(best[place])
    return [ordered[place] for place in best[-1][1]]


def _worth(mention: AnyMention, tokens: tuple[Token, ...]) -> float:
    length = weight(tokens, mention.start, mention.end)
    return float(mention.score * length**1.15)
