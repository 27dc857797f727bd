"""Names for new columns."""

from __future__ import annotations

import re

from tablewright.analyst.operating.cells_said import named, quoted
from tablewright.analyst.operating.wish import Wish
from tablewright.texts.catalogue import text

_NAME = (
    r"\b(?:add|create|include)\s+(?:a |an |the )?(?!new\b|column\b)(?P<name>(?:(?!\bcolumn\b)[\w %]){2,30}?)\s*=",
    (
        r"\b(?:add|insert|create|make|append|need|want|include)\s+(?:a|an|the"
        r"|another)\s+(?:new\s+)?(?P<name>[\w%/-]+(?: [\w%/-]+){0,2})\s+column\b"
    ),
    (
        r"\bcolumns?\s+[\"“'‘]?(?!(?:that|which|with|for|showing|containing|computed|calculated|equal|equals|to|as|by"
        r"|of|in|where|whose|after|before|and|next|right|left|at|on|from|holding|giving|saying|is|using|separated"
        r"|based|it)\b)(?P<name>[A-Za-z_][\w %/-]*?)[\"”'’]?\s*(?:=|:|\b(?:which|that|as|equal|equals|is|with|for|by"
        r"|using|containing|showing|computed|calculated|after|before|next|to|in|from|separated|that|holding|giving"
        r"|saying|says|summing|multiplying|adding|if)\b|,|$)"
    ),
    (
        r"\b(?:calculate|compute|work out|derive|determine)\s+(?:the\s+|a\s+)?(?P<name>[\w %/-]+?)\s*(?:=|:|\b(?:as|by"
        r"|from|which|that|is|in|for|using)\b|,|$)"
    ),
    r"(?:新增|增加|添加|加上?|插入|新建|建|生成)(?:一个|一|个|了)?(?P<name>[^\s，。,、=＝列的]{1,12})列",
    (
        r"(?:新增|增加|添加|加上?|插入|新建|建|生成)(?:一个|一)?(?:新)?列\s*[:：]?\s*[\"“「]?(?P<name>"
        r"[^\s，。,、=＝:：”」\"（(]{1,12}?)[\"”」]?\s*(?:[，。,、=＝:：（(]|等于|为|是|$)"
    ),
    r"新(?:的)?一?列\s*[:：]?\s*(?P<name>[^\s，。,”」\"“的]{1,12})",
    r"放[到在入](?P<name>[^\s，。,、=＝的]{1,12}?)列",
    (
        r"(?:计算|算一?下|算出|求出)(?:出)?(?:每[^\s，]{1,4}的)?(?P<name>[^\s，。,、=＝:：（(]{1,10}?)\s*(?:"
        r"[，。,、=＝:：(（]|等于|为|是|$)"
    ),
)
_NOT_NAMES = frozenset(
    {
        "new",
        "empty",
        "blank",
        "extra",
        "calculated",
        "another",
        "helper",
        "the",
        "a",
        "一",
        "新",
        "空",
        "空白",
        "formula",
    }
)


_MARKED = (
    r"(?:新(?:的)?一?列|列名|表头)\s*(?:叫|为|是|:|：)?\s*[“\"「](?P<name>[^”」\"]{1,20})[”」\"]"
    r"|[“\"「](?P<name2>[^”」\"]{1,20})[”」\"](?:这一)?列"
    r"|\bcolumn\s+(?:called |named |titled )?[\"“'](?P<name3>[^\"”']{1,30})[\"”']"
)


def new_name(wish: Wish, how: str | None) -> str | None:
    """Return the name of a new column: the one given in the words, else one for what the column holds, else None."""
    said = re.search(_MARKED, wish.text, re.IGNORECASE)
    given = next((group for group in said.groups() if group), None) if said else None
    return given or named(wish.text) or _described(wish, how)


def _described(wish: Wish, how: str | None) -> str | None:
    marks = [mark for mark in quoted(wish.text) if how is None or mark not in how]
    if marks:
        return marks[0]
    for pattern in _NAME:
        match = re.search(pattern, wish.text, re.IGNORECASE)
        name = match["name"].strip() if match else ""
        if name and name.lower() not in _NOT_NAMES and not (how is None and len(name) == 1 and name.isascii()):
            return name
    if how is None:
        return None
    return _result_name(wish, how)


def _result_name(wish: Wish, how: str) -> str | None:
    """Return a name for a computed column after its formula, or None."""
    function = re.match(r"=(?:ROUND\(|IFERROR\()?([A-Z]+)\(", how)
    names = re.findall(r"\[+([^\[\]]+)\]", how)
    if re.match(r"=SUM\(\$[A-Z]+\$\d+:\[", how):
        return text("operating.result.running", wish.scene.language, column=names[0])
    if how.startswith("=IFERROR([") and re.search(r"\][-/][A-Z]+\d", how):
        return text(f"operating.result.{'growth' if ']/' in how else 'change'}", wish.scene.language, column=names[0])
    if re.match(r"=(?:IFERROR\()?(?:LEFT|RIGHT|MID)\(", how) and names:
        return text("operating.result.part", wish.scene.language, column=names[0])
    if function is not None and function[1] in _RESULTS:
        return text(f"operating.result.{function[1].lower()}", wish.scene.language)
    if not names:
        return None
    return f"{names[0]} {function[1].lower()}" if function else f"{names[0]} 2"


_RESULTS = frozenset({"SUM", "AVERAGE", "MAX", "MIN", "RANK", "DATEDIF", "IF"})
