"""Columns renamed, deleted, changed where they stand."""

from __future__ import annotations

import re

from tablewright.analyst.operating.cells_said import named, quoted
from tablewright.analyst.operating.expressions import of_one_column, placed
from tablewright.analyst.operating.wish import Lacking, Read, Wish
from tablewright.workbook.areas import column_number, letters

_RENAME = re.compile(
    r"\brename\s+(?:the\s+)?(?:column\s+|header\s+|field\s+)?(?P<en>.+?)\s+(?:column\s+|header\s+)?(?:to|as|into)\s+(?P<new>.+)$"
    r"|\bchange\s+(?:the\s+)?(?:column name|column header|header|name of (?:the )?column|title of column)\s*(?:of|from)?\s*(?P<en2>.+?)\s+(?:to|into)\s+(?P<new2>.+)$"
    r"|(?:将|把)?(?P<zh>.+?)(?:这一)?(?:列|字段)?(?:的)?(?:列名|表头|标题|名称|名字)?(?:重命名为|重命名成|改名为|改名叫|改名成|更名为|改名|列名改为|表头改为|列名改成|表头改成|改叫)\s*(?P<new3>.+)$",
    re.IGNORECASE,
)
_DELETE = r"\b(?:delete|remove|drop|erase|get rid of)\b|删除|删掉|去掉|移除|删"
_COLUMN = r"\bcol(?:umn)?s?\b|\bfields?\b|列|字段"


def rename(wish: Wish) -> Read:
    """`rename the column Salary to Pay`: the header's cell is written."""
    match = _RENAME.search(wish.text)
    if match is None or wish.has(r"\b(?:work)?sheet\b|\btab\b|工作表"):
        return None
    old = next(group for group in (match["en"], match["en2"], match["zh"]) if group)
    new = next(group for group in (match["new"], match["new2"], match["new3"]) if group)
    column = next(iter(wish.said(old)), None)
    if column is None or wish.place.region.header_rows is None:
        return None
    marks = quoted(new)
    name = marks[0] if marks else new.strip(" \"'“”‘’.。")
    cell = f"{wish.letters_of(column)}{wish.place.region.header_rows[1]}"
    wish.memory.columns.append(name)
    return [wish.op("set_values", range=cell, values=[[name]])]


def delete(wish: Wish) -> Read:
    """`delete columns C to E`, `删除手机和入职日期两列`."""
    if not wish.has(_DELETE) or not wish.has(_COLUMN) or wish.has(r"\brows?\b|行|\bduplicat|重复|content|内容"):
        return None
    if wish.has(r"\b(?:empty|blank) columns?|空白?列"):
        empty = [name for name in wish.place.names if wish.place.fact(name).kind == "empty"]
        return [wish.op("delete_columns", columns=empty)] if empty else None
    columns = wish.said()
    if not columns:
        found = wish.answered()
        if found is None:
            return Lacking(what="column", function="delete_columns")
        columns = [found]
    return [wish.op("delete_columns", columns=columns)]


def formatted(wish: Wish) -> Read:
    """A column's texts changed by a function into a new column; where it should stay in place there is no such step."""
    if not wish.has(
        r"\bupper ?case|\blower ?case|\bproper case|title case|\btrim\b|大写|小写|首字母大写|去除空格|去掉空格"
    ):
        return None
    how = of_one_column(wish.text, wish)
    if how is None:
        return Lacking(what="column", function="add_column")
    source = re.search(r"\[([^\[\]]+)\]", how)
    base = source[1] if source else ""
    function = re.match(r"=([A-Z]+)", how)
    name = named(wish.text) or f"{base} {function[1].lower() if function else ''}".strip()
    return [wish.op("add_column", header=name, formula=how)]


def column_cells(wish: Wish, target: str, template: str) -> tuple[str, str]:
    """Return the cells of a column that stand beside the data, and the formula of the first."""
    first, last = wish.place.rows
    at = letters(column_number(target))
    return f"{at}{first}:{at}{last}", placed(template, wish.place, first)
