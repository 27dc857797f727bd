"""Rows and cells coloured by their content or their rank."""

from __future__ import annotations

import re
from typing import Any

from tablewright.analyst.linking.text import fold
from tablewright.analyst.operating.cells_said import number, said_color, said_rows
from tablewright.analyst.operating.columns_named import LEVELS, under_any_header
from tablewright.analyst.operating.families.summaries import summarized
from tablewright.analyst.operating.filters import where
from tablewright.analyst.operating.measures import Grouping, grouping, is_code, measured
from tablewright.analyst.operating.ranking import ranked
from tablewright.analyst.operating.tests_said import alone
from tablewright.analyst.operating.wish import Lacking, Op, Read, Wish
from tablewright.workbook.areas import Area

HIGHLIGHT = (
    r"\b(?:highlight|colou?r|shade|mark|flag|fill|paint|tint|make|give|background)\b|高亮|标[红黄绿蓝橙紫粉灰记出注]"
    r"|标为|标成|突出|填充|涂|染|底色|背景|着色|变[红黄绿蓝]|[红黄绿蓝橙]色"
)
_FONT = (
    r"\b(?:font|text|letters|bold|italic|underline)\b|[黄红绿蓝橙紫粉灰白黑]字|字体|文字|字色|字的?颜色|加粗|粗体|斜体"
    r"|下划线"
)


_TOLD = (
    r"\b(?:than|before|after|between|above|below|over|under|average|rows?|who|that|which|where|whose)\b"
    r"|之前|之后|以前|以后|以上|以下|大于|小于|超|低于|高于|平均|介于|整行|的行|的订单|的人"
)
"""Words of a condition, which therefore does not mean a whole column."""


def highlight(wish: Wish) -> Read:
    """Read the colouring of rows or cells: `highlight rows where status is cancelled in red`, `高亮前3名`, `标红A1:B3`,
    `表头填充浅蓝色`."""
    if not wish.has(HIGHLIGHT) or wish.has(_FONT) or wish.has(r"\bborder|边框|框线"):
        return None
    color = said_color(wish.text)
    if color is None and not wish.has(r"\b(?:highlight|mark|flag|shade)\b|高亮|标|突出|底色"):
        return None
    if wish.has(
        r"\b(?:remove|clear|no)\b[^.]*\b(?:fill|highlight|colou?r|background)|(?:去掉|清除|取消)[^。]*(?:填充|高亮"
        r"|底色|背景|颜色)"
    ):
        return [wish.op("set_fill", range=wish.cells() or wish.body())]
    wish.memory.color = color
    return (
        _painted(wish)
        or group_totals(wish)
        or _one_place(wish, color)
        or _every_cell(wish, color)
        or _ranked(wish, color)
        or _area(wish, color)
        or _rows(wish, color)
    )


def _painted(wish: Wish) -> Read:
    """Read several parts, each with its own colour and condition: `pending orders blue and cancelled ones red`."""
    steps: list[Op] = []
    for part in re.finditer(r"(?:(?!\band\b)[^,，、;；和])+", wish.text):
        color = said_color(part[0])
        found = where(wish, *part.span()) if color else None
        if color is not None and found is not None:
            steps.append(wish.op("highlight_cells", where=found, color=color))
    return steps if len({str(step.parameters["color"]) for step in steps}) > 1 else None


def _ranked(wish: Wish, color: str | None) -> Read:
    found = ranked(wish)
    if found is None:
        return None
    column, count, largest = found
    if column is None:
        return Lacking(what="column", function="highlight_cells")
    wish.memory.top = (column, count, largest)
    cells = wish.has(r"\bcells?\b|\bvalues?\b|单元格|数值")
    given: dict[str, Any] = {"top_column": column, "top_count": count, "color": color}
    if not largest:
        given["largest"] = False
    if cells:
        given["whole_row"] = False
    return [wish.op("highlight_cells", **given)]


_TOTALLED = (
    r"\b(?:totals|(?:total|summed|overall) \w+ by|by (?:total|summed|overall))\b|(?:合计|总和|总计|累计|总额"
    r"|总量)(?:值|数)?(?:最|前|排名)|总[^，。]{1,6}最"
)


def group_totals(wish: Wish) -> Read:
    """Read the groups with the largest totals, which are computed on a sheet of their own: `the top 3 totals by
    customer`, `金额合计最高的3个客户`."""
    found, color = (ranked(wish) if wish.has(_TOTALLED) else None), said_color(wish.text)
    if found is None:
        return None
    texts = [name for name in wish.said() if name in wish.place.names and wish.place.fact(name).kind == "text"]
    groups = grouping(wish) or (Grouping(columns=(texts[-1],)) if texts else None)
    if groups is None or groups.unit is not None or len(groups.columns) != 1 or _once(wish, groups.columns[0]):
        return None
    _, count, largest = found
    steps = summarized(wish, groups, "sum")
    given = {
        "sheet": wish.memory.chart_sheet,
        "top_column": "B",
        "top_count": count,
        "largest": None if largest else False,
        "color": color,
    }
    named_ones = {name: value for name, value in given.items() if value is not None}
    return [*steps, Op(function="highlight_cells", parameters=named_ones)]


def _once(wish: Wish, name: str) -> bool:
    """Return whether every row has its own value of a column, so that there is nothing to add up."""
    fact = wish.place.fact(name)
    return fact.distinct is not None and fact.distinct >= wish.place.facts.rows


_NTH = re.compile(
    r"(?P<last>倒数)?第\s*(?P<zh>[一二三四五六七八九十\d]+)\s*(?P<zway>名|高|大|多|低|小|少|位|(?<=倒数第.)的)"
    r"|\b(?P<en>second|third|fourth|fifth|\d+(?:nd|rd|th))[- ](?P<way>highest|largest|biggest|best|most|lowest"
    r"|smallest|cheapest|least|worst)\b"
)
_ORDINALS = {"second": 2, "third": 3, "fourth": 4, "fifth": 5}


def _one_place(wish: Wish, color: str | None) -> Read:
    """Read the rows at a single rank: `绩效第二名`, `the third largest`."""
    match = _NTH.search(wish.low)
    if match is None or wish.has(r"第\s*\S+\s*[行列]"):
        return None
    names = [name for name in wish.numeric(wish.said()) if not is_code(wish, name)] or measured(wish)
    said = bool(wish.numeric(wish.said()))
    if not names or (not said and len(names) > 1 and wish.memory.made is None and not wish.memory.columns):
        return Lacking(what="column", function="highlight_cells")
    place = number(match["zh"]) if match["zh"] else _ORDINALS.get(match["en"]) or int(re.sub(r"\D", "", match["en"]))
    down = (
        match["last"]
        or (match["zway"] or "") in set("低小少")
        or re.search(r"low|small|cheap|least|worst", match["way"] or "")
    )
    given: dict[str, Any] = {"top_column": names[0], "top_count": place, "top_from": place, "color": color}
    wish.memory.top = (names[0], place, not down)
    cells = wish.has(r"\bcells?\b|单元格")
    return [wish.op("highlight_cells", **given, largest=False if down else None, whole_row=False if cells else None)]


def _area(wish: Wish, color: str | None) -> Read:
    """Read a range, the header, a row, or what was just mentioned."""
    cells = wish.cells()
    if cells is None and wish.has(r"\bheaders?\b|\b(?:title|top|first) row\b|表头|标题行|首行|第一行"):
        cells = wish.place.header_range
    rows = said_rows(wish.low) if cells is None else None
    if rows is not None:
        area = wish.place.area
        cells = Area(rows[0], area.first_column, rows[1], area.last_column).text
    if cells is None and _bare(wish) and wish.memory.target:
        cells = wish.memory.target
    if cells is None:
        return None
    wish.memory.target = cells
    return [wish.op("set_fill", range=cells, color=color or "yellow")]


def _bare(wish: Wish) -> bool:
    """Return whether the words name neither columns nor a condition."""
    return not wish.said() and where(wish) is None


def _every_cell(wish: Wish, color: str | None) -> Read:
    """Read the cells of all amounts, if no column is named: `the cells over 8000`."""
    if (
        not wish.has(r"\b(?:cells?|values?|numbers?|amounts?|figures?)\b|单元格|数值|数字|金额")
        or wish.has(r"\brows?\b|行")
        or wish.said()
    ):
        return None
    lower = {name.partition(LEVELS)[2] for _, _, name in under_any_header(wish.text, wish.place.names)}
    names = [name for name in wish.place.names if name in measured(wish) and name in wish.place.letters]
    names = [name for name in names if not lower or name.partition(LEVELS)[2] in lower]
    test = alone(wish.text, "") if len(names) > 1 else None
    if test is None or wish.cells() is not None:
        return None
    filters = [{"tests": [{**test, "column": name}], "match": "all"} for name in names]
    return [wish.op("highlight_cells", where=one, color=color, whole_row=False) for one in filters]


def _in_every_level(wish: Wish, found: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the filter for every column with the same lower header, if the words name no upper one."""
    column = str(found["tests"][0]["column"])
    upper, _, lower = column.partition(LEVELS)
    if len(found["tests"]) > 1 or not lower or fold(upper) in wish.low:
        return [found]
    names = [name for name in wish.place.names if name.partition(LEVELS)[2] == lower]
    if any(fold(name.partition(LEVELS)[0]) in wish.low for name in names):
        return [found]
    return [{**found, "tests": [{**found["tests"][0], "column": name}]} for name in names]


def _rows(wish: Wish, color: str | None) -> Read:
    found = where(wish)
    if found is None and wish.has(r"\b(?:missing|blank|empty)\b|空|缺"):
        said = wish.said()
        found = {"tests": [{"column": name, "op": "missing"} for name in said], "match": "any"} if said else None
    if found is None and wish.has(r"\b(?:them|these|those|it)\b|它们|这些|那些|其"):
        found = wish.memory.where
    if found is not None:
        wish.memory.where = found
        cells = wish.has(r"\bcells?\b|\bvalues?\b|\bnumbers?\b|单元格|数值") and not wish.has(r"\brows?\b|行")
        every = _in_every_level(wish, found) if cells else [found]
        return [wish.op("highlight_cells", where=one, color=color, whole_row=False if cells else None) for one in every]
    columns = wish.said()
    if columns and (wish.has(r"\bcolumns?\b|列") or not wish.has(_TOLD)):
        return [wish.op("set_fill", range=wish.span(name), color=color or "yellow") for name in columns]
    return Lacking(what="condition", function="highlight_cells")
