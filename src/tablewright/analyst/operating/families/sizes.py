"""Frozen panes, widths and heights, hidden rows and columns."""

from __future__ import annotations

import re

from tablewright.analyst.operating.cells_said import count_before, plain_number, said_rows
from tablewright.analyst.operating.wish import Lacking, Read, Wish
from tablewright.workbook.areas import letters

_FREEZE = (
    r"\bfreeze\b|\block (?:the )?(?:top|first|header)|\bkeep the (?:header|top|first)[^.]*\bvisible\b|冻结|锁定(?:首"
    r"|第|表头)|固定(?:首|第|表头)"
)


def freeze(wish: Wish) -> Read:
    """Read the freezing of panes: `freeze the top row and first column`, `冻结首行`, `取消冻结`."""
    if wish.has(r"\bunfreeze\b|\bthaw\b|取消冻结|解除冻结"):
        return [wish.op("freeze_panes", cell="A1")]
    if not wish.has(_FREEZE):
        return None
    cell = wish.cells()
    if cell is not None:
        return [wish.op("freeze_panes", cell=cell.split(":")[0])]
    rows = _frozen_rows(wish)
    columns = _frozen_columns(wish)
    if not rows and not columns:
        rows = 1
    return [wish.op("freeze_panes", cell=f"{letters(columns + 1)}{rows + 1}")]


def _frozen_rows(wish: Wish) -> int:
    if wish.has(r"\bheaders?\b|表头|标题行"):
        return wish.place.region.header_rows[1] if wish.place.region.header_rows else 1
    many = re.search(r"\b(?:first|top)\s+(\d+|two|three|four|five)\s+rows|前\s*(\d+|[一二两三四五])\s*行", wish.low)
    if many:
        return count_before(many[0], r"rows|行") or 1
    found = said_rows(wish.low)
    if found:
        return found[1]
    return 1 if wish.has(r"\brow\b|首行|行") else 0


def _frozen_columns(wish: Wish) -> int:
    many = re.search(r"\b(?:first|left)\s+(\d+|two|three|four|five)\s+columns|前\s*(\d+|[一二两三四五])\s*列", wish.low)
    if many:
        return count_before(many[0], r"columns|列") or 1
    return 1 if wish.has(r"\bcolumn\b|首列|第一列") else 0


def size(wish: Wish) -> Read:
    """Read column widths and row heights."""
    low = wish.low
    if wish.has(
        r"auto ?-?fit|\bfit (?:the )?(?:column|content|width)|\bwide enough|自适应|自动(?:调整)?(?:列宽|宽度)"
        r"|(?:列宽|宽度)自动|最适合(?:的)?列宽|适应内容"
    ):
        columns = wish.said() or list(wish.place.letters.values())
        return [wish.op("set_column_width", columns=columns)]
    height = wish.has(r"\bheights?\b|\btaller\b|行高(?!亮)")
    width = wish.has(r"\bwidths?\b|\bwider\b|\bwide\b|\bnarrower\b|列宽|宽度|加宽")
    if height:
        return _height(wish)
    if not width:
        return None
    number = re.search(r"(?:\bto|=|为|成|\bof|是|\bat|设)\s*(\d+(?:\.\d+)?)", low) or re.search(
        r"(\d+(?:\.\d+)?)\s*(?:characters|chars|wide|字符|$)", low
    )
    columns = wish.said()
    if not columns and wish.has(r"\b(?:all|every|each)\b|所有|全部|每"):
        columns = list(wish.place.letters.values())
    columns = columns or ([found] if (found := wish.answered()) else [])
    if not columns:
        return Lacking(what="column", function="set_column_width")
    return [wish.op("set_column_width", columns=columns, width=float(number[1]) if number else None)]


def _height(wish: Wish) -> Read:
    rows = said_rows(wish.low)
    rest = re.sub(
        r"\brows?\s+\d+(?:\s*(?:to|-|through)\s*\d+)?|第?\s*\d+\s*(?:到|至|-)\s*第?\d+\s*行|第\s*\S+?\s*行",
        " ",
        wish.low,
    )
    height = plain_number(rest)
    if height is None:
        return Lacking(what="value", function="set_row_height")
    if rows is None:
        header = wish.place.region.header_rows
        whole = (wish.place.area.first_row, wish.place.area.last_row)
        rows = (header[0], header[1]) if header and wish.has(r"\bheader|表头|标题行") else whole
    return [wish.op("set_row_height", row=rows[0], count=rows[1] - rows[0] + 1, height=float(height))]


def hide(wish: Wish) -> Read:
    """Read the hiding of rows or columns, or its reversal: `hide columns C to E`, `隐藏第3到5行`."""
    shows = wish.has(r"\bunhide\b|取消隐藏|\bshow (?:all )?(?:the )?hidden|显示[^。]*(?:隐藏|所有|全部)|重新显示")
    if not shows and not wish.has(r"\bhide\b|隐藏"):
        return None
    hidden = None if not shows else False
    rows = said_rows(wish.low)
    if rows is not None:
        return [wish.op("hide", rows=f"{rows[0]}:{rows[1]}", hidden=hidden)]
    columns = wish.said()
    if not columns and shows and wish.has(r"\bcolumns?\b|列"):
        columns = list(wish.place.letters.values())
    if not columns and shows and wish.has(r"\brows?\b|行"):
        area = wish.place.area
        return [wish.op("hide", rows=f"{area.first_row}:{area.last_row}", hidden=False)]
    if not columns and wish.has(r"\bcolumns?\b|列"):
        found = wish.answered()
        return [wish.op("hide", columns=[found], hidden=hidden)] if found else Lacking(what="column", function="hide")
    return [wish.op("hide", columns=columns, hidden=hidden)] if columns else None
