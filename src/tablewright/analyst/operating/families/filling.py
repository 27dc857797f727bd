"""Filling of empty cells, and continuation of formulas."""

from __future__ import annotations

import re

from tablewright.analyst.operating.cells_said import plain_number, quoted
from tablewright.analyst.operating.wish import Lacking, Read, Wish

_MISSING = (
    r"\b(?:missing|blanks?|empty|null|nan|nulls|gaps?)\b|缺失|空缺|空值|空白|为空|没填|未填|空着|空的|空格子|空单元格"
)
_FILL = (
    r"\b(?:fill|replace|impute|set|put|substitute|change|populate|write|enter)\b|填充|填补|填成|填上|填为|补全|补齐|补"
    r"|填|替换|设为"
)
_HOW = (
    ("median", r"\bmedian\b|中位数"),
    ("mean", r"\b(?:mean|average|avg)\b|平均|均值"),
    ("mode", r"\b(?:mode|most (?:common|frequent))\b|众数|最常见|出现最多"),
    ("previous", r"\b(?:previous|above|prior|forward|last known|preceding)\b|上一|前一|上方|上面|前面"),
    ("next", r"\b(?:next|below|following|backward)\b|下一|后一|下方|下面|后面"),
)
_COMPUTED = r"\d\s*%\s*of\b|\btimes\b|\bmultiplied\b|的\s*\d+(?:\.\d+)?\s*[%倍]|乘以"
"""Words for values computed from the row, which no constant is."""
_VALUE = re.compile(
    r"\b(?:with|by|to|as|into|using|write|put)\s+(?:the\s+)?(?:value\s+|word\s+|text\s+)?(?P<en>[^\s,，.。]+)"
    r"|(?:填充|填补|填成|填上|填为|补成|补为|补上|替换成|替换为|设为|设置为|改为|改成|写成|填"
    r"|用)\s*[:：]?\s*(?P<zh>[^\s，。,填补]+)",
    re.IGNORECASE,
)


def fill_missing(wish: Wish) -> Read:
    """Read the filling of empty cells: `fill the blanks in Age with the median`, `把缺失的数量填成0`."""
    if (
        not wish.has(_MISSING)
        or not wish.has(_FILL)
        or wish.has(r"\b(?:highlight|color|colour|red|yellow)\b|标|高亮|颜色|色")
    ):
        return None
    if wish.has(_COMPUTED):
        return None
    how = next((name for name, pattern in _HOW if wish.has(pattern)), "constant")
    if how in {"mean", "median"} and wish.has(r"\brow\b|\brow's\b|该行|同一?行|本行|所在行"):
        return None
    value = _value(wish) if how == "constant" else None
    if how == "constant" and value is None:
        return Lacking(what="value", function="fill_missing")
    columns = [name for name in wish.said() if name != value]
    if not columns and wish.has(r"\b(?:all|every|everywhere)\b|所有|全部|整个|全表"):
        columns = [name for name in wish.place.names if wish.place.fact(name).missing or how != "constant"]
        columns = wish.numeric(columns) if how in {"mean", "median"} else columns
    if not columns:
        with_gaps = [name for name in wish.place.names if wish.place.fact(name).missing]
        found = wish.answered()
        columns = [found] if found else with_gaps
    if not columns:
        return Lacking(what="column", function="fill_missing")
    wish.memory.columns = columns
    return [wish.op("fill_missing", column=name, how=how, value=value) for name in columns]


def _value(wish: Wish) -> str | float | int | None:
    if wish.has(r"\bzeros?\b|零"):
        return 0
    marks = quoted(wish.text)
    if marks:
        return marks[0]
    for match in reversed(list(_VALUE.finditer(wish.text))):
        said = (match["en"] or match["zh"]).strip()
        number = plain_number(said)
        if number is not None and re.fullmatch(r"-?[\d.,]+", said):
            return number
        if not re.search(_MISSING, said) and said not in wish.place.names:
            return said
    return None


def fill_down(wish: Wish) -> Read:
    """Read the continuation of a formula: `fill down D2:D20`, `把D2的公式向下填充到D20`."""
    if not wish.has(r"\bfill(?:ing)? (?:it )?down\b|\bcopy (?:the formula )?down\b|\bdrag\b|向下填充|下拉"):
        return None
    cells = wish.cells()
    if cells is None:
        column = wish.column()
        return (
            [wish.op("fill_down", range=wish.span(column))] if column else Lacking(what="range", function="fill_down")
        )
    if ":" not in cells:
        last = wish.place.rows[1]
        cells = f"{cells}:{cells.rstrip('0123456789')}{last}"
    return [wish.op("fill_down", range=cells)]
