"""Added columns (empty, computed, looked up) and total rows."""

from __future__ import annotations

import re
from dataclasses import replace

from tablewright.analyst.linking.additivity import aggregate_for
from tablewright.analyst.linking.text import fold
from tablewright.analyst.operating.cells_said import count_before, named, quoted
from tablewright.analyst.operating.expressions import arithmetic, choice, formula_said, of_one_column, safe
from tablewright.analyst.operating.families.across_tables import with_looked_up
from tablewright.analyst.operating.families.looks import number_format
from tablewright.analyst.operating.margins import margin
from tablewright.analyst.operating.measures import is_code
from tablewright.analyst.operating.new_names import new_name
from tablewright.analyst.operating.previous_row import over_previous_row
from tablewright.analyst.operating.row_formulas import row_formula
from tablewright.analyst.operating.scene import Place
from tablewright.analyst.operating.tiers import tiers
from tablewright.analyst.operating.wish import Lacking, Op, Read, Wish
from tablewright.workbook.areas import column_number, letters

_ADD = (
    r"\b(?:add|insert|include|create|need)\s+(?:an?|the)\s+(?:running|cumulative)\b|\b(?:add|insert|append|create|make"
    r"|include|need|new|put in)\b[^.]*\bcolumns?\b|\b(?:add|create|include)\s+[\w %]{2,30}?\s*=\s*[^=]*[-+*/(]"
    r"|\bcolumns?\b[^.]*\b(?:add|insert)\b|\bin(?:to)? (?:a|an|another) (?:(?:new|extra|additional) column"
    r"|column (?:called|named))"
    r"|(?:新增|增加|添加|加上?|插入|新建|建|生成|做)[^。]*列|列[^。]*(?:插入|新增|添加|增加)|新列|新的一列|(?:排名"
    r"|名次)[^。]*放[到在入][^，。]*列"
)
_COMPUTE = r"\b(?:calculate|compute|work out|derive|determine)\b|计算|算一?下|算出|求出"
_AFTER = re.compile(
    r"\b(?:after|right of|to the right of|next to|behind)\b\s*(?P<en>.+)|在?(?P<zh>[^，。]+?)(?:列)?(?:的)?(?:后面"
    r"|之后|右侧|右边|后)(?!的(?!新|一|列|位置)|[\d一二三四五六七八九十]+[位个])"
)
_BEFORE = re.compile(
    r"\b(?:before|left of|to the left of|in front of)\b\s*(?P<en>.+)|在?(?P<zh>[^，。]+?)(?:列)?(?:的)?(?:前面"
    r"|之前|左侧|左边|前)"
)
_IS = re.compile(
    r"(?P<name>[^\s=＝:：,，]+(?:\s[^\s=＝:：,，]+){0,3})?\s*(?:=|＝|:|：|\b(?:which is|that is|as|is|being"
    r"|equal to|equals|computed as|calculated as|computed by|calculated by|defined as|from|by|of|using the formula"
    r"|with (?:the )?formula)\b|等于|公式为|公式是|公式|计算方式为|计算方法为|内容为|内容是|值为|为"
    r"|是)\s*(?P<how>.+)",
    re.IGNORECASE,
)
_TOTALS = (
    r"\b(?:total|totals|sum|subtotal|average|grand total) (?:row|line)\b|\brow (?:of|with|for) (?:the )?(?:total|sum"
    r"|average)s?|\btotals? (?:at|to) the (?:bottom|end)|\b(?:total|sum|average)\b[^.]*\b(?:under|below|beneath"
    r"|at the (?:bottom|end) of)\b|合计行|总计行|汇总行|(?:加|添加|新增|增加|插入)[^。]*行[^。]*(?:合计|总计|求和|汇总"
    r"|平均|总和)|(?:最后|末尾|底部|下方|下面)[^。]*(?:合计|总计)"
)
_LOOKUP = (
    r"\b(?:v|x|h)?look ?-?up\b|\bvlookup|\bbring\b.*\b(?:in|over|from|into)\b|\bfetch\b|\bpull (?:in|over)?\b"
    r"|\bmatch (?:it |them )?(?:from|with|by)\b|\bget the\b.*\bfrom\b|\bjoin (?:with|to)\b|查找|匹配|查询|引用|取出"
    r"|取(?!消|整)|带出|关联"
)


def add_column(wish: Wish) -> Read:
    """Read an added column: `add a column margin = revenue - cost after cost`,
    `在B列后插入一列，命名为税额，等于金额*0.13`."""
    adds, computes = wish.has(_ADD), wish.has(_COMPUTE)
    if not adds and not computes:
        return None
    if adds and wish.has(r"\bsplit\w*|\bpivot\b|\bas columns\b|拆分|透视"):
        return None
    if adds and wish.has(_NUMBERED):
        return _numbered(wish)
    after, before = _neighbour(wish)
    how = _how(wish)
    name = new_name(wish, how)
    if how is None and not adds:
        return None
    if how is None and name is None:
        return _empty(wish, after, before)
    if name is None:
        return Lacking(what="name", function="add_column")
    if how is None and named(wish.text) is None and re.search(_OF_A_COLUMN, fold(name)):
        return Lacking(what="column", function="add_column")
    if before is not None:
        after = _left_of(wish, before)
    wish.memory.columns.append(name)
    wish.memory.made = name
    steps = [wish.op("add_column", header=name, formula=how, after=after)]
    return [*steps, *_shown_as(wish, name, how, after)] if how is not None else steps


_OF_A_COLUMN = r"环比|同比|累计|占比|\b(?:running|cumulative|growth)\b"
"""Words in names of columns that are computed from another column, which has to be known."""
_SHOWN_AS = (
    r"\b(?:as|in)\s+(?:an?\s+)?(?:percent\w*|currency|dollars?|euros?|integers?)\b|\bformatted\b|\bpercentages? with\b"
    r"|显示为|格式|百分比|百分数|保留.{0,2}位小数"
)


_PERCENT = "0.0%"


def _is_share(name: str, how: str) -> bool:
    """Return whether a column is called a share and its formula divides, not times 100."""
    called = re.search(r"(?<!汇|转)率$|占比|比重|百分比|%|\bpercent|\bshare\b|\bgrowth\b", name, re.IGNORECASE)
    return called is not None and re.search(r"\]\)?/|\)/", how) is not None and "100" not in how


def _shown_as(wish: Wish, name: str, how: str, after: str | None) -> list[Op]:
    """Return the step that formats the new column's numbers, if the words ask for a format or name a share."""
    later = re.search(_SHOWN_AS, fold(wish.whole)) is not None
    code = _PERCENT if _is_share(name, how) and not later else None
    if wish.has(_SHOWN_AS):
        words = re.sub(r"\d+(?:\.\d+)?\s*%", " ", wish.text.replace(name, " "))
        code = number_format(replace(wish, text=words)) or code
    cells = wish.place.with_column(name, after=after).span(name)
    return [wish.op("set_number_format", range=cells, format=code)] if code else []


_NUMBERED = r"序号|行号|编号列|\b(?:serial|row|sequence|index|running) numbers?\b|\bnumbering\b|\bnumbered\b"


def _numbered(wish: Wish) -> Read:
    """Read a column that numbers the rows, placed first if the words say so."""
    name = named(wish.text) or next((mark for mark in quoted(wish.text)), None)
    said = re.search(r"\b(?:an?|the)\s+([A-Z]\w*)\s+column", wish.text)
    name = name or (said[1] if said else "序号" if wish.scene.language == "zh" else "No.")
    first, last = wish.place.rows
    formula = f"=ROW()-{first - 1}"
    wish.memory.made = name
    if not wish.has(r"\b(?:start|beginning|front|first|left)\b|最前|第一列|最左|首列|A列前"):
        return [wish.op("add_column", header=name, formula=formula)]
    at = letters(wish.place.area.first_column)
    header = wish.place.region.header_rows
    steps = [wish.op("insert_columns", before=at)]
    if header:
        steps.append(wish.op("set_values", range=f"{at}{header[1]}", values=[[name]]))
    return [*steps, wish.op("set_formula", range=f"{at}{first}:{at}{last}", formula=formula)]


def _how(wish: Wish) -> str | None:
    """Return the formula of the new column (literal, a choice, arithmetic, or a function of one column), or None."""
    name = named(wish.text)
    words = wish.text.replace(name, " ", 1) if name and name not in wish.place.names else wish.text
    found = (
        formula_said(wish.bare)
        or tiers(wish)
        or choice(wish)
        or over_previous_row(wish.text, wish)
        or row_formula(words, wish)
        or row_formula(wish.text, wish)
        or with_looked_up(words, wish)
        or _arithmetic(wish)
        or of_one_column(wish.text, wish)
        or margin(wish.text, wish)
    )
    return safe(found, wish.place) if found else None


def _arithmetic(wish: Wish) -> str | None:
    words = _AFTER.sub(" ", wish.text) if wish.has(r"列后|列之后|列右") else _without_place(wish.text)
    given = named(words)
    if given is not None:
        words = words.replace(given, " ", 1)
    for match in _IS.finditer(words):
        found = arithmetic(match["how"], wish.place)
        if found is not None:
            return found
    return arithmetic(words, wish.place)


def _without_place(words: str) -> str:
    """Return the words without those that say where the column goes."""
    return re.sub(
        r"\b(?:after|before|next to|(?:to the )?(?:right|left) of)\s+(?:the\s+)?(?:column\s+)?[\w-]+",
        " ",
        words,
        flags=re.IGNORECASE,
    )


def _neighbour(wish: Wish) -> tuple[str | None, str | None]:
    after, before = _AFTER.search(wish.text), _BEFORE.search(wish.text)
    right = wish.said(after["en"] or after[0]) if after else []
    left = wish.said(before["en"] or before[0]) if before else []
    return (right[0] if right else None), (left[0] if left and not right else None)


def _left_of(wish: Wish, before: str) -> str | None:
    at = column_number(wish.letters_of(before)) if wish.letters_of(before).isascii() else 0
    return letters(at - 1) if at > wish.place.area.first_column else None


def _empty(wish: Wish, after: str | None, before: str | None) -> Read:
    count = count_before(wish.low, r"(?:\w+ )?columns?\b|列") or 1
    if before is None and after is None:
        return Lacking(what="name", function="add_column")
    if before is not None:
        return [wish.op("insert_columns", before=before, count=count)]
    place = letters(column_number(wish.letters_of(after or "A")) + 1)
    return [wish.op("insert_columns", before=place, count=count)]


def totals(wish: Wish) -> Read:
    """Read a row below the data with the sums (or means) of its numeric columns."""
    if not wish.has(_TOTALS):
        return None
    average = wish.has(r"\baverage|\bmean|平均") is not None
    said = wish.numeric(wish.said())
    numbers = [name for name in wish.place.names if wish.place.numeric(name) and not is_code(wish, name)]
    added = [name for name in numbers if average or aggregate_for(wish.place.fact(name)) != "mean"]
    names = said or added or numbers  # a sum of unit prices says nothing
    if not names:
        return Lacking(what="column", function="set_formula")
    row = wish.place.area.last_row + 1
    first = wish.place.names[0]
    label = ("平均" if average else "合计") if wish.scene.language == "zh" else ("Average" if average else "Total")
    ops: list[Op] = []
    if first not in names:  # the label goes in the first column, unless that is summed itself
        ops.append(wish.op("set_values", range=f"{wish.letters_of(first)}{row}", values=[[label]]))
    function = "AVERAGE" if average else "SUM"
    for name in names:
        cells = wish.span(name)
        ops.append(
            wish.op(
                "set_formula", range=f"{cells.split(':')[0].rstrip('0123456789')}{row}", formula=f"={function}({cells})"
            )
        )
    area = wish.place.area
    target = f"{letters(area.first_column)}{row}:{letters(area.last_column)}{row}"
    wish.memory.target = target
    return [*ops, wish.op("set_font", range=target, bold=True)]


def lookup(wish: Wish) -> Read:
    """Read columns of another table, looked up by a common key: `look up price from sheet Products by sku`."""
    others = [place for place in wish.scene.places if place.sheet != wish.place.sheet]
    if not others or not wish.has(_LOOKUP):
        return None
    said = wish.scene.said_sheets(wish.text)
    named_others = [place for place in others if place.sheet in said] or (others if len(others) == 1 else [])
    for other in named_others:
        found = _looked_up(wish, other)
        if found is not None:
            return found
    return None


def _looked_up(wish: Wish, other: Place) -> Read:
    keys = _common(wish, other)
    if not keys:
        return None
    words = re.sub(re.escape(other.sheet), " ", wish.text, flags=re.IGNORECASE)
    there = _said_there(words, other)
    key = next((pair for pair in keys if fold(pair[0]) in fold(words) or fold(pair[1]) in fold(words)), keys[0])
    wanted = [name for name in there if name != key[1]]
    if not wanted:
        wanted = [name for name in other.names if name != key[1] and name not in wish.place.names]
        if len(wanted) != 1:
            return Lacking(what="column", function="lookup_join")
    wish.memory.columns.append(wanted[-1])
    wish.memory.made = wanted[-1]
    return [wish.op("lookup_join", key=key[0], from_sheet=other.sheet, from_key=key[1], columns=wanted)]


def _said_there(words: str, other: Place) -> list[str]:
    low = fold(words)
    found = [(low.find(fold(name)), name) for name in other.names if fold(name) in low]
    return [name for _, name in sorted(found)]


def _common(wish: Wish, other: Place) -> list[tuple[str, str]]:
    """Return the columns that both tables have, under their name in each."""
    there = {fold(name).replace("_", " "): name for name in other.names}
    return [(name, there[key]) for name in wish.place.names if (key := fold(name).replace("_", " ")) in there]
