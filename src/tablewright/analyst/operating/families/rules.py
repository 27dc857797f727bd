"""Comments, data validation and conditional formats."""

from __future__ import annotations

import re
from dataclasses import replace

from tablewright.analyst.operating.cells_said import quoted, said_color, said_range, without_colors
from tablewright.analyst.operating.filters import where
from tablewright.analyst.operating.tests_said import alone
from tablewright.analyst.operating.wish import Lacking, Op, Read, Wish

_COMMENT = r"\b(?:comments?|notes?|annotat\w+)\b|批注|注释|备注到|附注"
_VALIDATION = (
    r"\b(?:data )?validation\b|\bdrop-?\s?down\b|\brestrict\b|\blimit\b[^.]*\b(?:to|between)\b|\bonly allow\b"
    r"|\ballow only\b|\bpick ?list\b|数据验证|数据有效性|有效性|下拉|限制|只允许|只能(?:输入|填|选)"
)
_CONDITIONAL = (
    ("color_scale", r"\bcolou?r[- ]scale|\bheat ?map|\bgradient\b|\bcolou?r[- ]cod\w+|色阶|热力|渐变"),
    ("data_bar", r"\bdata[- ]?bars?\b|数据条"),
    ("icon_set", r"\bicon[- ]?sets?\b|\btraffic[- ]lights?\b|\bicons\b|图标集|红绿灯"),
    ("duplicates", (
        r"\b(?:highlight|mark|flag|colou?r|shade|show)\b[^.]*\bduplicat\w*|\bduplicat\w*[^.]*\b(?:highlight|red|yellow"
        r"|colou?r)|(?:标|高亮|突出)[^。]*重复|重复[^。]*(?:标|高亮|突出)"
    )),
)  # fmt: skip


def comment(wish: Wish) -> Read:
    """Read a comment: `add a comment 'check this' to B3`, `在B3添加批注：待确认`."""
    if not wish.has(_COMMENT) or wish.has(r"\bcolumn\b[^.]*\bnotes?\b|列"):
        return None
    cell = wish.cells()
    if cell is None:
        return Lacking(what="range", function="add_comment")
    marks = quoted(wish.text)
    said = re.search(
        r"(?:[:：]|\bsaying\b|\bthat says\b|\breading\b|内容为|内容是|写上|写着|说明)\s*[:：]?\s*(?P<text>.+)$",
        wish.text,
    )
    words = marks[0] if marks else said["text"].strip() if said else None
    if not words:
        return Lacking(what="value", function="add_comment")
    return [wish.op("add_comment", cell=cell, text=words)]


def validation(wish: Wish) -> Read:
    """Read data validation: lists to choose from, and bounds of numbers, dates and lengths."""
    if not wish.has(_VALIDATION):
        return None
    parts = _LISTS.split(wish.text)
    if len(parts) > 1:
        found = [validation(replace(wish, text=part)) for part in parts]
        missing = next((one for one in found if isinstance(one, Lacking)), None)
        return missing or [step for one in found if isinstance(one, list) for step in one]
    cells = said_range(re.sub(r"\d+\s*(?:-|到|至|~)\s*\d+", " ", wish.bare)) or _column_cells(wish)
    if cells is None:
        return Lacking(what="column", function="set_data_validation")
    bounds = re.search(
        r"(?:between|from|介于)?\s*(-?\d+(?:\.\d+)?)\s*(?:and|to|-|~|到|至|和|与)\s*(-?\d+(?:\.\d+)?)",
        _without_cells(wish.low, cells),
    )
    if bounds and not wish.has(r"\blist\b|\bdrop-?\s?down|下拉|列表|选择"):
        low, high = (float(part) if "." in part else int(part) for part in bounds.groups())
        kind = (
            "text_length"
            if wish.has(r"\blength|\bcharacters|长度|字符|字数")
            else "decimal"
            if wish.has(r"\bdecimal|小数") or not (isinstance(low, int) and isinstance(high, int))
            else "whole"
        )
        return [wish.op("set_data_validation", range=cells, kind=kind, minimum=low, maximum=high)]
    least = re.search(
        r"(at least|greater than or equal to|>=|不小于|至少|大于等于|大于|greater than|more than|positive|正数"
        r"|at most|no more than|<=|不超过|不大于|至多|小于|less than)\s*(-?\d+(?:\.\d+)?)?",
        wish.low,
    )
    if least and (least[2] or "positive" in least[1] or "正" in least[1]):
        value = float(least[2] or 0)
        at_most = re.search(r"most|no more|<=|不超过|不大于|至多|小于|less", least[1]) is not None
        bound = {"maximum": value} if at_most else {"minimum": value}
        return [wish.op("set_data_validation", range=cells, kind="decimal", **bound)]
    options = _options(wish)
    return (
        [wish.op("set_data_validation", range=cells, kind="list", options=options)]
        if options
        else Lacking(what="value", function="set_data_validation")
    )


_LISTS = re.compile(r"\s*,?\s*\band\s+(?:also\s+)?(?=(?:an?|another)\s+(?:\w+\s+)?drop-?\s?down\b)", re.IGNORECASE)
"""What stands between two lists to choose from that are asked for at once."""


def _without_cells(low: str, cells: str) -> str:
    return low.replace(cells.lower(), " ")


def _column_cells(wish: Wish) -> str | None:
    columns = wish.said(re.split(r"[:：]", wish.text, maxsplit=1)[0]) or wish.said()
    name = columns[0] if columns else wish.answered()
    return wish.span(name) if name else None


def _options(wish: Wish) -> list[str]:
    marks = quoted(wish.text)
    if len(marks) > 1:
        return marks
    allowed = re.search(
        r"\b(?:only allow|allow only|restrict .*? to|limit .*? to)\s+(?P<list>.+?)(?:\s+(?:in|for|on|into)\s+.*)?$",
        wish.text,
        re.IGNORECASE,
    )
    if allowed is not None and not marks:
        return [part.strip() for part in re.split(r"\s*(?:/|,|\bor\b|\band\b)\s*", allowed["list"]) if part.strip()]
    text = marks[0] if marks else wish.text
    said = re.search(
        r"(?:[:：]|\blist(?: of)?|\boptions?|\bvalues?|\bdrop-?\s?downs?(?=\s+\S+/)|\bwith|\bto|\bof|选项(?:为|是"
        r"|有)?|内容为|包含|只能(?:选|填|输入)(?:择)?|可选|值为|选择)\s*(?:the (?:values"
        r"|options)\s+)?(?P<list>[^:：]+?)(?:\s+(?:on|in|for|to|at)\s+(?:the\s+)?(?:column|cells?|range)?.*)?$",
        text, re.IGNORECASE,
    )  # fmt: skip
    listed = (
        text
        if marks
        else re.split(r"选项(?:有|为|是|包括)?|(?:值|内容)(?:为|有|是)|[:：]", said["list"])[-1]
        if said
        else ""
    )
    parts = [
        part.strip(" \"'“”‘’.。") for part in re.split(r"\s*(?:/|,|，|、|;|；|\bor\b|\band\b|或者|或|和)\s*", listed)
    ]
    parts = [re.sub(r"^(?:validation )?(?:list|options?)\s+", "", part) for part in parts]
    return [part for part in parts if part] if len([part for part in parts if part]) > 1 else []


def conditional(wish: Wish) -> Read:
    """Read colour scales, data bars, icons or marked duplicates, or a rule if a conditional format is asked for as
    such."""
    kinds = [name for name, pattern in _CONDITIONAL if wish.has(pattern)]
    if len(kinds) > 1:
        return _several(wish)
    kind = kinds[0] if kinds else None
    ruled = kind is None and wish.has(r"\bconditional(?:ly)? format\w*|条件格式")
    if kind is None and not ruled:
        return None
    cells = wish.cells()
    columns = wish.said() if cells is None else []
    if cells is None and not columns:
        found = wish.answered() or (wish.memory.columns[-1] if wish.memory.columns else None)
        columns = [found] if found else []
    if cells is None and not columns:
        return Lacking(what="column", function="conditional_format")
    ranges = [cells] if cells else [wish.span(name) for name in columns]
    color = said_color(wish.text)
    if ruled:
        test = alone(wish.text, "") if len(columns) > 1 else None
        if test is not None:
            given = {"kind": "rule", "op": test["op"], "value": test["value"], "colors": [color] if color else None}
            return [wish.op("conditional_format", range=one, **given) for one in ranges]
        return _rule(wish, ranges[0], color)
    colors = [color] if color and kind in {"data_bar", "duplicates"} else None
    return [wish.op("conditional_format", range=one, kind=kind, colors=colors) for one in ranges]


def _several(wish: Wish) -> Read:
    """Read each part of an enumeration that has a kind of its own."""
    steps: list[Op] = []
    for part in re.split(r"\band\b|[,，、和]", wish.text):
        found = (
            conditional(replace(wish, text=part))
            if any(re.search(pattern, part.lower()) for _, pattern in _CONDITIONAL)
            else None
        )
        if isinstance(found, Lacking):
            return found
        steps += found or []
    return steps


def _rule(wish: Wish, cells: str, color: str | None) -> Read:
    top = re.search(r"\btop\s+(\d+)|前\s*(\d+)", wish.low)
    colors = [color] if color else None
    if top:
        count = int(next(group for group in top.groups() if group))
        return [wish.op("conditional_format", range=cells, kind="top", count=count, colors=colors)]
    found = where(wish)
    test = found["tests"][0] if found else None
    if test is None or test.get("than"):
        return Lacking(what="condition", function="conditional_format")
    if not re.search(r"[A-Za-z]\d", without_colors(wish.text)) and test["column"] in wish.place.names:
        cells = wish.span(test["column"])
    return [
        wish.op("conditional_format", range=cells, kind="rule", op=test["op"], value=test.get("value"), colors=colors)
    ]
