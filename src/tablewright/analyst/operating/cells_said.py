"""Cells, rows, numbers, colours and names mentioned in words."""

from __future__ import annotations

import re

_CELL = r"(?<![a-z0-9_$!])\$?[a-z]{1,2}\$?[1-9]\d{0,6}(?![a-z0-9_])"
_RANGE = re.compile(rf"({_CELL})\s*(?::|to|through|-|–|~|到|至)\s*({_CELL})", re.IGNORECASE)
_ONE = re.compile(_CELL, re.IGNORECASE)
_NUMERAL = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10} | {
    word: number
    for number, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), start=1
    )
}
_NUM = r"\d+|[一二两三四五六七八九十]|one|two|three|four|five|six|seven|eight|nine|ten"
_ROWS = re.compile(
    r"\brows?\s+(\d+)\s*(?:to|through|thru|-|–|~|:|and)\s*(?:row\s+)?(\d+)|第?\s*(\d+)\s*行?\s*(?:到|至|-|~|、"
    r"|和)\s*第?\s*(\d+)\s*行"
)
_ROW = re.compile(
    rf"\brow\s+(?:number\s+)?(\d+)|第\s*({_NUM})\s*行|(?<![\d.])(\d+)\s*行(?:上|下|前|后|之)|\b(\d+)(?:st|nd|rd"
    rf"|th)\s+row"
)
_QUOTED = re.compile(
    r"\"([^\"]+)\"|“([^”]+)”|「([^」]+)」|『([^』]+)』|《([^》]+)》|(?<!\w)'([^']+)'(?!\w)|‘([^’]+)’|`([^`]+)`"
)
_NAMED = re.compile(
    r"\b(?:called|named|titled|entitled|labell?ed|with (?:the )?(?:header|name|title)(?: of)?|name it|call it"
    r"|header(?:ed)?)\s+(?P<en>[^\s,.;，。:：][^,.;，。:：]*?)(?=\s*(?:$|[,.;，。:：]|\b(?:that|which|with|equal"
    r"|equals|as|for|by|in|on|at|after|before|to the|from|of|where|using|computed|calculated|showing|containing|and"
    r"|=)\b|=))"
    r"|(?:命名为|取名为|取名叫|取名|名叫|名为|叫做|叫作|名称为|名称是|列名为|列名是|列名写|表头为|表头写|标题写|标题为"
    r"|标题是|改名为|重命名为|改名叫|更名为|名字是|名字叫|改成|改为|称为"
    r"|叫)\s*[:：]?\s*(?P<zh>[^\s,.;，。；、的:：=]+)",
    re.IGNORECASE,
)
_COLORS = (
    "light blue|light green|light yellow|light red|light gr[ae]y|dark "
    "red|yellow|red|green|blue|orange|purple|pink|gr[ae]y|brown|cyan|white|black"
    "|浅蓝|浅绿|浅黄|浅红|浅灰|淡蓝|淡绿|淡黄|淡红|深红|黄|红|绿|蓝|橙|紫|粉|灰|棕|青|白|黑"
)
_COLOR = re.compile(rf"(?P<hex>#[0-9a-f]{{6}}\b)|(?<![a-z])(?P<name>{_COLORS})(?![a-z])", re.IGNORECASE)
_PLAIN = {"dark red": "darkred", "light grey": "lightgray", "light gray": "lightgray", "淡": "浅"}


def said_range(text: str) -> str | None:
    """Return the first range that a text names, else the first cell, else None, in upper case without `$`."""
    match = _RANGE.search(text)
    if match:
        return f"{match[1]}:{match[2]}".upper().replace("$", "")
    one = _ONE.search(text)
    return one[0].upper().replace("$", "") if one else None


def said_ranges(text: str) -> list[str]:
    """Return all ranges and cells that a text names, in order."""
    found: list[tuple[int, str]] = []
    rest = text
    for match in _RANGE.finditer(text):
        found.append((match.start(), f"{match[1]}:{match[2]}".upper().replace("$", "")))
        rest = rest[: match.start()] + " " * len(match[0]) + rest[match.end() :]
    found += [(match.start(), match[0].upper().replace("$", "")) for match in _ONE.finditer(rest)]
    return [cells for _, cells in sorted(found)]


def said_rows(low: str) -> tuple[int, int] | None:
    """Return the first and the last row that folded text names by number, or None."""
    if match := _ROWS.search(low):
        first, last = (int(group) for group in match.groups() if group)
        return min(first, last), max(first, last)
    if match := _ROW.search(low):
        row = number(next(group for group in match.groups() if group))
        return row, row
    if re.search(r"\b(?:first|top) row\b|首行|第一行", low):
        return 1, 1
    return None


def number(word: str) -> int:
    """Return a small number written in digits or as a word; 1 for an unknown word."""
    return int(word) if word.isdigit() else _NUMERAL.get(word, 1)


def count_before(low: str, noun: str) -> int | None:
    """Return how many of a noun are mentioned, or None: `2 rows`, `三行`, `a column`."""
    match = re.search(rf"({_NUM})\s*(?:new |empty |blank |个|条|空白?)?\s*(?:{noun})", low)
    return number(match[1]) if match else None


def quoted(text: str) -> list[str]:
    """Return the texts inside quotation marks."""
    return [next(group for group in match.groups() if group) for match in _QUOTED.finditer(text)]


def named(text: str) -> str | None:
    """Return the name that a text gives to something new, or None."""
    match = _NAMED.search(text)
    if match is None:
        return None
    name = (match["en"] or match["zh"]).strip()
    marks = quoted(text[match.start() :])
    if marks and name[:1] in "\"“「『'‘`《":
        return marks[0].strip()
    return name.strip("\"“”'‘’`「」 ") or None


def said_color(text: str) -> str | None:
    """Return the first colour that a text names, in the form that operations take, or None."""
    match = _COLOR.search(text)
    return None if match is None else _color(match)


def said_colors(text: str) -> list[tuple[str, str]]:
    """Return all colours that a text names, each as written and in the form that operations take."""
    return [(match[0], _color(match)) for match in _COLOR.finditer(text)]


def _color(match: re.Match[str]) -> str:
    if match["hex"]:
        return match["hex"][1:].upper()
    name = match["name"].lower().replace("淡", "浅").replace("grey", "gray")
    name = _PLAIN.get(name, name)
    return f"{name}色" if not name.isascii() else name


def without_colors(text: str) -> str:
    """Blank out colours, so that they are not mistaken for cells; the length stays the same."""
    return _COLOR.sub(lambda match: " " * len(match[0]), text)


def plain_number(text: str) -> float | int | None:
    """Return the first number of a text, or None."""
    match = re.search(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?![\w])|-?\d+(?:\.\d+)?", text)
    if match is None:
        return None
    value = float(match[0].replace(",", ""))
    return int(value) if value.is_integer() else value
