"""Rows inserted, deleted, kept or filtered."""

from __future__ import annotations

import re

from tablewright.analyst.operating.cells_said import count_before, named, quoted, said_rows
from tablewright.analyst.operating.filters import opposite, others, where
from tablewright.analyst.operating.ranking import ranked
from tablewright.analyst.operating.wish import Lacking, Op, Read, Wish
from tablewright.analyst.operating.words import aggregation
from tablewright.workbook.areas import letters

_DELETE = (
    r"\b(?:delete|remove|drop|erase|get rid of|eliminate|exclude|take out|purge)\b|删除|删掉|去掉|去除|移除|剔除|清除"
    r"|排除|删"
)
_KEEP = (
    r"\b(?:keep|retain|leave) (?:only|just)\b|\bonly (?:keep|retain|leave)\b|\b(?:keep"
    r"|retain) (?:all )?(?:the )?rows?\b|"
    r"(?:只|仅)保留|(?:只|仅)留|(?:保留|留下)[^。]*的(?:行|记录|数据)"
)
_EMPTY = r"\b(?:empty|blank) (?:rows?|lines?)|空白?行|全空的行"
_FILTER = r"\bfilter\b|\bonly (?:show|display|see)\b|\bshow (?:me )?(?:only|just)\b|筛选|筛出|只显示|仅显示|只看|过滤"
_BUTTONS = (
    r"auto ?-?filter|filter (?:button|arrow|drop)s?|\b(?:turn on|enable|apply|switch on) (?:the )?(?:auto)?filters?\b"
    r"|自动筛选|筛选(?:按钮|器|功能)|(?:开启|添加|启用|加上?|打开)(?:自动)?筛选"
)


def insert(wish: Wish) -> Read:
    """Read the insertion of rows: `insert 2 rows above row 3`, `在第2行下方插入一行`."""
    if not wish.has(r"\b(?:insert|add)\b[^.]*\b(?:row|line)s?\b|(?:插入|增加|添加|加)[^。]*行|行[^。]*(?:插入|添加)"):
        return None
    if wish.has(r"\b(?:column)\b|列"):
        return None
    count = count_before(re.sub(r"第\s*\S+?\s*行", " ", wish.low), r"rows?\b|lines?\b|行") or 1
    found = said_rows(re.sub(r"\b(?:\d+)\s+rows?\b(?=.*\brow\b)", " ", wish.low))
    header = wish.place.region.header_rows
    if (
        found is None
        and header
        and wish.has(
            r"\b(?:above|before|over) the (?:header|title|first row)|表头(?:的)?(?:上|前)|标题行(?:的)?(?:上|前)"
        )
    ):
        found = (header[0], header[0])
    if found is None and wish.has(r"\b(?:at the )?top\b|最上|顶部|表头(?:上|前)|最前"):
        found = (1, 1)
    if found is None and wish.has(r"\b(?:bottom|end)\b|末尾|最后|底部"):
        last = wish.place.area.last_row + 1
        return [wish.op("insert_rows", row=last, count=count)]
    if found is None:
        return Lacking(what="row", function="insert_rows")
    below = wish.has(r"\b(?:below|after|under|beneath)\b|下方|下面|之后|后面|后")
    row = found[0] + (1 if below else 0)
    steps = [wish.op("insert_rows", row=row, count=count)]
    words = next(iter(quoted(wish.text)), None) or named(wish.text)
    if words:
        cell = f"{letters(wish.place.area.first_column)}{row}"
        steps.append(wish.op("set_values", range=cell, values=[[words]]))
        steps += _title_look(wish, row)
    return steps


def _title_look(wish: Wish, row: int) -> list[Op]:
    """Return the steps that merge, centre and embolden the cells of a title above the table, as far as asked for."""
    area = wish.place.area
    cells = f"{letters(area.first_column)}{row}:{letters(area.last_column)}{row}"
    steps: list[Op] = []
    if wish.has(r"\bmerged?\b|合并"):
        steps.append(wish.op("merge_cells", range=cells))
    if wish.has(r"\bcent(?:er|re)(?:e?d)?\b|居中"):
        steps.append(wish.op("set_alignment", range=cells, horizontal="center"))
    if wish.has(r"\bbold\b|加粗|粗体"):
        steps.append(wish.op("set_font", range=cells, bold=True))
    return steps


def delete(wish: Wish) -> Read:
    """Read the deletion of rows by number or by a condition, or of all except those to keep."""
    keep = wish.has(_KEEP) is not None
    if not keep and not wish.has(_DELETE):
        return None
    if wish.has(r"filter|筛选") and not wish.has(r"\brows?\b|行"):
        return None
    if wish.has(_EMPTY):
        tests = [{"column": name, "op": "missing"} for name in wish.place.names]
        return [wish.op("delete_rows", where={"tests": tests, "match": "all"})]
    numbered = said_rows(wish.low)
    if numbered is not None and not keep:
        return [wish.op("delete_rows", row=numbered[0], count=numbered[1] - numbered[0] + 1)]
    return _by_filter(wish, keep=keep)


_ASIDE = r",?\s*\b(?:while|but|and)\s+(?:retain|keep|leav|not\b|preserv)\w*|[，,](?:同时|但)?保留"


def _by_filter(wish: Wish, *, keep: bool) -> Read:
    aside = wish.has(_ASIDE)
    found = where(wish, 0, aside.start() if aside else None) or (
        wish.memory.where if wish.has(r"\b(?:them|these|those|it)\b|它们|这些|那些") else None
    )
    if found is None:
        return Lacking(what="condition", function="delete_rows") if keep or wish.has(r"\brows?\b|行") else None
    wish.memory.where = found
    if keep:
        other = others(found)
        if other is None:
            return [wish.op("filter_rows", where=found)]
        found = other
    return [wish.op("delete_rows", where=found)]


def filtered(wish: Wish) -> Read:
    """Read filter buttons, or a filter that hides the other rows."""
    if wish.has(_BUTTONS):
        return [wish.op("auto_filter")]
    if wish.has(r"\bhide\b[^.]*\brows?\b[^.]*\b(?:where|with|that|which|whose)\b|隐藏[^。]*的行"):
        found = where(wish)
        other = opposite(found) if found else None
        return [wish.op("filter_rows", where=other)] if other else None
    if not wish.has(_FILTER):
        return None
    found = where(wish)
    if found is None:
        return Lacking(what="condition", function="filter_rows")
    wish.memory.where = found
    return [Op(function="filter_rows", parameters={"sheet": wish.place.sheet, "where": found})]


def looked_for(wish: Wish) -> Read:
    """Read a search for rows: `find orders over 1000`. They are remembered for what follows, and filtered if nothing
    does."""
    if not wish.has(
        r"^\W*(?:please |请|帮我)*(?:\b(?:find|identify|locate|select|pick|show|list|get)\b|找出|查找|列出|选出"
        r"|选中|找到)"
    ):
        return None
    found = where(wish)
    if found is None or aggregation(wish.low) is not None or ranked(wish) is not None:
        return None
    wish.memory.where = found
    last = wish.whole.rstrip(" .。!！").endswith(wish.text.rstrip(" .。!！"))
    return [Op(function="filter_rows", parameters={"sheet": wish.place.sheet, "where": found})] if last else []
