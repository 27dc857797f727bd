"""Formulas from words: arithmetic on columns, conditions, functions of one column. As in `add_column`, `[Header]` is
a row's cell and `[[Header]]` the whole column."""

from __future__ import annotations

import re
from typing import Any

from tablewright.analyst.grammar.forms.arithmetic import spoken
from tablewright.analyst.operating.cells_said import number, quoted
from tablewright.analyst.operating.columns_named import named_columns, said_letters
from tablewright.analyst.operating.filters import where
from tablewright.analyst.operating.scene import Place
from tablewright.analyst.operating.wish import Wish
from tablewright.analyst.plan import Col, Expr, Lit, Math
from tablewright.domain.table import Cell

_WORDS: tuple[tuple[str, str], ...] = (
    (r"[，,]?\s*(?:再|然后|接着)\s*(?=除以|乘以|乘|除|加|减)", " "),
    (r"(\d+(?:\.\d+)?)\s*(?:%|percent|个百分点)\s*of(?:\s+the)?", r" \1% * "),
    (r"\bmultipl(?:y|ies|ying)\s+(?:the\s+)?(\S+)\s+(?:by|and|with)\b", r" \1 * "),
    (r"\bdivid(?:e|es|ing)\s+(?:the\s+)?(\S+)\s+by\b", r" \1 / "),
    (r"\bsubtract(?:s|ing)?\s+(?:the\s+)?(\S+)\s+from\s+(?:the\s+)?(\S+)", r" \2 - \1 "),
    (r"multiplied by|times|乘以|乘|×|(?<=[\d)\x01%])\s*\bx\b(?=\s*[\d(\x00])", " * "),
    (r"divided by|除以|÷", " / "),
    (r"\bplus\b|加上|加", " + "),
    (r"\bminus\b|\bless\b|减去|减", " - "),
    (r"打\s*([1-9])\s*折", r" * 0.\1 "),
    (r"打\s*([1-9])\.?([1-9])\s*折", r" * 0.\1\2 "),
    (r"的(\d+(?:\.\d+)?%)", r" * \1 "),
    (r"的(\d+(?:\.\d+)?)倍", r" * \1 "),
    (r"（", "("), (r"）", ")"),
    (r"\b(?:the|value of|column|columns)\b|的|列|之", " "),
)  # fmt: skip
_ALLOWED = re.compile(r"^[\s\d.+\-*/()%^]*$")
_SIGN = re.compile(r"[-+*/^]")


def arithmetic(text: str, place: Place) -> str | None:
    """Return the formula that a text writes or spells out, or None: `revenue - cost`, `8% of revenue`."""
    written = _columns_marked(text, place)
    marked, names = written
    for pattern, sign in _WORDS:
        marked = re.sub(pattern, sign, marked, flags=re.IGNORECASE)
    inner = re.findall(r"\(([^()]*)\)", marked)
    for candidate in [*_stretches(marked), *inner]:
        plain = re.sub(r"\x00\d+\x01", "1", candidate)
        if "\x00" in candidate and _ALLOWED.match(plain) and _SIGN.search(plain) and _sound(plain):
            return "=" + _filled(candidate.strip(), names)
    said = [name for _, _, name in named_columns(text, place.facts) if place.numeric(name)]
    tree = spoken(_english(text), said) if len(said) >= 2 else None
    return None if tree is None else f"={_rendered(tree)}"


def _columns_marked(text: str, place: Place) -> tuple[str, list[str]]:
    spans = [(start, end, name) for start, end, name in named_columns(text, place.facts)]
    exact = _exact(text, place)
    spans = [*exact, *(span for span in spans if not any(low < span[1] and span[0] < high for low, high, _ in exact))]
    spans += [(start, end, place.by_letters(one) or one) for start, end, one in said_letters(text)]
    names: list[str] = []
    marked, last = "", 0
    for start, end, name in sorted(spans):
        if start < last:
            continue
        marked += text[last:start] + f"\x00{len(names)}\x01"
        names.append(name)
        last = end
    return marked + text[last:], names


def _exact(text: str, place: Place) -> list[tuple[int, int, str]]:
    """Return (start, end, column) for headers that the text contains literally, longest first."""
    found: list[tuple[int, int, str]] = []
    for name in sorted(place.names, key=len, reverse=True):
        if len(name) < 2:
            continue
        edge = r"(?<![^\W_])" if name[0].isascii() else ""
        tail = r"(?![^\W_])" if name[-1].isascii() else ""
        for match in re.finditer(edge + re.escape(name) + tail, text, re.IGNORECASE):
            if not any(low < match.end() and match.start() < high for low, high, _ in found):
                found.append((*match.span(), name))
    return found


def _stretches(marked: str) -> list[str]:
    """Return the parts of a text that could be arithmetic, longest first."""
    parts = re.split(r"[^\s\d.+\-*/()%^\x00\x01]+", marked)
    return sorted((part.strip(" .") for part in parts), key=len, reverse=True)


def _sound(plain: str) -> bool:
    """Return whether operators stand between values and brackets are balanced."""
    flat = re.sub(r"\s+", "", plain)
    return (
        flat.count("(") == flat.count(")")
        and re.fullmatch(r"\(*-?[\d.]+%?\)*(?:[-+*/^]\(*-?[\d.]+%?\)*)+", flat) is not None
    )


def _filled(candidate: str, names: list[str]) -> str:
    flat = re.sub(r"\s+", "", candidate)
    return re.sub(r"\x00(\d+)\x01", lambda match: f"[{names[int(match[1])]}]", flat)


_ENGLISH = (("之差", " difference "), ("的差", " difference "), ("差额", " difference "), ("之和", " sum "),
    ("的和", " sum "), ("乘积", " product "), ("之积", " product "), ("之比", " ratio "), ("比值", " ratio "),
    ("比率", " ratio "), ("平均", " average "))  # fmt: skip


def _english(text: str) -> str:
    for han, word in _ENGLISH:
        text = text.replace(han, word)
    return text


def _rendered(tree: Expr) -> str:
    match tree:
        case Col(name=name):
            return f"[{name}]"
        case Lit(value=value):
            return str(value)
        case Math(op=op, left=left, right=right):
            return f"{_inner(left, op)}{op}{_inner(right, op)}"
        case _:
            raise ValueError(tree)


def _inner(tree: Expr, op: str) -> str:
    text = _rendered(tree)
    return f"({text})" if isinstance(tree, Math) and tree.op != op else text


_ONE = (
    (r"\bupper ?case|in upper|uppercased|\bcapital letters|大写", "UPPER({c})"), (r"\blower ?case|小写", "LOWER({c})"),
    (r"\bproper case|title case|capitali[sz]ed?\b|首字母大写", "PROPER({c})"),
    (r"\btrim|(?:leading|trailing|extra) spaces|多余(?:的)?空格|首尾空格", "TRIM({c})"),
    (r"\b(?:first|left(?:most)?) (\d+) (?:char|letter|digit)|前(\d+|[一二两三四五六七八九十])[位个]", "LEFT({c},{n})"),
    (r"\b(?:last|right(?:most)?) (\d+) (?:char|letter|digit)|[后末](\d+|[一二两三四五六七八九十])[位个]",
        "RIGHT({c},{n})"),
    (r"\blength\b|number of characters|字数|长度|字符数", "LEN({c})"),
    (r"\bround(?:ed)?\b.*?(\d+)|(?:四舍五入|保留)\D{0,4}?(\d+|[一二两三四])\s*位", "ROUND({c},{n})"),
    (r"\bround\w*\b.*\bthousand", "ROUND({c},-3)"), (r"\bround\w*\b.*\bhundred", "ROUND({c},-2)"),
    (r"\bround\w*\b.*\btens?\b", "ROUND({c},-1)"),
    (r"\bround\w*\b.*\b(?:whole|integer|unit|dollar)|取整|四舍五入到整数", "ROUND({c},0)"),
    (r"\babsolute|绝对值", "ABS({c})"),
    (r"\b(?:share|percent(?:age)?|proportion|%) of (?:the )?(?:grand )?(?:total|whole|overall)|占比|占总",
        "{c}/SUM({w})"),
    (r"\brank(?:ing|ed)?\b|排名|名次", "RANK({c},{w})"),
)  # fmt: skip
_DATED = (
    (r"\bday of (?:the )?week|weekday|星期|周几", 'TEXT({c},"dddd")'),
    (r"\bquarter|季度", 'YEAR({c})&"Q"&ROUNDUP(MONTH({c})/3,0)'),
    (r"\byear and month|year-month|yyyy-mm|年月", 'TEXT({c},"yyyy-mm")'),
    (r"month name|name of the month|月份名", 'TEXT({c},"mmmm")'),
    (r"\bmonth|月份|的月|月$", "MONTH({c})"), (r"\byear|年份|的年|年$", "YEAR({c})"),
    (r"\bday\b|日$|几号", "DAY({c})"),
)  # fmt: skip


def of_one_column(text: str, wish: Wish) -> str | None:
    """Return a formula of one column, or None: `Department in upper case`, `入职日期的年份`, `share of the total`."""
    low = text.lower()
    said = [name for name in wish.said(text) if name in wish.place.names]
    days = [name for name in said if wish.place.dated(name)]
    if len(days) >= 2 and re.search(r"\bdays?\b|difference|天数|相差|间隔|之差", low):
        return f"=[{days[1]}]-[{days[0]}]" if re.search(r"between|到|至|和|与", low) else f"=[{days[0]}]-[{days[1]}]"
    if days or (not said and re.search("extract|取|提取", low)):
        days = days or [name for name in wish.place.names if wish.place.dated(name)][:1]
        for pattern, how in _DATED if days else ():
            if re.search(pattern, re.sub(re.escape(days[0].lower()), " ", low)):
                return "=" + how.format(c=f"[{days[0]}]")
    for pattern, how in _ONE if said else ():
        if match := re.search(pattern, low):
            digits = str(number(next((group for group in match.groups() if group), "0")))
            return "=" + how.format(c=f"[{said[0]}]", w=f"[[{said[0]}]]", n=digits)
    return None


_IF = re.compile(
    r"(?:\bif|\bwhen|如果|若|当)\s*(?P<cond>.+?)\s*(?:[,，]\s*(?:then\s+)?|\bthen\b|的?时候?[,，]?|\s*(?=则|就"
    r"|那么))\s*(?:则|就|那么)?\s*(?P<yes>.+?)\s*(?:[,，;；.]?\s*(?:otherwise|or else|if not|else|否则|不然|其他"
    r"|其余))\s*[,，]?\s*(?P<no>.+)$"
    r"|(?P<yes2>\S.*?)\s+(?:if|when|where)\s+(?P<cond2>.+?)\s*[,，;；]?\s*(?:and|or)?\s*(?:otherwise|else"
    r"|if not)\s*[,，]?\s*(?P<no2>.+)$",
    re.IGNORECASE,
)
_LAST = re.compile(
    r"(?P<yes>\S.*?)\s+(?:if|when|where)\s+(?P<cond>.+?)\s*,?\s*(?:and|or"
    r"|but)\s+(?P<no>\S+(?: \S+){0,3}?)\s+(?:otherwise|if not|for the rest)\W*$",
    re.IGNORECASE,
)
_SHORT = re.compile(
    r"(?:^|[:：,，=])\s*(?P<cond>[^:：,，=]+?)(?:的)?(?:则|就|时)?(?:标记为|标为|记为|显示|写为|填|为"
    r"|是)(?P<yes>[^,，;；]{1,12})[,，;；]\s*(?:否则|不然|其他|其余)(?:的)?(?P<no>.+)$"
)
_LEAD = re.compile(
    r"^(?:.*\b(?:says?|shows?|displays?|returns?|gives?|puts?|writes?|enters?|is|be|as|mark(?:ed)? as|labell?ed"
    r"|label|print|equals?|to)\s+|(?:显示|写入|写|填入|填|标记为|标为|返回|设为|为|是|输出)\s*)",
    re.IGNORECASE,
)


def choice(wish: Wish) -> str | None:
    """Return an IF formula, or None: `High if revenue is over 1000, otherwise Low`."""
    text = re.sub(
        r"[,，]?\s*(?:and )?(?:call|name) (?:it|the column|this)\s+\S+\s*$", "", wish.text, flags=re.IGNORECASE
    )
    match = _IF.search(text)
    short = (_LAST.search(text) or _SHORT.search(text)) if match is None else None
    if match is None and short is None:
        return _flag(wish)
    said = match or short
    assert said is not None
    second = match is not None and not match["cond"]
    found = where(wish, *said.span("cond2" if second else "cond"))
    if found is None:
        return None
    yes, no = (said["yes2"], said["no2"]) if second else (said["yes"], said["no"])
    return f"=IF({condition(found)},{_value(yes, wish.place)},{_value(no, wish.place)})"


_FLAG = re.compile(
    r"\b(?:flag|mark|label|tag)\s+(?P<cond>.+?)\s+(?:with|as)\s+[\"“'‘]?(?P<yes>[^\"”'’]+?)[\"”'’]?\s+in\s+(?:a|an"
    r"|the|another)\s+(?:new\s+)?column",
    re.IGNORECASE,
)


def _flag(wish: Wish) -> str | None:
    """Return an IF formula that leaves other rows empty, or None: `mark orders over 500 with "L" in a new column`."""
    match = _FLAG.search(wish.text)
    found = where(wish, *match.span("cond")) if match else None
    if match is None or found is None:
        return None
    return f'=IF({condition(found)},{_literal(match["yes"].strip())},"")'


def _value(text: str, place: Place) -> str:
    said = _LEAD.sub("", text.strip(" ,，.。;；"), count=1).strip()
    marks = quoted(said) or quoted(text)
    if marks and (said[:1] in "\"“「『'‘`" or said == text):
        return _literal(marks[0])
    found = arithmetic(said, place)
    if found is not None:
        return found[1:]
    column = next((name for name in place.names if name.lower() == said.lower()), None)
    if column is not None:
        return f"[{column}]"
    if re.fullmatch(r"blank|empty|nothing|空白?|空值", said, re.IGNORECASE):
        return '""'
    return said if re.fullmatch(r"-?\d+(?:\.\d+)?%?", said) else _literal(said)


def _literal(value: Cell) -> str:
    if isinstance(value, str):
        doubled = value.replace('"', '""')
        return f'"{doubled}"'
    return str(value)


def condition(found: dict[str, Any]) -> str:
    """Return a filter as the condition of an IF."""
    tests = [_tested(test) for test in found["tests"]]
    return tests[0] if len(tests) == 1 else f"{'AND' if found['match'] == 'all' else 'OR'}({','.join(tests)})"


def _tested(test: dict[str, Any]) -> str:
    cell, op, value = f"[{test['column']}]", test["op"], test.get("value")
    if test.get("than"):
        return f"{cell}{'<>' if op == '!=' else op}[{test['than']}]"
    if op in {"missing", "present"}:
        return f'{cell}{"=" if op == "missing" else "<>"}""'
    if op == "contains":
        return f"ISNUMBER(SEARCH({_literal(value)},{cell}))"
    if op in {"starts", "ends"}:
        side = "LEFT" if op == "starts" else "RIGHT"
        return f"{side}({cell},{len(str(value))})={_literal(str(value))}"
    return f"{cell}{'<>' if op == '!=' else op}{_day(value)}"


def _day(value: Cell) -> str:
    found = re.fullmatch(r"(\d{4})-(\d{2})-(\d{2})", value) if isinstance(value, str) else None
    return f"DATE({int(found[1])},{int(found[2])},{int(found[3])})" if found else _literal(value)


def criteria(found: dict[str, Any], wish: Wish, prefix: str = "") -> str | None:
    """Return a filter as the criteria of a SUMIFS; None if these cannot express it."""
    if found["match"] == "any" and len(found["tests"]) > 1:
        return None
    pairs: list[str] = []
    for test in found["tests"]:
        if test["column"] not in wish.place.letters or test.get("than"):
            return None
        pairs.append(f"{prefix}{wish.place.fixed(test['column'])},{_criterion(test)}")
    return ",".join(pairs)


def _criterion(test: dict[str, Any]) -> str:
    op, value = test["op"], test.get("value")
    text = str(value).replace('"', '""')
    plain = {
        "missing": '""',
        "present": '"<>"',
        "contains": f'"*{text}*"',
        "starts": f'"{text}*"',
        "ends": f'"*{text}"',
    }
    if op in plain:
        return plain[op]
    if isinstance(value, str) and (day := _day(value)).startswith("DATE"):
        return day if op == "=" else f'"{"<>" if op == "!=" else op}"&{day}'
    sign = {"=": "", "!=": "<>"}.get(op, op)
    return f'"{sign}{text}"' if sign or isinstance(value, str) else str(value)


def placed(template: str, place: Place, row: int) -> str:
    """Return a formula for the cells of row `row`, in the form that `set_formula` takes."""
    whole = re.sub(r"\[\[([^\[\]]+)\]\]", lambda match: place.fixed(match[1]), template)
    return re.sub(r"\[([^\[\]]+)\]", lambda match: f"{place.letters.get(match[1], match[1])}{row}", whole)


def safe(formula: str, place: Place) -> str:
    """Return the formula, wrapped so that rows with an empty or zero divisor stay empty if there may be such rows."""
    divisors = re.findall(r"/\s*\(?\[([^\[\]]+)\]", formula)
    unsafe = [name for name in divisors if name in place.names and _may_be_zero(place, name)]
    return f'=IFERROR({formula[1:]},"")' if unsafe and not formula.startswith("=IF") else formula


def _may_be_zero(place: Place, name: str) -> bool:
    fact = place.fact(name)
    low = fact.minimum
    return bool(fact.missing) or (isinstance(low, int | float) and low <= 0)


def formula_said(text: str) -> str | None:
    """Return a formula that a text gives literally, or None: `=SUM(A1:A3)`."""
    match = re.search(r"=\s*[A-Za-z$(\-\d]", text)
    if match is None:
        return None
    found = _to_its_end(text[match.start() :]).strip(" .。")
    return found if re.search(r"[A-Za-z]\$?\d|[A-Z]\(", found) else None


def _to_its_end(text: str) -> str:
    """Return the beginning of a text up to where brackets are closed and no operator follows."""
    depth, quoted_ = 0, False
    for at, sign in enumerate(text):
        if sign == '"':
            quoted_ = not quoted_
        elif not quoted_ and sign in "()":
            depth += 1 if sign == "(" else -1
        if quoted_ or depth > 0:
            continue
        if sign in "，。；;," or (
            sign == " "
            and not re.match(r"\s*[-+*/^&<>=]|.*[-+*/^&<>=]\s*$", text[at : at + 3])
            and not re.search(r"[-+*/^&<>=]\s*$", text[:at])
        ):
            return text[:at]
    return text
