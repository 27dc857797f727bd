"""Which columns are meant if the words do not name them: those that are measured, and those to group by."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tablewright.analyst.linking.additivity import aggregate_for, identifying
from tablewright.analyst.linking.additivity import is_code as called_code
from tablewright.analyst.operating.wish import Wish
from tablewright.workbook.areas import column_number

_CONTACTS = re.compile(r"(?:^|[_ ])(?:phone|mobile|zip|postcode|year)$|(?:手机|电话|邮编|年份)$", re.IGNORECASE)
_GROUPED = re.compile(
    r"\b(?:grouped by|group by|broken down by|split by|by each|by|per|for each|for every|in each|in every|of each"
    r"|of every|each|every|across|against|vs\.?|over)\s+(?P<en>.+)$"
    r"|(?:按照|按|根据|以|分|各个|各|每个|每)(?P<zh>.+?)(?:来)?(?:分组|分类|汇总|统计|求和|计算|合计|求|画|绘制|做"
    r"|生成|的|显示|展示|为|$|，)",
)
_SOME_ROWS = 5
_MONTH = re.compile(r"\bmonth(?:ly|s)?\b|按月|每月|各月|每个月|月份|逐月|月度")
_YEAR = re.compile(r"\b(?:year(?:ly|s)?|annual(?:ly)?)\b|按年|每年|各年|年度")


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    """The columns to group by; `unit` (month, year) is set for dates truncated to it."""

    columns: tuple[str, ...]
    unit: str | None = None


def is_code(wish: Wish, name: str) -> bool:
    """Return whether a numeric column identifies rows rather than measuring something."""
    fact = wish.place.fact(name)
    called = called_code(name) or _CONTACTS.search(name.strip()) is not None
    return called or _numbered(wish, name) or identifying(name, fact.minimum, fact.maximum)


def _numbered(wish: Wish, name: str) -> bool:
    """Return whether a column numbers the rows: whole numbers, unique and without gaps (`Order` from 1001 to 1060)."""
    fact, rows = wish.place.fact(name), wish.place.facts.rows
    low, high = fact.minimum, fact.maximum
    whole = fact.kind == "integer" and isinstance(low, int | float) and isinstance(high, int | float)
    return whole and fact.distinct == rows >= _SOME_ROWS and high - low == rows - 1  # type: ignore[operator]


def measured(wish: Wish) -> list[str]:
    """Return the numeric columns that measure something: those mentioned before first, then the additive ones."""
    known = [name for name in wish.place.names if wish.place.numeric(name) and not is_code(wish, name)]
    made = [wish.memory.made] if wish.memory.made else []
    spoken = [name for name in (*made, *reversed(wish.memory.columns)) if name in known]
    ranked = sorted(
        known, key=lambda name: (aggregate_for(wish.place.fact(name)) != "sum", -abs(wish.place.fact(name).mean or 0.0))
    )
    return list(dict.fromkeys([*spoken, *ranked]))


def grouping(wish: Wish) -> Grouping | None:
    """Return what the words group by, or None."""
    said = wish.said()
    dates = [name for name in said if name in wish.place.names and wish.place.dated(name)]
    every = [name for name in wish.place.names if wish.place.dated(name)]
    for unit, pattern in (("month", _MONTH), ("year", _YEAR)):
        if pattern.search(wish.low) and (dates or every):
            named = [name for name in said if pattern.search(name.lower()) and name not in every]
            if not named:
                return Grouping(columns=((dates or every)[0], *_beside_dates(wish)), unit=unit)
    for match in _GROUPED.finditer(wish.low):
        start, end = match.span("en") if match["en"] else match.span("zh")
        columns = wish.said(_cut(wish.text[start:end]))
        columns = [name for name in columns if name in wish.place.names]
        keys = [name for name in columns if not wish.place.numeric(name) or is_code(wish, name)]
        if columns:  # `各大区销售额`: the amount after the key is measured
            return Grouping(columns=tuple((keys or columns)[:3]))
    return None


def _beside_dates(wish: Wish) -> list[str]:
    """Return a column that is grouped by along with the dates: `by month and category`, `按月份和区域`."""
    match = _WITH_MONTH.search(wish.text)
    said = wish.said(_cut(next(group for group in match.groups() if group))) if match else []
    keys = [name for name in said if name in wish.place.names and not wish.place.dated(name)]
    return [name for name in keys if not wish.place.numeric(name) or is_code(wish, name)][:1]


_WITH_MONTH = re.compile(
    r"\b(?:month|year)(?:ly|s)?\s*(?:,|and|&|x|by)\s*(?:by\s+)?(?P<en>\w.*)$|\bby\s+(?P<en2>[\w ]+?)\s*(?:,|and"
    r"|&)\s*(?:by\s+)?(?:month|year)\b|(?:月份?|年份?)\s*(?:、|和|与|及|，|,)\s*(?P<zh>[^，。]+)"
    r"|按(?P<zh2>[^，。]{1,8})(?:、|和|与|及)(?:月|年)",
    re.IGNORECASE,
)


def _cut(text: str) -> str:
    """Return the text up to where the sentence turns from the grouping to something else."""
    return re.split(
        r"\b(?:on|in|into|to|using|with|from|as|for|sheet|where|sum|sorted|showing)\b|[,，;；]|汇总|统计|求|计算",
        text,
        maxsplit=1,
    )[0]


_FACTOR = 20
"""Columns whose means differ by more than this factor are not amounts of one kind."""


def alike(wish: Wish) -> list[str]:
    """Return all amounts of the table if they are adjacent and of one kind, such as marks per subject or months of a
    budget; else an empty list."""
    names = [name for name in wish.place.names if wish.place.numeric(name) and not is_code(wish, name)]
    names = [name for name in names if name != wish.memory.made and name in wish.place.letters]
    means = [abs(wish.place.fact(name).mean or 0.0) for name in names]
    near = len(names) > 1 and (not any(means) or 0 < max(means) <= _FACTOR * min(means))
    at = [column_number(wish.letters_of(name)) for name in names]
    return names if near and at == list(range(at[0], at[0] + len(at))) else []
