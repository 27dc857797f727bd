"""Summaries by group on a sheet of their own, and pivot tables."""

from __future__ import annotations

import re

from tablewright.analyst.operating.cells_said import named, quoted
from tablewright.analyst.operating.measures import Grouping, grouping, is_code, measured
from tablewright.analyst.operating.months import by_unit
from tablewright.analyst.operating.wish import Lacking, Op, Read, Wish
from tablewright.analyst.operating.words import NEW_SHEET, aggregation, asks
from tablewright.texts.catalogue import text

_SUMMARY = (
    r"\bpivot\w*|\bsummar\w+|\bgroup(?:ed)? by\b|\bcross-?tab\w*|\bbreakdown\b|透视|汇总|分组|统计表|交叉表|分类统计"
)
_ACROSS = re.compile(
    r"(?P<before>[\w ]+?)\s+(?:as|in|for|on)\s+(?:the\s+)?columns?\b|\b(?:across|as columns|in columns"
    r"|columns? (?:is|are|being|by)|with columns?)\s*(?P<en>.+)?|(?:列为|列是|列用|列标签为|横向为|列字段为"
    r"|以)(?P<zh>[^，。]+?)(?:为列|作为列|$|，)"
)


def summary(wish: Wish) -> Read:
    """Read a summary or a pivot table: `sum of revenue by region on a new sheet`,
    `做一个透视表，按地区汇总金额，列为产品`."""
    kind = aggregation(wish.low)
    asked = wish.has(_SUMMARY) is not None
    away = wish.has(NEW_SHEET) is not None
    if not asked and kind is None:
        return None
    if not asked and not away and len(wish.tokens) > 25:
        return None
    if asks(wish.low) and not away and not wish.has(r"透视|\bpivot"):
        return None
    if not away and wish.has(
        r"\b(?:add|insert|append)\s+(?:an?|another|the|one)\s+(?:[\w%]+\s+){0,3}column\b(?!s)|\b(?:new|extra"
        r"|another|in a|in an)\s+(?:\w+\s+)?column\b|\bcolumn (?:called|named)\b|新(?:的)?(?:一)?列|(?:新增|增加"
        r"|添加|加|插入)[^，。]*列|放[到在入][^，。]*列"
    ):
        return None
    groups = _laid_out(wish) or grouping(wish)
    if groups is None:
        return (
            Lacking(what="group", function="summarize") if asked and wish.has(r"\bpivot|透视|分组|分类|group") else None
        )
    return summarized(wish, groups, kind)


_ROWS = re.compile(
    r"(?P<en>[\w ]+?)\s+(?:as|in|for|on)\s+(?:the\s+)?rows\b|\brows?\s*(?:[:=]|are|is|being|of)\s*(?P<en2>[\w ]+)"
    r"|(?:行为|行是|行用|行标签为|行字段为|行标签是)\s*(?P<zh>[^，。、]+)|(?P<zh2>[^，。、]+?)(?:作为|为"
    r"|作)行(?:标签|字段)?",
    re.IGNORECASE,
)


def _laid_out(wish: Wish) -> Grouping | None:
    """Return the columns that make the rows of a pivot table, or None: `regions as rows, status as columns`."""
    match = _ROWS.search(wish.text) if wish.has(r"\bpivot|透视|交叉|cross") else None
    columns = _keys(wish, next(group for group in match.groups() if group)) if match else []
    return Grouping(columns=tuple(columns[-2:])) if columns else None


def _keys(wish: Wish, words: str) -> list[str]:
    """Return the columns that a text names after its last word of joining, and that can make the rows or columns of a
    pivot table."""
    last = re.split(r"\b(?:with|using|of|for|by|from)\b", words, flags=re.IGNORECASE)[-1]
    columns = [name for name in wish.said(last) if name in wish.place.names]
    return [name for name in columns if not wish.place.numeric(name) or is_code(wish, name)] or columns


def summarized(wish: Wish, groups: Grouping, kind: str | None) -> list[Op]:
    """Return the steps of a summary; the sheet's name is stored in the memory."""
    across, rows = _across(wish, groups)
    how = kind or "sum"
    words = re.sub(r"数据(?=透视|表)", "　　", wish.text)
    said = [name for name in wish.numeric(wish.said(words)) if name not in (*rows, across)]
    if how != "count" and not said:
        said = [name for name in measured(wish) if name not in rows][:1]
    if not said and how != "count_distinct":
        how = "count"
    plain = [{"aggregation": how, "column": name} for name in said] if how != "count" else [{"aggregation": "count"}]
    measures = _several(wish, (*rows, across)) or plain
    by = text(f"operating.{groups.unit}", wish.scene.language) if groups.unit else rows[0]
    target = sheet_name(wish, said[0] if said else None, by)
    wish.memory.chart_sheet = target
    wish.memory.new_sheets.append(target)
    if groups.unit is not None and (said or how == "count"):
        return by_unit(
            wish, groups, how, said if how != "count" else [text("operating.rows", wish.scene.language)], target
        )
    return [wish.op("summarize", groups=list(rows), measures=measures, across=across, target_sheet=target)]


def _several(wish: Wish, taken: tuple[str | None, ...]) -> list[dict[str, str]]:
    """Return the measures of an enumeration, each with its own aggregate: `人数和平均工资`, `total revenue and average
    cost`."""
    found: list[dict[str, str]] = []
    for part in re.split(r"\band\b|[,，、和与及]|以及", wish.text):
        kind = aggregation(part.lower()) or (
            "count"
            if re.search(r"数量|个数|次数|套数|几[个套次条]", part) and not wish.numeric(wish.said(part))
            else None
        )
        columns = [name for name in wish.numeric(wish.said(part)) if name not in taken]
        if kind == "count":
            found.append({"aggregation": "count"})
        elif kind is not None and columns:
            found += [{"aggregation": kind, "column": name} for name in columns]
    return found if len({part["aggregation"] for part in found}) > 1 else []


def _across(wish: Wish, groups: Grouping) -> tuple[str | None, tuple[str, ...]]:
    match = _ACROSS.search(wish.text)
    before = _keys(wish, match["before"])[::-1] if match and match["before"] else []
    said = before or (wish.said(match["en"] or match["zh"] or "") if match else [])
    across = next((name for name in said if name in wish.place.names and name not in groups.columns[:1]), None)
    if across is None and len(groups.columns) == 2 and wish.has(r"\bpivot|透视|\bcross"):
        across = groups.columns[1]
    return across, tuple(name for name in groups.columns if name != across)


def sheet_name(wish: Wish, measure: str | None, group: str) -> str:
    """Return the name given to the new sheet, or one that describes its content."""
    said = re.search(
        (
            r"\b(?:sheet|tab)\s+(?:called|named)\s+[\"“'‘]?(?P<en>[^\"”'’,.]+)|(?:工作表|新表|表)[，,]?(?:名叫|名为"
            r"|叫做|叫|命名为|名称为)\s*[\"“「]?(?P<zh>[^\s\"”」，。]+)|(?:\bto|\bin|\binto|\bon)\s+(?:a "
            r"|the )?(?:new )?sheet\s+(?!called|named)[\"“'‘]?(?P<en2>[A-Z]\w*)"
        ), wish.text, re.IGNORECASE
    )  # fmt: skip
    found = next((name.strip() for name in said.groups() if name), None) if said else None
    if found is None and (given := named(wish.text)) and given not in wish.place.names:
        found = given
    if found is None and (marks := quoted(wish.text)):
        found = marks[0]
    if found is None and wish.memory.empty_sheet:
        found, wish.memory.empty_sheet = wish.memory.empty_sheet, None
        return found
    base = found or (f"{measure or ''}按{group}" if wish.scene.language == "zh" else f"{measure or 'Count'} by {group}")
    base = re.sub(r"[\[\]:*?/\\]", " ", base).strip("' ")[:28]
    taken = {name.lower() for name in (*wish.scene.sheets, *wish.memory.new_sheets)}
    name, at = base, 2
    while name.lower() in taken:
        name, at = f"{base} {at}", at + 1
    return name
