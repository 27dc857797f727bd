"""Choices with several branches: a label or a rate for each kind of row, and one for all others."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tablewright.analyst.operating.cells_said import quoted
from tablewright.analyst.operating.expressions import arithmetic, condition
from tablewright.analyst.operating.filters import where
from tablewright.analyst.operating.tests_said import alone
from tablewright.analyst.operating.wish import Wish

_JOINT = re.compile(r"\s*(?:[,，;；。]|\band\b|\bbut\b|\bwhile\b|(?<=[\u4e00-\u9fff])、)\s*", re.IGNORECASE)
_ELSE = re.compile(
    r"\b(?:otherwise|or else|else|if not|(?:(?:for|to) )?(?:all |any |the |every )*(?:others?|rest"
    r"|remaining)(?: (?:ones|rows|items|orders|people|\w+s))?|every(?:one|thing|body) else)\b|否则|不然|(?:其他"
    r"|其它|其余|剩下|剩余)的?(?:[\u4e00-\u9fff]{0,4}?)?(?=[\d为是按则都标记填显算评打的]|$|\s)",
    re.IGNORECASE,
)
_RATE = re.compile(r"(?P<rate>\d+(?:\.\d+)?)\s*(?:%|％|percent\b)|打\s*(?P<fold>\d+(?:\.\d+)?)\s*折", re.IGNORECASE)
_LABEL = (
    re.compile(r"^(?:.*?[:：]\s*)?(?P<cond>[^:：=]+?)\s*(?:=|->|→|⇒)\s*(?P<val>[^=<>]+)$"),
    re.compile((
        r"^(?:.*?\b(?:says?|shows?|displays?|with|as|be|is|:)\s+)?(?P<val>\S.*?)\s+(?:if|when|where|for"
        r"|in case)\s+(?P<cond>.+)$"
    ), re.IGNORECASE),
    re.compile(
        r"^(?:.*?\b(?:if|when|where|for)\s+)(?P<cond>.+?)\s*(?:\bthen\b|\b(?:is|are|gets?|becomes?|=|->|→"
        r"|:)\s+(?=[\"“'A-Z]))\s*(?P<val>.+)$"
    ),
    re.compile(
        r"^(?:.*?(?:如果|若|当))?(?P<cond>.+?)(?:的)?(?:则|就|时)?(?:标记为|标为|记为|显示为|显示|写成|写为|写|填为|填"
        r"|评为|判为|归为|算作|算|为|是|[:：])(?P<val>[^为是]+)$"
    ),
)  # fmt: skip
_RANGE = re.compile(
    r"(?<![\d.])(-?\d+(?:\.\d+)?)\s*(?:到|至|-|–|~|～|to|and)\s*(-?\d+(?:\.\d+)?)(?![\d%])", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Branch:
    """A condition, where its words stand, and the result if it holds."""

    found: dict[str, Any]
    value: str


def tiers(wish: Wish) -> str | None:
    """Return nested IFs, or None: `10% of Amount for North and 5% otherwise`, `90以上为优，60到90为良，其余为差`."""
    parts = _parts(wish.text)
    last = next((at for at in range(len(parts) - 1, 0, -1) if _ELSE.search(wish.text[slice(*parts[at])])), None)
    if last is None:
        return _labelled(wish, parts, len(parts)) if len(parts) > 1 else None
    return _rated(wish, parts, last) or _labelled(wish, parts, last)


def _parts(text: str) -> list[tuple[int, int]]:
    """Return the spans of a text between its conjunctions; text in brackets or quotes is not split."""
    shielded = [match.span() for match in re.finditer(r"[(（][^()（）]*[)）]|\"[^\"]*\"|“[^”]*”", text)]
    found, start = [], 0
    for joint in _JOINT.finditer(text):
        if any(low <= joint.start() < high for low, high in shielded) or not text[start : joint.start()].strip():
            continue
        found.append((start, joint.start()))
        start = joint.end()
    return [*found, (start, len(text))]


def _rated(wish: Wish, parts: list[tuple[int, int]], last: int) -> str | None:
    """Return the formula for a rate per kind of row, of an amount that is named once; None if the words give no such
    rates."""
    rates = [[_rate(match) for match in _RATE.finditer(wish.text[start:end])] for start, end in parts]
    if len(rates[last]) != 1:
        return None
    branches: list[_Branch] = []
    for (start, end), found in zip(parts[:last], rates[:last], strict=True):
        if not found:
            continue
        picked = where(wish, start, end)
        if len(found) != 1 or picked is None:
            return None
        branches.append(_Branch(found=picked, value=found[0]))
    if not branches:
        return None
    choice = _nested(branches, rates[last][0])
    base = _base(wish, {test["column"] for branch in branches for test in branch.found["tests"]})
    if base is None:
        return f"={choice}" if re.search(r"\brates?\b|\bpercent|率|比例|折扣", wish.low) else None
    folded = all("%" not in branch.value for branch in branches)
    return f"={base}*{choice if folded else _factor(wish, choice)}"


def _rate(match: re.Match[str]) -> str:
    """Return a rate as written in a formula; `打9折` and `打95折` mean 0.9 and 0.95."""
    if match["rate"]:
        return f"{match['rate']}%"
    number = float(match["fold"])
    return f"{number / (10 if number < 10 else 100):g}"


def _factor(wish: Wish, choice: str) -> str:
    """Return the factor of an amount for a rate that is added to it or taken off it, if the words are about the
    resulting amount."""
    if wish.has(r"\bplus\b|\bincluding\b|\bwith (?:the )?mark-?up|加价后|上浮后|涨后|调整后|含税") and not wish.has(
        r"\boff\b"
    ):
        return f"(1+{choice})"
    if wish.has(r"\bafter (?:the )?discount|\bdiscounted\b|\bnet price|\bless (?:the )?discount|折后|优惠后|扣除后"):
        return f"(1-{choice})"
    return choice


_PRICE = r"\bprice|\bamount|\bfee\b|\bsalary\b|\bcost\b|价|金额|工资|费用"


def _base(wish: Wish, tested: set[str]) -> str | None:
    """Return the amount that the rates apply to: arithmetic, a column, or what was computed just before."""
    words = _RATE.sub(" ", wish.text)
    found = arithmetic(words, wish.place)
    if found is not None:
        return found[1:] if re.fullmatch(r"\([^()]*\)", found[1:]) else f"({found[1:]})"
    named = [name for name in wish.numeric(wish.said(words, least=0.8)) if name not in tested]
    named = named or wish.numeric([wish.memory.made] if wish.memory.made else [])
    named = named or wish.numeric(
        name for name in wish.place.names if re.search(_PRICE, name.lower()) and name not in tested
    )
    return f"[{named[0]}]" if len(named) == 1 else None


def _labelled(wish: Wish, parts: list[tuple[int, int]], last: int) -> str | None:
    """Return the formula for a label per kind of row; a bound without a column applies to the previous column."""
    branches: list[_Branch] = []
    column: str | None = None
    for start, end in parts[:last]:
        branch = _branch(wish, start, end, column)
        if branch is None and branches:
            return None
        if branch is not None:
            branches.append(branch)
            column = branch.found["tests"][0]["column"]
    other = _literal(_after_else(wish.text[slice(*parts[last])])) if last < len(parts) else '""'
    if len(branches) < 2 or other is None:
        return None
    return f"={_nested(branches, other)}"


def _after_else(words: str) -> str:
    match = _ELSE.search(words)
    rest = words[match.end() :] if match else words
    before = words[: match.start()] if match else ""
    said = re.sub(
        (
            r"^\W*(?:则|就|都|的|标记为|标为|记为|显示为|显示|写成|写为|写|填为|填|评为|算|为|是|is|are|as|gets?|with"
            r"|be|then|:)\s*"
        ), "", rest.strip(), flags=re.IGNORECASE
    )  # fmt: skip
    return (said or before).strip()


def _branch(wish: Wish, start: int, end: int, column: str | None) -> _Branch | None:
    words = wish.text[start:end]
    for pattern in _LABEL:
        match = pattern.match(words)
        if match is None:
            continue
        low, high = match.span("cond")
        found = _condition(wish, start + low, start + high, column)
        value = _literal(match["val"])
        if found is not None and value is not None:
            return _Branch(found=found, value=value)
    return None


def _condition(wish: Wish, start: int, end: int, column: str | None) -> dict[str, Any] | None:
    words = wish.text[start:end]
    said = wish.said(words)
    bounds = _RANGE.search(words)
    name = said[0] if said else column
    if bounds and name is not None:
        low, high = (float(one) if "." in one else int(one) for one in bounds.groups())
        tests = [{"column": name, "op": ">=", "value": low}, {"column": name, "op": "<=", "value": high}]
        return {"tests": tests, "match": "all"}
    if name is not None and len(said) < 2 and (test := alone(words, name)) is not None:
        return {"tests": [test], "match": "all"}
    return where(wish, start, end)


def _nested(branches: list[_Branch], other: str) -> str:
    text = other
    for branch in reversed(branches):
        text = f"IF({condition(branch.found)},{branch.value},{text})"
    return text


def _literal(said: str) -> str | None:
    """Return the formula literal for a cell's content: a number or a rate as written, else a text; None if it is
    neither."""
    marks = quoted(said)
    text = marks[0] if marks else said.strip(" .。,，;；:：\"“”'")
    if not text or len(text) > 30:
        return None
    if not marks and re.fullmatch(r"-?\d+(?:\.\d+)?%?", text):
        return text
    return '"' + text.replace('"', '""') + '"'
