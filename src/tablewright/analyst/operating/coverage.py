"""What a part of a wish says and no step does; a plan that leaves something out counts as no plan."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tablewright.analyst.linking.mentions import ValueMention
from tablewright.analyst.linking.text import fold
from tablewright.analyst.operating.cells_said import said_colors, said_ranges
from tablewright.analyst.operating.columns_named import said_letters, written_columns
from tablewright.analyst.operating.wish import Op, Wish
from tablewright.workbook.areas import column_number

_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|「[^」]*」|『[^』]*』|(?<!\w)'[^']*'(?!\w)|‘[^’]*’|`[^`]*`")
_NUMBER = re.compile(r"(?<![\w.#/-])\d[\d,]*(?:\.\d+)?(?![\d]*[-/.]\d)(?!\w*[a-z]\d)")
_CELLS = re.compile(r"\$?([A-Z]{1,3})\$?\d+(?::\$?([A-Z]{1,3})\$?\d+)?")
_NEEDS: tuple[tuple[str, str], ...] = (
    (r"\b(?:otherwise|else)\b|否则|不然|其余", r"IF\(|where|find_replace|fill_missing"),
    (r"\baverages?\b|\bmean\b|平均", r"AVERAGE|mean|describe|run_python|where"),
    (r"\bmedian\b|中位数", r"MEDIAN|median"),
    (r"\brunning\b|\bcumulative\b|累计|累加", r"SUM\(\$"),
    (r"\brank(?:s|ed|ing)?\b|排名|名次", r"RANK|COUNTIFS|top_|sort_rows|identify_top"),
    (r"\bsort(?:ed)?\b|排序|[升降]序", r"sort_rows|RANK"),
    ((r"\b(?:bar|line|pie|column|area|scatter) (?:chart|graph)s?\b|\bcharts?\b|柱状图|折线图|饼图|散点图|条形图"
        r"|图表"), r"chart"),
    (r"\bhighlight\b|\bshade\b|高亮|标[红黄绿蓝灰橙紫粉]", r"highlight|set_fill|conditional|set_font"),
    (r"\bbold\b|加粗|粗体", r'"bold"'),
    (r"\bitalics?\b|斜体", r'"italic"'),
    (r"\bfreeze\b|冻结", r"freeze"),
    (r"\bborders?\b|边框|框线", r"set_borders"),
    (r"\bhide\b|隐藏", r"hide|filter_rows"),
    (r"\b(?:delete|remove)\b|删除|删掉",
        r"delete_|remove_|clear|find_replace|run_python|set_fill|set_borders|hide|filter_rows"),
    (r"\bmerge\b|合并", r"merge|join_columns|&|lookup|run_python"),
    (r"\bduplicat\w*|重复", r"duplicat|distinct|COUNTIF|lookup|run_python|copy_sheet"),
    (r"\bwrap\b|自动换行", r"wrap"),
    (r"\bcent(?:er|re)(?:ed)?\b|居中", r"center"),
    (r"\bround(?:ed)?\b|四舍五入|保留\S{0,2}位", r"ROUND|number_format|round"),
    (r"\bdivided by\b|除以|÷", r"/|QUOTIENT"),
    (r"\bmultipl(?:y|ied) by\b|乘以", r"\*|PRODUCT"),
    (r"\bminus\b|减去", r"-"),
    ((r"\banother (?:one )?(?:column )?(?:with|for|that|showing|named|called|which)\b|\b(?:add|insert"
        r"|create) two (?:new )?columns\b|(?:加|增|插入|新建)[^，。]{0,4}[两二2]列"),
        (r"add_column.*add_column|split_|set_formula.*set_formula|lookup|set_values.*set_values|run_python"
        r"|insert_columns|delete_|hide|join_|merge")),
    ((r"\b(?:previous|prior|preceding) (?:row|month|day|order|one|value|period|line|entry|week|year)\b"
        r"|上一?[行个条笔]|前一[行个条天]|环比"),
        r"IFERROR|OFFSET|previous|insert_|run_python|(?<![A-Z$])[A-Z]{1,2}\d"),
    (r"\b(?:top|bottom) \d+ ?(?:%|percent)|[前后]\s*\d+\s*%", r"PERCENTILE|PERCENTRANK|percent"),
    (r"\b(?:total|average|number|count|sum)\b.*\band (?:the |their )?(?:total|average|number of|count of|sum)\b",
        (r"(?:SUM|AVERAGE|COUNT|MAX|MIN)\w*\(.*(?:SUM|AVERAGE|COUNT|MAX|MIN)\w*\(|aggregation.*aggregation|describe"
        r"|sort_|add_column.*add_column|set_values|run_python")),
    (r"\bvs\b\.?|\bversus\b|\bcompar\w+ (?:to|with|against)\b|对比|相比",
        (r'"values": \["[^"]*", |"values": \[\[|summarize|data_range|scatter|highlight|IF\(|add_column|conditional'
        r'|sort_|run_python|set_formula|"where"')),
    (r"\b(?:its|their) (?:rows|orders|records|lines|entries)\b|它的(?:所有)?(?:行|订单|记录)",
        r"where|run_python|summarize|target"),
    (r"提取|\bextract\b", r"MID|LEFT|RIGHT|FIND|TEXT|YEAR|MONTH|DAY|split_|run_python|filter|VALUE|copy|REGEX"),
    (r"\btotals\b(?! (?:row|line|at|to))|合计最|总[额和量]最", r"SUM|sum|aggregate"),
    (r"\bcurrency\b|货币", r"number_format"),
    (r"\bthousands? separators?|千[位分]", r"#,##0"),
    (r"\b(?:new|separate) (?:work)?sheet\b|新(?:的)?(?:工作表|sheet)|新表", r"add_sheet|target|copy_sheet"),
    (r"\btranspos\w*|转置", r"transpose"),
    (r"\b(?:except|excluding|other than)\b|除了|不包括|不含",
        r"!=|<>|missing|present|delete_columns|delete_rows|filter_rows"),
    (r"\bdrop-?downs?|下拉(?!到)", r"data_validation|fill_down"),
    (r"\bcomments?\b|批注", r"comment"),
    (r"\b(?:unique|distinct)\b|不重复|去重", r"distinct|duplicat|UNIQUE|COUNTIF|run_python"),
    (r"\b(?:descending|newest first|largest first|high(?:est)? to low(?:est)?)\b|降序|从[高大]到[低小]",
        r'"descending": true|RANK|COUNTIFS|chart|top_'),
    (r"\b(?:per|each|every|by) month\b|\bmonthly\b|按月|每月|每个月|月度", r"(?i)month|EDATE|yyyy-mm|月"),
    ((r"\b(?:e-?mail|send|print|export|translate|predict|forecast|protect|encrypt|password|upload|share with|pdf)\b"
        r"|发送|发邮件|打印|导出|翻译|预测|保护|加密|密码"), r"run_python"),
    ((r"第[一二三四五六七八九十\d]+[名高低大小]|倒数第|\b(?:second|third|fourth)[- ](?:highest|largest|lowest"
        r"|smallest|best)"), r"top_from|LARGE|SMALL"),
    (r"\bindex ?match\b|\b[vx]?look ?-?ups?\b|查找(?!并?替换)|匹配",
        r"lookup|INDEX|MATCH|find_replace|filter_rows|run_python|SUMIF"),
    (r"\binsert\b|插入", r"insert_|add_|create_|set_values|set_formula|join_columns|comment|merge"),
    (r"格式(?!刷)", r"format|font|fill|border|TEXT|clear"),
    (r"合计行|总计行|\btotals? row\b", r"SUM|SUBTOTAL|AVERAGE"),
    ((r"\b(?:top|bottom) \d+\b|\b(?:highest|lowest|largest|smallest|longest|shortest)\b"
        r"|前[\d一二三四五六七八九十]+[名个位]|最[高低大小多少长短]"),
        r"top|MAX|MIN|LARGE|SMALL|RANK|sort_rows|max|min|where|largest|aggregate|IF\("),
    (r"\bnew column\b|新(?:的)?一?列",
        r"add_column|insert_columns|join_columns|split_column|lookup_join|run_python|set_formula"),
    (r"[只仅](?:保留|留下)(?!\S{0,3}(?:位|小数|整数))|\bkeep(?:ing)? only\b|\bonly keep\b",
        r"delete_|filter_rows|remove_|run_python|number_format|find_replace|where|[A-Z]\("),
    (r"\bwithin (?:each|every|the same)\b|组内", r"COUNTIFS|SUMIFS|AVERAGEIFS"),
)  # fmt: skip
_READING = frozenset({"describe", "identify_top", "aggregate", "find_outliers", "find_missing", "correlation"})
_WRITING = r"\b(?:put|write|enter|insert|add|fill)\b|放[在到入]|写[在到入]|填[到入在]|新增|插入|表头"
"""Words for writing something, which steps that only read do not do."""
_HOW = (
    r"\b(?:that|which|showing|shows|containing|holding|equal|equals|based on|calculated|computed|using|multipl\w+"
    r"|divid\w+|if|when)\b"
    r"|等于|内容|公式|计算|提取|根据|显示|如果|相加|相乘|乘以|除以|减去"
)
"""Words that say what a new column contains."""
_ASIDE = re.compile(
    r",?\s*\bnot (?:just|only) (?:in |the )*(?:column|row|cell|sheet)s? \w+"
    r"|,?\s*\b(?:while|but)\s+(?:retain|keep|leav|not\b|preserv).*$|[，,](?:同时|但)?保留.*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Taken:
    """What the steps cover: their whole text, their numbers, and the columns they touch."""

    whole: str
    texts: str
    numbers: frozenset[float]
    columns: frozenset[int]


def left_out(wish: Wish, ops: Sequence[Op]) -> list[str]:
    """Return the words of a part that its steps do not cover: quoted texts, cells, columns, values, names, colours,
    numbers and actions. Empty without steps."""
    if not ops:
        return []
    taken = _taken(wish, ops)
    text = _ASIDE.sub("", wish.text)
    found = [
        *_marks(text, taken),
        *_cells(wish, text, taken),
        *_columns(wish, text, taken),
        *_values(wish, text, taken),
    ]
    found += _names(wish, text, taken) if wish.scene.language == "en" else []
    found += _letters(wish, text, taken) if "auto_filter" not in taken.whole else []
    found += _colors(text, taken) if "color" in taken.whole else []
    found += _beside_a_column(text, ops, taken)
    return list(dict.fromkeys([*found, *_numbers(wish, text, taken), *_wanted(wish, text, ops, taken)]))


_NEW = re.compile(
    r"\b(?:add|insert|create|append)\s+(?:an?\s+|the\s+)?(?:new\s+)?columns?\s+(?:called\s+"
    r"|named\s+)?(?P<en>[\w %]+?)\s*=(?!=)"
    r"|(?:新增|增加|添加|加上?|插入|新建)(?:一个|一|个)?新?列\s*[:：]?\s*(?P<zh>[^\s，。,、=＝]{1,12})\s*[=＝]",
    re.IGNORECASE,
)
"""A new column, its name, and the sign before its formula."""
_MORE_THAN_A_COLUMN = re.compile(
    r"[只仅](?:保留|留|看|要|显示|剩)|留下|不要|剔除|排除|[排放]在?最?前|[为是][正负]|负数|[大小高低]于|超过|不足"
    r"|标[红黄绿蓝橙紫粉灰记]"
    r"|\b(?:only|just|without|excluding|except|negatives?|positives?)\b|\b(?:largest|highest|smallest|lowest) first\b"
    r"|\b(?:in|go|turn) (?:light |dark )?(?:red|yellow|green|blue|orange)\b",
    re.IGNORECASE,
)
"""Words for rows and looks, which a column of plain arithmetic does not cover."""


def _beside_a_column(text: str, ops: Sequence[Op], taken: _Taken) -> list[str]:
    """Return the new column that no step adds, and the words for what is to be done besides if steps only add columns
    of plain arithmetic."""
    bare = _QUOTED.sub(" ", text)
    new = _NEW.search(bare)
    name = ((new["en"] or new["zh"]).strip() if new else "") or ""
    found = [name] if name and not _has(taken, name) else []
    formulas = [str(op.parameters.get("formula") or "") for op in ops if op.function == "add_column"]
    plain = bool(formulas) and not any(re.search(r"[A-Z]\w*\(", one) for one in formulas)
    if plain and all(op.function in {"add_column", "set_number_format"} for op in ops):
        more = _MORE_THAN_A_COLUMN.search(re.sub(re.escape(name), " ", bare) if name else bare)
        found += [more[0].strip()] if more else []
    return found


def _taken(wish: Wish, ops: Sequence[Op]) -> _Taken:
    whole = json.dumps([{"function": op.function, **op.parameters} for op in ops], ensure_ascii=False, default=str)
    numbers = {abs(float(one)) for one in re.findall(r"\d+(?:\.\d+)?", whole.replace('\\"', '"'))}
    for op in ops:
        row, count = op.parameters.get("row"), op.parameters.get("count")
        if isinstance(row, int):
            numbers |= {row + (count or 1) - 1, row - 1, row + 1}
        if op.function in {"freeze_panes", "hide"}:
            numbers |= {number - 1 for number in numbers}
    columns: set[int] = set()
    for first, last in _CELLS.findall(whole):
        low = column_number(first)
        columns |= set(range(low, (column_number(last) if last else low) + 1))
    at = {name: column_number(found) for name, found in wish.place.letters.items()}
    for one, other in re.findall(r"\[([^\[\]]+)\]:\[([^\[\]]+)\]", whole):
        columns |= set(range(at.get(one, 1), at.get(other, 0) + 1))
    return _Taken(
        whole=whole,
        texts=fold(whole.replace('\\"', '"').replace("\\\\", "\\")),
        numbers=frozenset(numbers),
        columns=frozenset(columns),
    )


def _has(taken: _Taken, words: str) -> bool:
    flat = re.sub(r"\s+", "", fold(words))
    return flat in re.sub(r"\s+", "", taken.texts) or flat.replace('"', '""') in re.sub(r"\s+", "", taken.texts)


_KNOWN = frozenset({"Excel", "Sheet", "Column", "Row", "Table", "Formula", "January", "I", "OK"})


def _names(wish: Wish, text: str, taken: _Taken) -> list[str]:
    """Return capitalised words inside a sentence, presumably names; columns are checked elsewhere."""
    there = [name for other in wish.elsewhere for name in other.place.names]
    for start, end, _ in written_columns(text, {*wish.place.names, *wish.scene.sheets, *there}):
        text = text[:start] + " " * (end - start) + text[end:]
    text = re.sub(r"[(（][^()（）]*[)）]", " ", text)
    found = re.findall(r"(?<=[a-z,;] )(?:the |a )?([A-Z][a-z]+\w*)(?!\w|\()", _QUOTED.sub(" ", text))
    return [word for word in found if word not in _KNOWN and not _has(taken, word)]


def _letters(wish: Wish, text: str, taken: _Taken) -> list[str]:
    """Return the columns given by letters that no step uses."""
    bare = re.sub(_WHERE_IT_GOES[:-1], " ", _QUOTED.sub(" ", text), flags=re.IGNORECASE)
    found: list[str] = []
    for _, end, one in said_letters(bare):
        name = wish.place.by_letters(one)
        known = (
            column_number(one) in taken.columns or (name is not None and _has(taken, name)) or f'"{one}"' in taken.whole
        )
        upper = re.search(rf"(?<![A-Za-z]){one}(?![A-Za-z])", bare) is not None
        if upper and not known and not re.match(_BESIDE, bare[end:]):
            found.append(one)
    return found


def _colors(text: str, taken: _Taken) -> list[str]:
    """Return the colours that no step uses, as written."""
    bare = _QUOTED.sub(" ", text)
    return [said for said, color in said_colors(bare) if not _has(taken, color)]


def _marks(text: str, taken: _Taken) -> list[str]:
    return [
        mark
        for mark in _QUOTED.findall(text)
        if not _has(taken, mark[1:-1]) and len(mark) > 2 and mark[1:-1].strip() and not mark[1:-1].isupper()
    ]


def _cells(wish: Wish, text: str, taken: _Taken) -> list[str]:
    text = _QUOTED.sub(lambda match: " " * len(match[0]), text)
    bare = replace(wish, text=text).bare
    whole = taken.whole.replace("$", "")
    return [cells for cells in said_ranges(bare) if cells not in whole and not _within(cells, taken)]


def _within(cells: str, taken: _Taken) -> bool:
    """Return whether both ends of a range occur in the steps, if only separately."""
    whole = taken.whole.replace("$", "")
    return all(re.search(rf"(?<![A-Z]){end}(?!\d)", whole) for end in cells.split(":"))


_WHERE_IT_GOES = r"\b(?:before|after|left of|right of|next to|in front of|behind|between)\s+(?:the\s+)?(?:column\s+)?$"
_BESIDE = r"\s*列?的?(?:前面|后面|之前|之后|左侧|右侧|左边|右边|前|后)"


def _columns(wish: Wish, text: str, taken: _Taken) -> list[str]:
    """Return the number and date columns named that no step uses; other columns only if the words call them columns."""
    found: list[str] = []
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    for start, end, name in written_columns(text, wish.place.names):
        if len(name) < 2 or any(low <= start < high for low, high in quoted) or _has(taken, name):
            continue
        at = wish.place.letters.get(name)
        if at is not None and column_number(at) in taken.columns:
            continue
        if re.search(_WHERE_IT_GOES, text[:start], re.IGNORECASE) or re.match(_BESIDE, text[end:]):
            continue
        strong = re.match(r"\s*(?:column\b|列)", text[end:], re.IGNORECASE) or re.search(
            r"(?:\bby|\bper|\beach|\bcolumn|按照?|根据|每个?)\s*(?:the\s+)?$", text[:start], re.IGNORECASE
        )
        if strong or ((wish.place.numeric(name) or wish.place.dated(name)) and text[start:end] == name):
            found.append(name)
    return found


def _values(wish: Wish, text: str, taken: _Taken) -> list[str]:
    """Return the table cells that the words name literally and no step uses."""
    found: list[str] = []
    headers = [(start, end) for start, end, _ in written_columns(text, wish.place.names)]
    for mention in wish.linked.mentions:
        if not isinstance(mention, ValueMention) or mention.how != "exact":
            continue
        start, end = wish.tokens[mention.start].start, wish.tokens[mention.end - 1].end
        words = text[start:end]
        if re.match(r"取消(?:合并|隐藏|冻结|筛选|加粗|边框|填充|高亮|换行)", text[start:]):
            continue
        held = words in {value for _, value in mention.places} and len(words) > 1
        if held and not any(low < end and start < high for low, high in headers) and not _has(taken, words):
            found.append(words)
    return found


def _numbers(wish: Wish, text: str, taken: _Taken) -> list[str]:
    headers = [(start, end) for start, end, _ in written_columns(text, wish.place.names)]
    bare = _QUOTED.sub(lambda match: " " * len(match[0]), text)
    if "set_number_format" in taken.whole or "date" in taken.whole:
        bare = re.sub(r"\d{2,4}[-/.年]\d{1,2}[-/.月]\d{1,4}日?", lambda match: " " * len(match[0]), bare)
    found: list[str] = []
    for match in _NUMBER.finditer(bare):
        if any(low <= match.start() < high for low, high in headers) or re.match(
            r"\s*(?:or so|rows of data)", bare[match.end() :]
        ):
            continue
        number = float(match[0].replace(",", ""))
        large = number >= 1000 and re.match(r"\s*(?:rows|records|lines|entries)\b", bare[match.end() :])
        if number > 1 and not large and not _number_taken(number, bare[match.end() : match.end() + 12], taken):
            found.append(match[0])
    return found


def _number_taken(number: float, after: str, taken: _Taken) -> bool:
    shares = {number / 100, 1 + number / 100, 1 - number / 100, number / 10, number * 1e4, number * 1e8, number * 1e3}
    if any(abs(one - known) < 1e-9 for one in (number, *shares) for known in taken.numbers):
        return True
    decimals = re.match(r"\s*(?:decimal|digits|位|dp\b)", after)
    return decimals is not None and re.search(r"0\." + "0" * int(number) + r"(?!0)", taken.whole) is not None


def _wanted(wish: Wish, text: str, ops: Sequence[Op], taken: _Taken) -> list[str]:
    """Return the words for an action, or for a manner of it, that no step performs."""
    low = _QUOTED.sub(" ", fold(text))
    for name in sorted(wish.place.names, key=len, reverse=True):
        low = low.replace(fold(name), " ") if len(name) > 1 else low
    found = [
        match[0]
        for pattern, need in _NEEDS
        if (match := re.search(pattern, low)) and not re.search(need, taken.whole) and not _has(taken, match[0])
    ]
    if all(op.function in _READING for op in ops):
        found += [match[0] for match in re.finditer(_WRITING, low)][:1]
    empty = [op for op in ops if op.function == "add_column" and not op.parameters.get("formula")]
    for op in empty:
        rest = low.replace(fold(str(op.parameters["header"])), " ")
        if len(ops) == 1 and (match := re.search(_HOW, rest)):
            found.append(rest[match.start() :].strip() if len(rest[match.start() :]) < 40 else match[0])
    return found
