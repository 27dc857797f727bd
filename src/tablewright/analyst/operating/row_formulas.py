"""Formulas for new columns beyond arithmetic: sums across a row, running totals, ranks, ages, parts of texts."""

from __future__ import annotations

import itertools
import re
from itertools import pairwise

from tablewright.analyst.linking.text import fold
from tablewright.analyst.operating.columns_named import written_columns
from tablewright.analyst.operating.measures import alike, measured
from tablewright.analyst.operating.wish import Wish
from tablewright.workbook.areas import column_number

_ACROSS = (
    ("AVERAGE", r"\b(?:average|mean|avg)\b|平均|均分|均值"),
    ("MAX", r"\b(?:max(?:imum)?|highest|largest|best)\b|最大|最高"),
    ("MIN", r"\b(?:min(?:imum)?|lowest|smallest|worst)\b|最小|最低"),
    ("SUM", r"\b(?:sums?|totals?|add(?:s|ing)? up|together|combined)\b|之和|总和|合计|求和|总计|总分|相加|加起来|的和"),
)  # fmt: skip
_SPAN = re.compile(
    r"^\s*(?:column|列)?\s*(?:to|through|thru|until|till|-|–|~|:|到|至|—)\s*(?:column\s+)?$", re.IGNORECASE
)
_LISTED = re.compile(r"^\s*(?:,|，|、|and|&|\+|和|与|及|以及|,\s*and|，和)\s*(?:the\s+)?$", re.IGNORECASE)
_EACH_ROW = (
    r"\b(?:row|total|average|overall) (?:total|sum|average|score)s?\b|\b(?:each|every|per) row\b|每(?:一)?行|总分"
    r"|平均分|均分"
)


def row_formula(text: str, wish: Wish) -> str | None:
    """Return the formula that the words describe, in the form that `add_column` takes, or None."""
    for read in (_joined, _running, _ranked, _elapsed, _cut_out, _changed, _across):
        found = read(text, wish)
        if found is not None:
            return found
    return None


def spans(text: str, wish: Wish) -> list[str]:
    """Return the columns that words name one by one or as a range: `Jan to Jun`."""
    places = _places(text, wish)
    found: list[str] = []
    last = 0
    for at, (start, end, name) in enumerate(places):
        if at and _SPAN.match(text[last:start]):
            low, high = (column_number(wish.letters_of(one)) for one in (found[-1], name))
            found += [one for one in wish.place.names if low < column_number(wish.letters_of(one)) < high]
        if name not in found:
            found.append(name)
        last = end
    return found


def _places(text: str, wish: Wish) -> list[tuple[int, int, str]]:
    return written_columns(text, wish.place.names)


def _across(text: str, wish: Wish) -> str | None:
    """Read an aggregate across a row: `the average of Jan through Jun`, `语文、数学、英语之和`, or the total of a row
    whose columns are all of one kind."""
    low = fold(text)
    function = next((name for name, pattern in _ACROSS if re.search(pattern, low)), None)
    if function is None:
        return None
    named = [name for name in spans(text, wish) if wish.place.numeric(name)]
    places = [place for place in _places(text, wish) if wish.place.numeric(place[2])]
    if len(places) > 2 and (more := _with_another(text, wish, places, function)) is not None:
        return more
    if re.search(r"[/÷*×]|除以|乘以|\bdivided by\b|\btimes\b", low):
        return None
    if len(named) < 2 or not _enumerated(text, wish):
        named = alike(wish) if len(named) < 2 and re.search(_EACH_ROW, low) else []
    return _rounded(f"{function}({_cells(named, wish)})", low) if len(named) > 1 else None


def _with_another(text: str, wish: Wish, places: list[tuple[int, int, str]], function: str) -> str | None:
    """Read an aggregate over several columns, combined with one more by an operator: `一月到三月合计/目标`."""
    *run, (start, _, last) = places
    between = [text[left[1] : right[0]] for left, right in pairwise(run)]
    sign = re.fullmatch(
        r"\s*(?:的)?(?:合计|总和|之和|总计|平均值?|\)|）)?\s*(?P<op>/|÷|除以|divided by|\*|×|乘以|times)\s*(?:the\s+)?",
        text[run[-1][1] : start],
        re.IGNORECASE,
    )
    if sign is None or not all(_SPAN.match(one) or _LISTED.match(one) for one in between):
        return None
    names = [name for name in spans(text[: run[-1][1]], wish) if wish.place.numeric(name)]
    op = "/" if sign["op"].lower() in {"/", "÷", "除以", "divided by"} else "*"
    return f"={function}({_cells(names, wish)}){op}[{last}]"


def _enumerated(text: str, wish: Wish) -> bool:
    places = [place for place in _places(text, wish) if wish.place.numeric(place[2])]
    between = [text[left[1] : right[0]] for left, right in itertools.pairwise(places)]
    return any(_SPAN.match(one) or _LISTED.match(one) for one in between)


def _cells(names: list[str], wish: Wish) -> str:
    at = [column_number(wish.letters_of(name)) for name in names]
    if at == list(range(at[0], at[0] + len(at))):
        return f"[{names[0]}]:[{names[-1]}]"
    return ",".join(f"[{name}]" for name in names)


_ROUND = (
    r"\bround\w*\s+(?:it\s+)?(?:off\s+)?(?:to\s+)?(\d+)?|(?:四舍五入|保留|取)\D{0,4}?([0-9一两二三四])\s*位"
    r"|(\d)\s*decimals?\b"
)
_DIGITS = {"一": "1", "两": "2", "二": "2", "三": "3", "四": "4"}


def _rounded(formula: str, low: str) -> str:
    match = re.search(_ROUND, low)
    if match is None:
        return f"={formula}"
    digits = next((group for group in match.groups() if group), "0")
    return f"=ROUND({formula},{_DIGITS.get(digits, digits)})"


_CHANGE = re.compile(
    r"\b(?:percent(?:age)?\s+)?(?:change|growth|increase|decrease|difference|variance)s?\b[^.]*?\b(?:from"
    r"|between)\b|(?:从|由)[^，。]*到[^，。]*(?:增长|变化|增幅|涨幅|变动|差)|到[^，。]*的(?:增长|变化|增幅|涨幅"
    r"|变动)",
    re.IGNORECASE,
)
_SHARE = r"%|\bpercent|\bgrowth\b|\brate\b|百分|率|增幅|涨幅"


def _changed(text: str, wish: Wish) -> str | None:
    """Read the change between two columns: `the change from Jan to Jun in percent`, `1月到6月的增长率`."""
    if not _CHANGE.search(text):
        return None
    names = [name for _, _, name in _places(text, wish) if wish.place.numeric(name)]
    if len(names) != 2:
        return None
    first, last = names
    if not re.search(_SHARE, fold(text)):
        return f"=[{last}]-[{first}]"
    return f"=([{last}]-[{first}])/[{first}]"


_SIGN = re.compile(
    r"(?:用|以|中间加|加)\s*[\"“]?([-_/ ,，.、|]|空格|逗号|横线)[\"”]?\s*(?:连接|隔开|分隔|拼接|合并|相连)?"
    r"|\b(?:by|with|using)\s+(?:an?\s+|the\s+)?[\"“]?(space|comma|hyphen|dash|underscore|slash"
    r"|[-_/,.|])[\"”]?(?=\W|$)",
    re.IGNORECASE,
)
_SIGNS = {"空格": " ", "space": " ", "逗号": ",", "comma": ", ", "横线": "-", "hyphen": "-", "dash": "-",
    "underscore": "_", "slash": "/"}  # fmt: skip


def _joined(text: str, wish: Wish) -> str | None:
    """Read a concatenation of texts, with a separator if one is given: `内容是姓和名合并`, `joining First and Last`."""
    if not re.search(r"\b(?:combin|concatenat|join|merg)\w*\b|合并|拼接|拼|连接|连起来|连在一起|组合", fold(text)):
        return None
    listed = re.search(
        r"(?:由|内容是|内容为|把|将|是|为|：|:|=|，|,|\b(?:combin|concatenat|join|merg)\w*\b)(?P<rest>.+)$",
        text,
        re.IGNORECASE,
    )
    names = list(dict.fromkeys(name for _, _, name in _places(listed["rest"] if listed else text, wish)))
    if len(names) < 2:
        return None
    sign = _SIGN.search(text)
    said = next((group for group in sign.groups() if group), "") if sign else " " if wish.scene.language == "en" else ""
    between = f'&"{_SIGNS.get(said.lower(), said)}"&' if said else "&"
    return "=" + between.join(f"[{name}]" for name in names)


def _running(text: str, wish: Wish) -> str | None:
    """Read a sum from the first row to the current one: `a running total of Qty`, `累计金额`."""
    if not re.search(
        r"\b(?:running|cumulative|rolling) (?:total|sum|balance|count)?|\bcumulative\b|累计|累加|累积", fold(text)
    ):
        return None
    column = _one(text, wish)
    if column is None:
        return None
    first = wish.place.fixed(column).split(":")[0]
    return f"=SUM({first}:[{column}])"


def _one(text: str, wish: Wish) -> str | None:
    """Return the numeric column that is meant: the one named, the one just made, or the only one."""
    named = [name for name in wish.numeric(wish.said(text)) if name in wish.place.letters]
    if named:
        return named[0]
    known = [name for name in measured(wish) if name in wish.place.letters]
    made = wish.memory.made if wish.memory.made in known else None
    return made or (known[0] if len(known) == 1 else None)


def _ranked(text: str, wish: Wish) -> str | None:
    """Read a rank, within a group if one is named: `rank the orders by Qty`, `按总分从高到低排名`."""
    low = fold(text)
    if not re.search(r"\brank(?:s|ing|ed)?\b|排名|名次|排位", low):
        return None
    column = _one(text, wish)
    if column is None:
        return None
    upwards = re.search(r"\b(?:lowest|smallest)\s*(?:=|is|first|gets)|\bascending\b|从[低小少]到|升序", low) is not None
    group = re.search(
        r"\b(?:within|in|inside|for) (?:each|every|the same)\s+(?P<en>.+)|(?:每个?|各|同一?)(?P<zh>.+?)(?:内|中|里)",
        text,
        re.IGNORECASE,
    )
    keys = [name for name in wish.said(group["en"] or group["zh"]) if name in wish.place.letters] if group else []
    if keys:
        sign = "<" if upwards else ">"
        fixed = wish.place.fixed
        return f'=COUNTIFS({fixed(keys[0])},[{keys[0]}],{fixed(column)},"{sign}"&[{column}])+1'
    return f"=RANK([{column}],[[{column}]]{',1' if upwards else ''})"


_AGE = (
    (r"\bages?\b|年龄|岁数", r"birth|\bdob\b|born|出生|生日"),
    ((
        r"\b(?:tenure|seniority|years? (?:of service|employed|with the company|worked))\b|工龄|司龄|入职年限|年限"
        r"|工作年数|在职年"
    ), r"hire|join|start|employ|入职|参加工作|进厂"),
)  # fmt: skip
_DAY = re.compile(r"(?<!\d)(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?!\d)")
_NOW = r"\btoday\b|\bnow\b|今天|今日|现在|当前日期|目前|至今|\b(?:since|ago)\b"


def _elapsed(text: str, wish: Wish) -> str | None:
    """Read an age in full years, the days between two dates, or a date some days later."""
    low = fold(text)
    said = [name for name in wish.said(text) if name in wish.place.letters and wish.place.dated(name)]
    for pattern, kind in _AGE:
        if re.search(pattern, low):
            dated = said or [
                name for name in wish.place.names if wish.place.dated(name) and re.search(kind, name.lower())
            ]
            return f'=DATEDIF([{dated[0]}],TODAY(),"Y")' if len(dated) == 1 else None
    if not said and _DAY.search(low):
        said = [name for name in wish.place.names if wish.place.dated(name)]
    if len(said) != 1:
        return None
    return _later(low, said[0]) or _days(low, said[0])


def _later(low: str, date: str) -> str | None:
    match = re.search(
        r"\b(\d+)\s+(day|week|month|year)s?\s+(?:after|later than|from)\b|(?:加|后|之后的?|往后)\s*(\d+)\s*(天|日"
        r"|周|个月|年)",
        low,
    )
    if match is None or re.search(_NOW, low):
        return None
    count, unit = (match[1], match[2]) if match[1] else (match[3], match[4])
    if unit in {"month", "个月", "year", "年"}:
        return f"=EDATE([{date}],{int(count) * (1 if unit in {'month', '个月'} else 12)})"
    return f"=[{date}]+{int(count) * (7 if unit in {'week', '周'} else 1)}"


def _days(low: str, date: str) -> str | None:
    if not re.search(r"\bdays?\b|天数|多少天|几天|间隔|相差|距", low):
        return None
    day = _DAY.search(low)
    if day is None:
        return f"=TODAY()-[{date}]" if re.search(_NOW, low) else None
    other = f"DATE({int(day[1])},{int(day[2])},{int(day[3])})"
    until = re.search(r"\b(?:until|till|to go|remaining|left)\b|剩余|还有|还剩", low)
    return f"=[{date}]-{other}" if until else f"={other}-[{date}]"


_SIGN_NAMES: tuple[tuple[str, str], ...] = (
    ("-", r"(?:the )?(?:dash|hyphen)|连字符|横线|横杠|短横|-"), ("@", r"(?:the )?at[- ]?sign|(?:the )?@(?: sign)?"),
    (",", r"(?:the )?comma|逗号|,"),
    ("_", r"(?:the )?underscore|下划线|_"), ("/", r"(?:the )?slash|斜杠|/"), (":", r"(?:the )?colon|冒号|:"),
    (" ", r"(?:the )?(?:first )?space|空格"),
    (".", r"(?:the )?(?:dot|period)|点号|\."), ("#", r"#"), ("(",
        r"(?:the )?(?:opening |left )?(?:bracket|parenthesis)|左?括号|\("),
)  # fmt: skip


def _cut_out(text: str, wish: Wish) -> str | None:
    """Read the text before or after a sign: `the part of Order ID after the dash`, `提取邮箱@后面的域名`."""
    if not re.search(
        r"\b(?:extract|part|portion|text|everything|get|take|characters?|domain|prefix|suffix)\b|提取|取出|截取|取"
        r"|部分|内容",
        fold(text),
    ):
        return None
    column = next(
        (name for name in wish.said(text) if name in wish.place.letters and not wish.place.numeric(name)), None
    )
    found = _side(text) or _of_address(fold(text))
    if column is None or found is None:
        return None
    sign, after = found
    samples = [str(sample) for sample in wish.place.fact(column).samples if sample is not None]
    if samples and not any(sign in sample for sample in samples):
        return None
    quoted = '"' + sign.replace('"', '""') + '"'
    formula = (
        f"MID([{column}],FIND({quoted},[{column}])+{len(sign)},LEN([{column}]))"
        if after
        else f"LEFT([{column}],FIND({quoted},[{column}])-1)"
    )
    whole = bool(samples) and all(sign in sample for sample in samples) and not wish.place.fact(column).missing
    return f"={formula}" if whole else f'=IFERROR({formula},"")'


def _of_address(low: str) -> tuple[str, bool] | None:
    """Return the sign and the side of a named part of a mail address, or None."""
    if re.search(r"\bdomain\b|域名", low):
        return "@", True
    return ("@", False) if re.search(r"\buser ?name\b|\blocal part\b|用户名", low) else None


def _side(text: str) -> tuple[str, bool] | None:
    """Return a sign and whether the text after it is wanted, or None."""
    marks = [(sign, pattern) for sign, pattern in _SIGN_NAMES]
    said = re.search(r"[\"“「'‘]([^\"”」'’\w\s]{1,4})[\"”」'’]", text)
    if said:
        marks.insert(0, (said[1], r"[\"“「'‘]" + re.escape(said[1]) + r"[\"”」'’]"))
    for sign, pattern in marks:
        match = re.search(
            rf"\b(?P<en>after|following|behind|right of|before|preceding|left of"
            rf"|up to)\s+(?:an?\s+)?(?:{pattern})(?!\w)|(?:{pattern})\s*(?:的|符号|号)?(?P<zh>之?后面?|右边|右侧"
            rf"|之?前面?|左边|左侧)",
            text, re.IGNORECASE,
        )  # fmt: skip
        if match:
            way = (match["en"] or match["zh"]).lower()
            return sign, re.search(r"after|following|behind|right|后|右", way) is not None
    return None
