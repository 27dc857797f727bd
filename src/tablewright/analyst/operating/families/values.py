"""Cells written, replaced or cleared, and values set in the rows that a condition selects."""

from __future__ import annotations

import re
from typing import Any

from tablewright.analyst.linking.mentions import ValueMention
from tablewright.analyst.operating.cells_said import plain_number, quoted, said_color
from tablewright.analyst.operating.columns_named import named_columns
from tablewright.analyst.operating.filters import rows_code, where
from tablewright.analyst.operating.measures import measured
from tablewright.analyst.operating.wish import Lacking, Op, Read, Wish
from tablewright.domain.table import Cell

_REPLACE = re.compile(
    r"\b(?:replace|change|substitute|swap)\s+(?:all\s+|every\s+|any\s+)?(?:instances? of "
    r"|occurrences? of )?(?:the\s+)?(?:text |word |value |values )?(?P<old>.+?)\s+(?:with|by|to|into"
    r"|for)\s+(?:the (?:text|word|value)\s+)?(?P<new>.+?)(?:\s+(?:in|within|on|across|throughout)\s+(?P<place>.+))?$"
    r"|(?:将|把)?(?P<zplace>.+?(?:列|中|里)(?:的|里的|中的)?)?(?P<zold>[^，。]+?)(?:全部|都|统一)?(?:替换为|替换成"
    r"|改名为|改名成|重命名为|改成|改为|换成|换为|替换)\s*(?P<znew>[^，。]+)$",
    re.IGNORECASE,
)
_NOTHING = re.compile(r"^(?:nothing|an? empty string|blank|empty|空|空白|空字符串|无)$", re.IGNORECASE)
_SIGNS = {"double quotes": '"', "double quote": '"', "quotes": '"', "commas": ",", "comma": ",", "spaces": " ",
    "space": " ", "hyphens": "-", "dashes": "-", "hyphen": "-", "dash": "-", "underscores": "_", "逗号": ",",
    "空格": " ", "双引号": '"', "横线": "-"}  # fmt: skip
_CLEAR = r"\b(?:clear|empty|erase|wipe|blank out)\b|清空|清除|擦除"
_SET = re.compile(
    r"\b(?:set|put|write|enter|type|change|update|make|insert)\b\s*(?P<rest>.+)|(?:将|把|在"
    r"|给)?(?P<zrest>.+?)(?:设为|设置为|设成|改成|改为|填入|填上|写入|写上|输入|写|填|赋值为"
    r"|等于)\s*[:：]?\s*(?P<zvalue>.+)$",
    re.IGNORECASE,
)


_TAKEN_OUT = (
    r"[\"“「'‘][^\"”」'’]+[\"”」'’](?:这个|这几个|两个|几个)?字?[^，。]{0,6}(?:去掉|删掉|删除|去除)|(?:去掉|删掉|删除"
    r"|去除)[^，。]*(?:中|里)的?[\"“「'‘]|\b(?:remove|strip|delete|take out)\b\s+(?:the |all |every )?(?:text |word "
    r"|sign |character )?[\"“'‘][^\"”'’]+[\"”'’]\s+(?:from|in|out of)\b"
)


def replace_text(wish: Wish) -> Read:
    """Read a replacement of text: `replace 北京市 with 北京 in city`, `把华东替换成上海`."""
    if wish.has(_TAKEN_OUT) and (marks := quoted(wish.text)):
        column = next((name for name in wish.said() if name not in marks), None)
        return [wish.op("find_replace", find=marks[0], replace="", column=column)]
    if not wish.has(
        r"\b(?:replace|substitute|swap|change (?:all|every|any))\b|替换|换成|换为|(?:都|全部|统一)改[成为]"
    ) and not (wish.has(r"改名?[成为]|重命名为|\bchange\b|\brename\b") and _names_a_cell(wish)):
        return None
    several = _each_pair(wish)
    if several:
        return several
    match = _REPLACE.search(wish.text)
    if match is None or wish.has(r"字体|字号|字色|颜色|底色|背景|加粗|\bfont\b|\bbackground\b") or wish.cells():
        return None
    old, new = (match["old"] or match["zold"] or ""), (match["new"] or match["znew"] or "")
    marks = quoted(wish.text)
    old = marks[0] if marks and marks[0] in old else _SIGNS.get(old.strip().lower(), old.strip(" \"'“”‘’"))
    new = marks[1] if len(marks) > 1 else _SIGNS.get(new.strip().lower(), new.strip(" \"'“”‘’.。"))
    place = match["place"] or match["zplace"] or ""
    everywhere = re.search(r"\b(?:all|every|entire|whole|any)\b|所有|全部|整", place) is not None
    columns = wish.said(place) if place and not everywhere else []
    if not columns and not everywhere:
        inside = [part for part in named_columns(old, wish.place.facts) if part[2].lower() != old.lower()]
        columns = [name for _, _, name in inside[:1]]
        for start, end, _ in inside[:1]:
            old = re.sub(r"^(?:列|中|里|的|\s)+|(?:\s|的)+$", "", old[:start] + old[end:]) or old
    if not old:
        return Lacking(what="value", function="find_replace")
    pairs = _pairs(old, new)
    if len(pairs) > 1:
        column = columns[0] if columns else None
        return [
            wish.op("find_replace", find=one, replace=other, column=column, whole_cell=_whole(wish, one))
            for one, other in pairs
        ]
    new = "" if _NOTHING.match(new) else new
    return [
        wish.op(
            "find_replace", find=old, replace=new, column=columns[0] if columns else None, whole_cell=_whole(wish, old)
        )
    ]


_ZH_PAIR = re.compile(
    r"^(?:再|并|且|把|将|和)*(?P<old>[^，,、；;]{1,12}?)(?:全部|都|统一)?(?:替换[为成]|改[成为]"
    r"|换[成为])(?P<new>[^，,、；;]{1,12})$"
)


def _each_pair(wish: Wish) -> list[Op]:
    """Return a step for every pair, if all parts are pairs: `把男替换成M，女替换成F`."""
    pairs = [_ZH_PAIR.match(part.strip()) for part in re.split(r"[，,、；;]", wish.text)]
    if len(pairs) < 2 or any(pair is None for pair in pairs):
        return []
    found: list[Op] = []
    for pair in pairs:
        old, new = (pair[name].strip(" \"'“”‘’") for name in ("old", "new")) if pair else ("", "")
        column = next((name for name in wish.said(old) if name != old), None)
        if column is not None:
            old = re.sub(rf"^{re.escape(column)}(?:列)?(?:中|里)?的?", "", old) or old
        new = "" if _NOTHING.match(new) else new
        found.append(wish.op("find_replace", find=old, replace=new, column=column, whole_cell=_whole(wish, old)))
    return found


def _names_a_cell(wish: Wish) -> bool:
    """Return whether the text of cells is to be changed, rather than a column or a cell given by its place."""
    return len(quoted(wish.text)) > 1 or any(isinstance(one, ValueMention) for one in wish.linked.mentions)


def _pairs(old: str, new: str) -> list[tuple[str, str]]:
    """Return the pairs of an enumeration: `yes with Y and no with N`."""
    pairs = [old]
    for part in re.split(r"\s*,?\s+and\s+|[,，、]\s*", new):
        pairs += re.split(r"\s+(?:with|by|to)\s+|(?:替换[成为]|改[成为]|换成)", part)
    pairs = [part.strip(" \"'“”‘’") for part in pairs]
    return list(zip(pairs[::2], pairs[1::2], strict=True)) if len(pairs) % 2 == 0 else []


def _whole(wish: Wish, text: str) -> bool | None:
    """Return True if whole cells must match, because a short word is the entire text of some cells; else None."""
    if len(text) > 3 or not text.isascii() or not text.isalnum():
        return None
    found = any(str(sample).lower() == text.lower() for column in wish.place.facts.columns for sample in column.samples)
    return True if found else None


def clear(wish: Wish) -> Read:
    """Read the clearing of cells: `clear the contents of H2:H8`, `清空F列的内容`, `清除格式`."""
    if not wish.has(_CLEAR):
        return None
    formats = wish.has(r"\bformat(?:ting|s)?\b|格式|样式")
    both = wish.has(r"\b(?:everything|all)\b|全部")
    what = "formats" if formats and not wish.has(r"content|内容") else "all" if both and not wish.cells() else None
    cells = wish.ranges() or [wish.span(name) for name in wish.said()]
    if not cells and formats:
        cells = [wish.body()]
    if not cells and (found := wish.answered()):
        cells = [wish.span(found)]
    if not cells:
        return Lacking(what="range", function="clear")
    return [wish.op("clear", range=one, what=what) for one in cells]


def conditional_values(wish: Wish) -> Read:
    """Read values set under a condition (`set status to closed where amount > 1000`); changes such as
    `技术部的工资涨10%` are computed by code on the rows named."""
    scaled = _scaled(wish)
    if scaled is not None:
        return scaled
    match = re.search(
        r"\b(?:set|change|update|make|put|mark)\s+(?:the\s+)?(?P<col>[\w %/]+?)\s+(?:column\s+)?(?:to|as"
        r"|=)\s+(?P<val>.+?)\s+(?P<cond>\b(?:where|if|when|for|whenever)\b.+)$"
        r"|(?:将|把)(?P<zcond>.+?)的(?P<zcol>[^的，]+?)(?:列)?(?:设为|设置为|改成|改为|填为|填成|更新为"
        r"|标为)\s*(?P<zval>[^，。]+)$"
        r"|(?:如果|若|当|凡是?)(?P<ifcond>[^，,]+)[，,](?:则|就|那么)?(?:将|把)?(?P<ifcol>.+?)(?:列)?(?:设为|设置为"
        r"|改成|改为|填为|填成|写成|标为)\s*(?P<ifval>[^，。]+)$",
        wish.text, re.IGNORECASE,
    )  # fmt: skip
    if match is None:
        return None
    part = next(name for name in ("cond", "zcond", "ifcond") if match[name])
    target = next(iter(wish.said(match["col"] or match["zcol"] or match["ifcol"])), None)
    value = cell_value((match["val"] or match["zval"] or match["ifval"]).strip())
    found = where(wish, *match.span(part))
    if target is None or found is None or said_color(str(value)):
        return None
    return [wish.op("set_values", range=wish.span(target), values=[[value]], where=found)]


_SCALE = re.compile(
    r"\b(?P<up>increase|raise|reduce|decrease|cut|lower|multiply"
    r"|discount)\b.*?\bby\s+(?P<n>\d+(?:\.\d+)?)\s*(?P<pct>%|percent)?|(?P<n2>\d+(?:\.\d+)?)\s*(?P<pct2>%"
    r"|percent)\s+(?P<up2>raise|increase|rise|discount|cut|reduction|decrease|off)\b|(?P<zup>上调|上涨|提高|增加"
    r"|涨|加|下调|降低|减少|降|减|打)\s*(?P<zn>\d+(?:\.\d+)?)\s*(?P<zpct>%|％|折)?\s*$"
)


def _scaled(wish: Wish) -> Read:
    match = _SCALE.search(wish.low)
    if match is None or wish.has(r"\bcolumn\b.*\b(?:new|add)|(?:新增|增加|添加|插入)[^，]*列|新列|一列"):
        return None
    columns = wish.numeric(wish.said()) or measured(wish)[:1]
    if not columns or columns[0] not in wish.place.letters:
        return None
    word = match["up"] or match["up2"] or match["zup"]
    amount = float(match["n"] or match["n2"] or match["zn"])
    share = bool(match["pct"] or match["pct2"] or match["zpct"])
    down = re.search(r"reduce|decrease|cut|lower|discount|reduction|off|下|降|减", word) is not None
    factor = (
        amount / 10
        if match["zpct"] == "折"
        else amount
        if word == "multiply"
        else 1 + (-amount if down else amount) / 100
    )
    change = (
        f"* {round(factor, 10)!r}"
        if share or word == "multiply" or match["zpct"] == "折"
        else f"{'-' if down else '+'} {amount!r}"
    )
    found = where(wish)
    return [_code(wish, columns[0], change, found)]


def _code(wish: Wish, column: str, change: str, found: dict[str, Any] | None) -> Op:
    """Return the code step that changes a column's numbers in the rows of the filter, and returns the column."""
    lines = ["values = df[" + repr(column) + "].copy()"]
    if found:
        lines.append(f"rows = {rows_code(found)}")
        lines.append(f"result = values.where(~rows, values {change}).round(10).to_frame()")
    else:
        lines.append(f"result = (values {change}).round(10).to_frame()")
    return wish.op("run_python", code="\n".join(lines), range=wish.body(), target=wish.place.span(column, header=True))


def set_values(wish: Wish) -> Read:
    """Read values for cells: `set D2 to 55000`, `write Total in A10`, `把B3改成35`."""
    cells = wish.cells()
    if cells is None or not wish.has(
        r"\b(?:set|put|write|enter|type|change|update|make|insert)\b|设为|设置为|设成|改成|改为|填入|填上|填|写入"
        r"|写|输入|赋值"
    ):
        return None
    value = _given(wish, cells)
    if value is None:
        return Lacking(what="value", function="set_values")
    if isinstance(value, str) and value.startswith("="):
        return [wish.op("set_formula", range=cells, formula=value)]
    return [wish.op("set_values", range=cells, values=[[value]])]


def _given(wish: Wish, cells: str) -> Cell:
    if not quoted(wish.text) and wish.has(
        r"\btoday(?:'s|’s)?(?: date)?\b|\bcurrent date\b|今天的?日期|今日日期|当前日期|当天日期"
    ):
        return "=TODAY()"
    marks = quoted(wish.text)
    if marks:
        return cell_value(marks[-1] if wish.has(r"\b(?:change|replace|update)\b|改|换") else marks[0])
    for pattern in (
        r"\b(?:to|as|=|with)\s+(?:the (?:value|text|word)\s+)?(?P<v>.+)$",
        (
            r"\b(?:put|write|enter|type|insert)\s+(?:the (?:value|text|word|number)\s+)?(?P<v>.+?)\s+(?:in|into|to"
            r"|at)\s+(?:cell|range)?\s*"
        ),
        r"(?:设置为|设为|设成|改成|改为|填入|填上|写入|写上|输入|赋值为|填|写)\s*[:：]?\s*(?P<v>.+)$",
    ):
        match = re.search(pattern, wish.text, re.IGNORECASE)
        said = match["v"].strip(" 。.") if match else ""
        if said and said.upper() != cells:
            return cell_value(said)
    return None


def cell_value(text: str) -> Cell:
    """Return the value that a cell holds when the text is typed into it."""
    stripped = text.strip(" \"'“”‘’")
    if re.fullmatch(r"-?\d[\d,]*(?:\.\d+)?", stripped):
        return plain_number(stripped)
    return stripped
