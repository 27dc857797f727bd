"""Number formats, fonts, borders, alignment."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from tablewright.analyst.linking.text import fold
from tablewright.analyst.operating.cells_said import number, quoted, said_color, said_rows
from tablewright.analyst.operating.filters import where
from tablewright.analyst.operating.measures import is_code
from tablewright.analyst.operating.ranking import ranked
from tablewright.analyst.operating.wish import Lacking, Op, Read, Wish
from tablewright.workbook.areas import Area

_BORDER = r"\bborders?\b|\bgrid ?lines\b|\boutline\b|边框|框线|外框|网格线"
_BOLD = r"\bbold\b|加粗|粗体"
_FONT = (
    r"\bitalic\w*|\bunderlin\w*|\bfont\b|\btext colou?r\b|斜体|下划线|字体|字号|[黄红绿蓝橙紫粉灰白黑]字|字色|文字颜色"
    r"|字体颜色"
)
_ALIGN = r"\b(?:cent(?:er|re)(?:ed)?|align(?:ed)?|left-align|right-align|wrap)\b|居中|对齐|换行|左对齐|右对齐"
_FORMAT = (
    r"\b(?:currency|dollars?|euros?|yuan|percent(?:age)?s?|decimals?|decimal places|thousands?(?: separators?)?"
    r"|number format|date format|scientific|comma style|accounting)\b"
    r"|\b(?:format|show|display|style)\b[^.]*\b(?:dates?|numbers?|as|in)\b|\bas (?:text|dates?|numbers?|integers?)\b"
    r"|[dmy]{1,4}[-/年.][dmy]{1,4}|\b(?:show|display|format|write)\b.*\d[-/.]\d|显示[成为].*\d"
    r"|货币|人民币|美元|百分比|百分数|小数|千位|千分位|科学计数|日期格式|数字格式|数值格式|文本格式|整数|取整|格式"
    r"|\bround(?:ed)?\b.*\bwhole numbers?\b"
)
_CURRENCIES = (("¥", r"¥|\b(?:yuan|rmb|cny)\b|人民币|元(?!素)|￥"), ("€", r"€|\beuros?\b|欧元"),
    ("£", r"£|\b(?:pounds?|gbp)\b|英镑"), ("$", r"\$|\b(?:dollars?|usd)\b|美元"))  # fmt: skip


_COLOR = (
    "(?:(?:light|dark) )?(?:yellow|red|green|blue|orange|purple|pink|gr[ae]y|brown|white|black)|"
    "[浅深淡]?[黄红绿蓝橙紫粉灰白黑]色?"
)
_BACKGROUND = re.compile(
    rf"\bon (?:an? )?(?:{_COLOR})(?! (?:text|font|letters))\b|(?:\b(?:on|with"
    rf"|and) )?(?:an? )?(?:{_COLOR}) (?:background|fill)\b|(?:background|fill)(?: colou?r)?(?: of| to"
    rf"| in)? (?:{_COLOR})|(?:{_COLOR})的?(?:背景|底色|底)|(?:背景|底色)(?:颜色)?(?:为|设为|设置为|改为|用"
    rf"|是)?(?:{_COLOR})",
    re.IGNORECASE,
)


def look(wish: Wish) -> Read:
    """Read changes to the looks of cells; several changes become several steps."""
    steps: list[Op] = []
    lacking: Lacking | None = None
    background = _BACKGROUND.search(wish.text) if wish.has(rf"{_BOLD}|{_FONT}") else None
    if background is not None:
        color = said_color(background[0])
        wish = replace(wish, text=wish.text.replace(background[0], " "))
        steps += [wish.op("set_fill", range=cells, color=color) for cells in _targets(wish)]
    for pattern, read in (
        (_BORDER, _borders),
        (rf"{_BOLD}|{_FONT}", _font),
        (_ALIGN, _aligned),
        (_FORMAT, _number_format),
    ):
        if not wish.has(pattern):
            continue
        found = read(wish)
        if isinstance(found, Lacking):
            lacking = found
        elif found:
            steps += found
    return steps or lacking


def _targets(wish: Wish, *, whole: bool = False) -> list[str]:
    """Return the ranges that are meant: a range, the header, numbered rows, columns, what was just mentioned, or the
    whole table."""
    cells = wish.cells()
    if cells is not None:
        found = [cells]
    elif wish.has(r"\bheaders?\b|\b(?:title|top|first) row\b|表头|标题行|首行|第一行") and wish.place.header_range:
        found = [wish.place.header_range]
    elif (rows := said_rows(wish.low)) is not None:
        area = wish.place.area
        found = [Area(rows[0], area.first_column, rows[1], area.last_column).text]
    elif columns := wish.said():
        found = [wish.span(name) for name in columns]
        wish.memory.columns = columns
    elif whole or wish.has(r"\b(?:all|every|whole|entire|table|sheet|everything)\b|所有|全部|整个|全表|整张"):
        found = [wish.body()]
    elif wish.memory.made and wish.memory.made in wish.place.letters:
        found = [wish.span(wish.memory.made)]
    elif wish.memory.target and not wish.memory.answers:
        found = [wish.memory.target]
    elif (answered := wish.answered()) is not None:
        found = [wish.span(answered)]
    else:
        found = []
    if found:
        wish.memory.target = found[0]
    return found


def _borders(wish: Wish) -> Read:
    style = next((name for name,
        word in (("thick", r"\bthick|粗"), ("double", r"\bdouble|双"), ("dashed", r"\bdash|虚"),
            ("medium", r"\bmedium|中等"),
            ("none", r"\b(?:remove|no|clear)\b|去掉|取消|清除|无边框")) if wish.has(word)), None)  # fmt: skip
    part = next((name for name,
        word in (("outline", r"\boutline|\boutside|\bouter|外边|外框|四周"), ("bottom", r"\bbottom|下边|底边"),
            ("top", r"\btop border|(?<!加)上边")) if wish.has(word)), None)  # fmt: skip
    return [
        wish.op("set_borders", range=cells, style=style, where=part, color=said_color(wish.text))
        for cells in _targets(wish, whole=True)
    ]


def _font(wish: Wish) -> Read:
    given: dict[str, Any] = {}
    off = wish.has(r"\b(?:not|remove|un)-?\s?bold|取消加粗|不加粗")
    if wish.has(_BOLD):
        given["bold"] = off is None
    if wish.has(r"\bitalic|斜体"):
        given["italic"] = True
    if wish.has(r"\bunderlin|下划线"):
        given["underline"] = True
    size = re.search(
        r"\b(?:size|font|arial|calibri|verdana|cambria|tahoma|roman|new)\s*(?:to|of|=|,)?\s*(\d+)|(\d+)\s*(?:pt"
        r"|points?|号)|字号\D{0,4}(\d+)",
        wish.low,
    )
    if size:
        given["size"] = float(next(group for group in size.groups() if group))
    family = re.search(
        r"\b(arial|calibri|times new roman|verdana|cambria|tahoma|courier new)\b|(宋体|黑体|微软雅黑|楷体|仿宋)",
        wish.low,
    )
    if family:
        given["name"] = (family[1] or family[2]).title()
    color = said_color(wish.text)
    if color:
        given["color"] = color
    return _fonted(wish, given) if given else Lacking(what="value", function="set_font")


def _fonted(wish: Wish, given: dict[str, Any]) -> Read:
    """Read a font for the rows that a condition or a rank selects, else for the cells meant."""
    header = wish.has(r"\bheaders?\b|表头|标题行|\b(?:top|first) row\b|首行")
    found = where(wish) if not header and wish.cells() is None else None
    if found is None and not header and wish.cells() is None and (top := ranked(wish)) is not None:
        found = _extreme(wish, top[0], top[1], largest=top[2])
        if found is None:
            return None
    if found is None and not header and wish.memory.where and not wish.said() and not wish.memory.target:
        found = wish.memory.where
        return [wish.op("set_font", range=wish.body(header=False), where=found, **given)]
    if found is None:
        targets = _targets(wish)
        return [wish.op("set_font", range=cells, **given) for cells in targets] or Lacking(
            what="range", function="set_font"
        )
    wish.memory.where = found
    column = found["tests"][-1]["column"]
    names = [
        name for name in wish.said() if name != column and name in wish.place.letters and not wish.place.numeric(name)
    ]
    if len(names) == 1 and wish.has(rf"{re.escape(fold(names[0]))}(?:列)?(?:的)?(?:加粗|标|变|设|改|字)"):
        column = names[0]
    whole = wish.has(r"\brows?\b|行|\borders?\b|\brecords?\b|记录") or column not in wish.place.names
    cells = wish.body(header=False) if whole else wish.span(column)
    return [wish.op("set_font", range=cells, where=found, **given)]


def _extreme(wish: Wish, column: str | None, count: int, *, largest: bool) -> dict[str, Any] | None:
    """Return the filter for the rows with the largest (or smallest) number of a column; None if it is not known or
    several places are wanted."""
    if column is None or count != 1 or column not in wish.place.names:
        return None
    fact = wish.place.fact(column)
    value = fact.maximum if largest else fact.minimum
    return {"tests": [{"column": column, "op": "=", "value": value}], "match": "all"} if value is not None else None


def _aligned(wish: Wish) -> Read:
    across = next((name for name,
        word in (("center", r"\bcent(?:er|re)|居中"), ("left", r"\bleft|左"),
            ("right", r"\bright|右")) if wish.has(word)), None)  # fmt: skip
    upright = "center" if wish.has(r"\bvertical|\bmiddle|垂直") else None
    wraps = True if wish.has(r"\bwrap|换行") else None
    if across is None and upright is None and wraps is None:
        return None
    if upright and not wish.has(r"\bhorizontal|水平|左|右|\bleft|\bright"):
        across = None
    targets = _targets(wish, whole=not wish.memory.target)
    return [wish.op("set_alignment", range=cells, horizontal=across, vertical=upright, wrap=wraps) for cells in targets]


def _number_format(wish: Wish) -> Read:
    code = number_format(wish)
    if code is None:
        return None
    dates = [name for name in wish.place.names if wish.place.dated(name)]
    if not wish.said() and re.search("[yd]", code) and len(dates) == 1 and wish.cells() is None:
        return [wish.op("set_number_format", range=wish.span(dates[0]), format=code)]
    targets = _targets(wish) if wish.said() or not wish.has(_AMOUNTS) or wish.cells() else _amounts(wish)
    if not targets:
        return Lacking(what="column", function="set_number_format")
    return [wish.op("set_number_format", range=cells, format=code) for cells in targets]


_AMOUNTS = (
    r"\b(?:numbers|amounts|figures|numeric (?:columns|cells|values)|number columns)\b|数字(?!格式)|金额|数值(?!格式)"
    r"|数据都"
)


def _amounts(wish: Wish) -> list[str]:
    """Return the ranges of all columns of measurements."""
    return [wish.span(name) for name in wish.place.names if wish.place.numeric(name) and not is_code(wish, name)]


def number_format(wish: Wish) -> str | None:
    """Return the Excel number format that the words ask for, or None."""
    low = wish.low
    example = _by_example(low)
    if example is not None:
        return example
    date = re.search(r"(?<![a-z])(?:[dmy]{1,4}\s*[-/.年月, ]\s*){1,2}[dmy]{1,4}日?(?:\s+h{1,2}:m{2}(?::s{2})?)?", low)
    if date and re.search("y|d", date[0]):
        return re.sub(r"([年月日])", r'"\1"', date[0].strip())
    given = [mark for mark in quoted(wish.text) if re.search(r"[0#?@]", mark)]
    if given:
        return given[0]
    places = _places(low)
    if re.search(r"\bpercent|%|百分", low):
        return "0" + _decimals(places if places is not None else 0) + "%"
    sign = next((found for found, pattern in _CURRENCIES if re.search(pattern, low)), None)
    if re.search(r"\bcurrency|\baccounting|货币", low) or sign:
        sign = sign or ("¥" if wish.scene.language == "zh" else "$")
        return f"{sign}#,##0" + _decimals(2 if places is None else places)
    return _plain_format(wish, low, places)


_EXAMPLES = (
    (r"(?<!\d)\d{4}([-/.])\d{2}\1\d{2}(?!\d)", "yyyy{0}mm{0}dd"),
    (r"(?<!\d)\d{4}([-/.])\d\1\d(?!\d)", "yyyy{0}m{0}d"),
    (r"(?<!\d)(?:1[3-9]|2\d|3[01])([-/.])\d{2}\1\d{4}(?!\d)", "dd{0}mm{0}yyyy"),
    (r"(?<!\d)\d{2}([-/.])\d{2}\1\d{4}(?!\d)", "mm{0}dd{0}yyyy"),
    (r"\d{4}年\d{1,2}月\d{1,2}日()", 'yyyy"年"m"月"d"日"'),
)


def _by_example(low: str) -> str | None:
    """Return the format of a date given as an example, or None."""
    if not re.search(r"\blike\b|\bsuch as\b|e\.g\.|\bas\b|\bformat|这样|这种|例如|比如|如|格式|样式|形式|成", low):
        return None
    for pattern, code in _EXAMPLES:
        if match := re.search(pattern, low):
            return code.format(match[1])
    return None


def _plain_format(wish: Wish, low: str, places: int | None) -> str | None:
    if re.search(r"thousands?|comma|千位|千分位", low):
        return "#,##0" + _decimals(places or 0)
    if re.search(r"\bscientific|科学", low):
        return "0.00E+00"
    if re.search(r"\bas text\b|文本", low):
        return "@"
    if places is not None:
        return "0" + _decimals(places)
    if re.search(r"\binteger|\bwhole number|整数|取整", low):
        return "0"
    if re.search(r"\bdate|日期", low) and re.search(r"\bformat|格式|显示", low):
        return "yyyy-mm-dd" if wish.scene.language == "en" else 'yyyy"年"m"月"d"日"'
    return None


def _places(low: str) -> int | None:
    match = re.search(
        r"(\d+|no|without|zero|one|two|three|four)\s+(?:any )?(?:decimal|digits? after)|(?:保留"
        r"|取)?\s*([一二两三四零\d])\s*位(?:小数)?|小数点?后\s*([一二两三四\d])\s*位",
        low,
    )
    if match is None:
        return None
    word = next(group for group in match.groups() if group)
    return 0 if word in {"no", "without", "zero", "零", "0"} else number(word)


def _decimals(places: int) -> str:
    return "." + "0" * places if places else ""
