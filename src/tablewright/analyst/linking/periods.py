"""Dates and periods in a question, in both languages."""

from __future__ import annotations

import calendar
import re
from dataclasses import replace

from tablewright.analyst.linking.mentions import PeriodMention
from tablewright.analyst.linking.text import fold
from tablewright.analyst.linking.tokens import Token

_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name} | {
    name.lower(): number for number, name in enumerate(calendar.month_abbr) if name
}
NAMES = (*_MONTHS, "sept")
"""The names of months in English, in lower case."""
_MONTH = "|".join(sorted(NAMES, key=len, reverse=True))
_PLAIN_MONTH = "|".join(name.lower() for name in calendar.month_name if name and name not in {"March", "May"})
_HAN_MONTH = "十[一二]|[一二三四五六七八九十]"
_NTH = "first|second|third|fourth"
_Y = r"(?P<y>(?:18|19|20)\d\d)"
_D = r"(?P<d>[0-3]?\d)"
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_Y}\s*年的?\s*(?P<m>1[0-2]|0?[1-9])\s*月(?:份)?(?:\s*{_D}\s*[日号])?",
        rf"{_Y}\s*年的?\s*(?P<mh>{_HAN_MONTH})月(?:份)?",
        rf"(?<!\d){_Y}[-/.](?P<m>1[0-2]|0?[1-9])[-/.]{_D}(?!\d)",
        rf"(?<!\d){_Y}[-/](?P<m>1[0-2]|0[1-9])(?![\d-])",
        rf"\b(?P<mm>{_MONTH})\.?\s+{_D}(?:st|nd|rd|th)?(?!\d),?\s+(?:of\s+)?{_Y}(?!\d)",
        rf"\b{_D}(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<mm>{_MONTH})\.?,?\s+{_Y}(?!\d)",
        rf"\b(?P<mm>{_MONTH})\.?,?\s+(?:of\s+)?{_Y}(?!\d)",
        rf"(?<!\d)(?P<m>1[0-2]|0?[1-9])/{_D}/{_Y}(?!\d)",
        rf"{_Y}\s*年?的?\s*(?:第)?(?P<q>[一二三四1-4])\s*季度",
        rf"\bq(?P<q>[1-4])\s*(?:of\s+|,\s*)?{_Y}(?!\d)",
        rf"(?<!\d){_Y}\s*年?的?\s*-?q(?P<q>[1-4])(?![\da-z])",
        rf"{_Y}\s*年?的?(?P<h>[上下])半年",
        rf"\b(?P<q>{_NTH}) quarter (?:of|in)\s+{_Y}(?!\d)",
        rf"\b(?P<h>first|second) half (?:of|in)\s+{_Y}(?!\d)",
        rf"\bh(?P<h>[12])\s*(?:of\s+)?{_Y}(?!\d)",
        rf"(?<!\d){_Y}\s*年?的?\s*-?h(?P<h>[12])(?![\da-z])",
        rf"(?<![\d.,]){_Y}(?:\s*年度?)?(?![\d%s]|'s|[.,]\d)",
        rf"\b(?P<mm>{_MONTH})\.?\s+{_D}(?:st|nd|rd|th)?\b(?!\d|,\d)",
        rf"\b{_D}(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<mm>{_MONTH})\b",
        rf"\bin\s+(?P<mm>{_MONTH})\b",
        rf"(?<!\d)(?P<m>1[0-2]|0?[1-9])月(?:份)?(?:\s*{_D}\s*[日号])?",
        rf"(?<![一二三四五六七八九十第])(?P<mh>{_HAN_MONTH})月(?:份)?(?![兰光球饼])",
        r"(?<![a-z\d])(?P<h>[上下])半年",
        r"(?:第)?(?P<q>[一二三四1-4])季度",
        r"(?<![\da-z])q(?P<q>[1-4])(?![\da-z])",
        rf"\b(?P<q>{_NTH}) quarter\b",
        r"\b(?P<h>first|second) half of the year\b",
        rf"\b(?P<mm>{_PLAIN_MONTH})\b",
        r"\b(?:during|for|of|since|until|from|to|and|between|or) (?P<mm>march|may)\b",
        r"(?<!\d)(?:the\s+)?(?P<decade>(?:18|19|20)\d0)'?s\b",
    )
)
_NUMBERS = {"一": 1, "二": 2, "三": 3, "四": 4, "上": 1, "下": 2} | {
    word: number for number, word in enumerate(_NTH.split("|"), start=1)
}
_BEFORE = frozenset({"in", "the", "during", "for", "of", "since", "until", "from", "to", "and", "between", "or"})
_JOINS = frozenset(
    {"and", "to", "vs", "or", "with", "-", "~", "–", "和", "与", "到", "至", "比", "、", "及", "跟", "through"}
)
_ENDS = frozenset("底末")
_HAN = "一二三四五六七八九十"
_NEXT = 3
"""How many tokens may stand between two periods that share a year."""


def periods(text: str, tokens: tuple[Token, ...]) -> list[PeriodMention]:
    """Return every date or period of the question, in order; of overlapping readings, the most specific one."""
    folded = fold(text)
    taken: list[tuple[int, int]] = []
    found: list[PeriodMention] = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(folded):
            start, end = match.span()
            if any(start < last and first < end for first, last in taken):
                continue
            mention = _mention(match, tokens)
            if mention is not None:
                taken.append((start, end))
                found.append(mention)
    return _of_one_year(sorted(found, key=lambda mention: mention.start), tokens)


def _of_one_year(found: list[PeriodMention], tokens: tuple[Token, ...]) -> list[PeriodMention]:
    """Give periods without a year that of their neighbour (`Q1 and Q2 2024`, `2024年3月和4月`)."""
    result = list(found)
    for place, mention in enumerate(found):
        for other in (*found[place + 1 : place + 2], *found[max(0, place - 1) : place]):
            gap = tokens[min(mention.end, other.end) : max(mention.start, other.start)]
            joined = len(gap) <= _NEXT and {token.norm for token in gap} & _JOINS
            if mention.low is None and mention.months and other.low is not None and other.months and joined:
                result[place] = _dated(mention, int(other.low[:4]), mention.months)
                break
    return result


def in_year(said: PeriodMention, year: int | None) -> PeriodMention:
    """Return a period that is said without a year as it lies in `year`; itself if it has one, none is given, or the
    year has no such day."""
    months = said.months or ((said.month,) if said.month else ())
    if year is None or said.low is not None or not months or (said.day or 1) > last_day(year, months[-1]):
        return said
    return _dated(said, year, months)


def last_day(year: int, month: int) -> int:
    """Return the number of the last day of a month."""
    return calendar.monthrange(year, month)[1]


def _dated(plain: PeriodMention, year: int, months: tuple[int, ...]) -> PeriodMention:
    last = plain.day or last_day(year, months[-1])
    low, high = f"{year:04d}-{months[0]:02d}-{plain.day or 1:02d}", f"{year:04d}-{months[-1]:02d}-{last:02d}"
    return replace(plain, low=low, high=high)


def _mention(match: re.Match[str], tokens: tuple[Token, ...]) -> PeriodMention | None:
    start, end = match.span()
    inside = [place for place, token in enumerate(tokens) if token.start < end and token.end > start]
    while inside and tokens[inside[0]].norm in _BEFORE:
        inside = inside[1:]
    if not inside:
        return None
    parts = {name: value for name, value in match.groupdict().items() if value}
    found = _of_parts(parts, inside[0], inside[-1] + 1, match.group())
    return found and _at_its_end(found, tokens)


def _at_its_end(found: PeriodMention, tokens: tuple[Token, ...]) -> PeriodMention:
    """Return the last day of a period whose end is spoken of: `2025年底`."""
    ended = found.end < len(tokens) and tokens[found.end].norm in _ENDS and found.text.endswith(("年", "月"))
    if not ended or found.high is None or found.day is not None:
        return found
    return replace(found, low=found.high, end=found.end + 1, text=found.text + tokens[found.end].text)


def _of_parts(parts: dict[str, str], start: int, end: int, text: str) -> PeriodMention | None:
    """Return the period for the named parts of a date; None if there is no such day."""
    plain = PeriodMention(start=start, end=end, score=0.97, low=None, high=None, text=text)
    if "decade" in parts:
        decade = int(parts["decade"])
        return replace(plain, low=f"{decade:04d}-01-01", high=f"{decade + 9:04d}-12-31")
    month = _month(parts)
    months = (month,) if month is not None else _months(parts)
    day = int(parts["d"]) if "d" in parts else None
    if day is not None and not 1 <= day <= calendar.monthrange(int(parts.get("y", 2000)), month or 1)[1]:
        return None
    plain = replace(plain, month=month, day=day, months=months)
    return _dated(plain, int(parts["y"]), months or (1, 12)) if "y" in parts else plain


def _month(parts: dict[str, str]) -> int | None:
    if "m" in parts:
        return int(parts["m"])
    if "mh" in parts:
        return sum(_HAN.index(character) + 1 for character in parts["mh"])
    return _MONTHS.get(parts["mm"], 9) if "mm" in parts else None


def _months(parts: dict[str, str]) -> tuple[int, ...]:
    """Return the months of a quarter or half-year; empty if the parts name neither."""
    for name, size in (("q", 3), ("h", 6)):
        if name in parts:
            number = _NUMBERS.get(parts[name]) or int(parts[name])
            return tuple(range(number * size - size + 1, number * size + 1))
    return ()
