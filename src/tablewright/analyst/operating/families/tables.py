"""Tables as a whole: defined names, Excel tables, duplicates."""

from __future__ import annotations

import re

from tablewright.analyst.operating.cells_said import named, quoted
from tablewright.analyst.operating.wish import Lacking, Read, Wish

_NAME = re.compile(
    r"\bdefine\s+(?:a |the )?(?:named? )?(?:range )?(?:name )?[\"“'‘]?(?P<a>[A-Za-z_][\w.]*)[\"”'’]?\s+(?:for|as|over"
    r"|on|to|=)"
    r"|\bname(?:d)?\s+(?:the\s+)?(?:range\s+|cells?\s+)?(?:\S+)\s+(?:as\s+)?[\"“'‘]?(?P<b>[A-Za-z_][\w.]*)[\"”'’]?\s*$"
    r"|(?:命名为|定义名称为?|定义为|名称定义为|取名为|起名为|命名|叫做)\s*[\"“「]?(?P<c>[^\W\d][\w.]*)",
    re.IGNORECASE,
)


def define_name(wish: Wish) -> Read:
    """Read a name for a range: `define a name Sales for E2:E8`, `将G2:G8命名为金额区`."""
    if not wish.has(
        r"\bdefine\b|\bnamed? range\b|\bname\s+(?:the\s+)?(?:range|cells?|[a-z]{1,2}\d)|命名|定义名称|名称定义|起名"
    ):
        return None
    cells = wish.cells()
    match = _NAME.search(wish.text)
    if match is None or wish.has(r"插入|新增|添加|工作表|\bsheet\b|\bcolumn\b.*\bnamed\b|汇总|图"):
        return None
    name = next(group for group in match.groups() if group)
    if cells is None:
        column = next((one for one in wish.said() if one != name), None)
        if column is None:
            return Lacking(what="range", function="define_name")
        cells = wish.span(column)
    return [wish.op("define_name", name=name, range=cells)]


def create_table(wish: Wish) -> Read:
    """Read the conversion to an Excel table: `convert to a table`, `转换为表格`."""
    if not wish.has(
        r"\b(?:convert|turn|change|format|make|transform)\b[^.]*\b(?:in)?to (?:an? )?(?:excel )?table\b|\b(?:format"
        r"|formatted) as (?:an? )?(?:excel )?table\b|\bmake (?:it|this|the (?:data|range"
        r"|sheet)) an? (?:excel )?table\b|\bcreate an? (?:excel )?table (?:from|of|over|for|named|called)\b"
        r"|转(?:换|化|成|为)[^。]*(?:表格|超级表|智能表)|(?:套用|设为|变成|做成|创建|插入)(?:为|成)?(?:excel)?(?:表格"
        r"|超级表|智能表)"
    ):
        return None
    cells = wish.cells()
    name = named(wish.text)
    return [
        wish.op(
            "create_table",
            range=cells if cells and ":" in cells else None,
            name=name.replace(" ", "_") if name else None,
        )
    ]


def remove_duplicates(wish: Wish) -> Read:
    """Read the removal of duplicates, keeping the first or the last: `remove duplicate rows`, `去掉重复的订单号`."""
    if not wish.has(
        r"\b(?:remove|delete|drop|eliminate|take out|get rid of|clean(?: up)?)\b[^.]*\b(?:duplicat\w*|repeat\w*)\b"
        r"|\bde-?dup\w*|\bkeep only (?:one|unique)|\bunique rows\b"
        r"|(?:去掉|删除|删掉|去除|清除|移除|剔除)[^。]*重复|去重|重复[^。]*(?:去掉|删除|删掉|去除|只保留|仅保留)"
    ):
        return None
    text = re.split(r"\b(?:keep|keeping)\b|保留", wish.text, maxsplit=1)[0]
    columns = [name for name in wish.said(text) if name not in quoted(wish.text) or name in wish.place.names]
    last = wish.has(r"\b(?:keep|keeping|retain)\b[^.]*\b(?:last|latest|newest)\b|保留[^。]*(?:最后|最新)")
    return [wish.op("remove_duplicates", columns=columns or None, keep="last" if last else None)]
