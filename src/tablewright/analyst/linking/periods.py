"""Dates and stretches of time in a question, in both languages."""

from __future__ import annotations

import calendar
import re

from tablewright.analyst.linking.mentions import PeriodMention
from tablewright.analyst.linking.text import fold
from tablewright.analyst.linking.tokens import Token

_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name} | {
    name.lower(): number for number, name in enumerate(calendar.month_abbr) if name
}
_MONTH = "|".join(sorted([*_MONTHS, "sept"], key=len, reverse=True))
_Y = r"(?P<y>(?:18|19|20)\d\d)"
_D = r"(?P<d>[0-3]?\d)"
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_Y}\s*年\s*(?P<m>1[0-2]|0?[1-9])\s*月(?:份)?(?:\s*{_D}\s*[日号])?",
        rf"(?<!\d){_Y}[-/.](?P<m>1[0-2]|0?[1-9])[-/.]{_D}(?!\d)",
        rf"(?<!\d){_Y}[-/](?P<m>1[0-2]|0[1-9])(?![\d-])",
        rf"\b(?P<mm>{_MONTH})\.?\s+{_D}(?:st|nd|rd|th)?(?!\d),?\s+(?:of\s+)?{_Y}(?!\d)",
        rf"\b{_D}(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<mm>{_MONTH})\.?,?\s+{_Y}(?!\d)",
        rf"\b(?P<mm>{_MONTH})\.?,?\s+(?:of\s+)?{_Y}(?!\d)",
        rf"(?<!\d)(?P<m>1[0-2]|0?[1-9])/{_D}/{_Y}(?!\d)",
        rf"{_Y}\s*年?\s*(?:第)?(?P<q>[一二三四1-4])\s*季度",
        rf"\bq(?P<q>[1-4])\s*(?:of\s+|,\s*)?{_Y}(?!\d)",
        rf"(?<!\d){_Y}\s*-?q(?P<q>[1-4])\b",
        rf"{_Y}\s*年(?P<h>[上下])半年",
        rf"(?<![\d.,]){_Y}(?:\s*年度?)?(?![\d%s]|'s|[.,]\d)",
        rf"\b(?P<mm>{_MONTH})\.?\s+{_D}(?:st|nd|rd|th)?\b(?!\d|,\d)",
        rf"\b{_D}(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<mm>{_MONTH})\b",
        rf"\bin\s+(?P<mm>{_MONTH})\b",
        rf"(?<!\d)(?P<m>1[0-2]|0?[1-9])月(?:份)?(?:\s*{_D}\s*[日号])?",
        r"(?<!\d)(?:the\s+)?(?P<decade>(?:18|19|20)\d0)'?s\b",
    )
)
_QUARTERS = {"一": 1, "二": 2, "三": 3, "四": 4}


def periods(text: str, tokens: tuple[Token, ...]) -> list[PeriodMention]:
    """Return every date or period of the question; of overlapping readings, the most specific one."""
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
    return sorted(found, key=lambda mention: mention.start)


def _mention(match: re.Match[str], tokens: tuple[Token, ...]) -> PeriodMention | None:
    start, end = match.span()
    inside = [place for place, token in enumerate(tokens) if token.start < end and token.end > start]
    if inside and tokens[inside[0]].norm in {"in", "the"}:
        inside = inside[1:]
    if not inside:
        return None
    parts = {name: value for name, value in match.groupdict().items() if value}
    bounds = _bounds(parts)
    if bounds is None:
        return None
    low, high, month, day = bounds
    return PeriodMention(
        start=inside[0], end=inside[-1] + 1, score=0.97, low=low, high=high, month=month, day=day, text=match.group()
    )


def _bounds(parts: dict[str, str]) -> tuple[str | None, str | None, int | None, int | None] | None:
    if "decade" in parts:
        decade = int(parts["decade"])
        return f"{decade:04d}-01-01", f"{decade + 9:04d}-12-31", None, None
    month = _month(parts)
    day = int(parts["d"]) if "d" in parts else None
    if day is not None and not 1 <= day <= 31:
        return None
    if "y" not in parts:
        return None, None, month, day
    year = int(parts["y"])
    first, last = _months(parts, month)
    if day is not None and day > calendar.monthrange(year, first)[1]:
        return None
    high_day = day or calendar.monthrange(year, last)[1]
    return f"{year:04d}-{first:02d}-{day or 1:02d}", f"{year:04d}-{last:02d}-{high_day:02d}", month, day


def _month(parts: dict[str, str]) -> int | None:
    if "m" in parts:
        return int(parts["m"])
    return _MONTHS.get(parts["mm"], 9) if "mm" in parts else None


def _months(parts: dict[str, str], month: int | None) -> tuple[int, int]:
    if month is not None:
        return month, month
    if "q" in parts:
        quarter = _QUARTERS.get(parts["q"]) or int(parts["q"])
        return quarter * 3 - 2, quarter * 3
    if "h" in parts:
        return (1, 6) if parts["h"] == "上" else (7, 12)
    return 1, 12
