"""Tests on rows that are written beside a column: with signs, in words for more and less, or as yes and no."""

from __future__ import annotations

import itertools
import re
from typing import Any

from tablewright.analyst.operating.columns_named import (
    letter_spans,
    named_columns,
    said_letters,
    under_any_header,
    written_columns,
)
from tablewright.analyst.operating.measures import alike, is_code, measured
from tablewright.analyst.operating.wish import Wish

Tests = list[dict[str, Any]]
_MORE = (
    (">=", (
        r">=|≥|at least|no less than|not less than|greater than or equal to|大于等于|大于或等于|不低于|不小于|不少于"
        r"|至少"
    )),
    ("<=", (
        r"<=|≤|at most|no more than|not more than|less than or equal to|up to|小于等于|小于或等于|不高于|不大于|不超过"
        r"|至多"
    )),
    ("!=", r"<>|!=|≠|not equal to|is not|不等于"),
    (">", (
        r">|over|above|more than|greater than|larger than|higher than|bigger than|exceed(?:s|ing)?|大于|超过|高于|多于"
        r"|超出"
    )),
    ("<", r"<|under|below|less than|fewer than|smaller than|lower than|小于|低于|少于|不足|不到"),
    ("=", r"==?|equals?|equal to|等于"),
)  # fmt: skip
_ANY = "|".join(pattern for _, pattern in _MORE)
_AFTER = re.compile(
    rf"\s*(?:column|field|value|values|列|的值)?\s*(?:is|are|was|of|has|that is|that are|which is"
    rf"|的)?\s*(?P<op>{_ANY})\s*(?P<n>-?[¥$€]?\d[\d,]*(?:\.\d+)?)\s*(?P<unit>万|亿|k\b|%)?",
    re.IGNORECASE,
)
_LONE = re.compile(
    rf"(?:\b|(?<=[\u4e00-\u9fff]))(?P<op>{_ANY})\s*(?P<n>-?[¥$€]?\d[\d,]*(?:\.\d+)?)\s*(?P<unit>万|亿|k\b|%)?",
    re.IGNORECASE,
)
_SCALE = {"万": 1e4, "亿": 1e8, "k": 1e3, "%": 0.01}
_YES = ("yes", "y", "true", "是", "1")
_NO = ("no", "n", "false", "否", "0")


def compared(wish: Wish, text: str) -> Tests:
    """Return the comparisons with numbers beside columns; one without a column applies to what is measured."""
    spans = [
        (end, name)
        for start, end, name in named_columns(text, wish.place.facts)
        if text[start:end].lower() == name.lower() or name not in wish.place.names or _measures(wish, name)
    ]
    ranges = [(start, end) for start, end, _, _ in letter_spans(text)]
    spans += [(end, wish.by_letters(one)) for start, end, one in said_letters(text) if (start, end) not in ranges]
    found: Tests = []
    for end, name in spans:
        match = _AFTER.match(text, end)
        if match is not None:
            found.append(_test(name, match))
    match = _LONE.search(text) if not found and not spans else None
    if match is not None and not re.match(
        r"\s*(?:rows?|lines?|records?|columns?|cells?|sheets?|行|列|条)", text[match.end() :]
    ):
        columns = measured(wish)
        spoken = {*wish.memory.columns, wish.memory.made} & set(columns)
        columns = [] if len(columns) > 2 and not spoken and len(alike(wish)) == len(columns) else columns
        found = [_test(columns[0], match)] if columns else []
    return found


def _measures(wish: Wish, name: str) -> bool:
    return wish.place.fact(name).kind != "text" and not is_code(wish, name)


def _test(name: str, match: re.Match[str]) -> dict[str, Any]:
    op = _op_of(match["op"])
    value = float(match["n"].lstrip("¥$€").replace(",", "")) * _SCALE.get((match["unit"] or "").lower(), 1)
    return {"column": name, "op": op, "value": int(value) if value.is_integer() else round(value, 10)}


_SUFFIXED = re.compile(
    r"(?P<n>-?\d[\d,]*(?:\.\d+)?)\s*(?P<unit>万|亿|k\b|%)?\s*(?:分|元|岁|个|件|天)?\s*(?:(?P<up>及?以上|or (?:more"
    r"|above|higher|over)|and (?:above|over|up|higher)|\+)|(?P<down>及?以下|or (?:less|fewer|below|lower)"
    r"|and (?:below|under|lower)))",
    re.IGNORECASE,
)


def alone(text: str, column: str) -> dict[str, Any] | None:
    """Return a comparison with a number that names no column as a test of `column`, or None: `over 60`, `90以上`."""
    match = _LONE.search(text)
    if match is not None:
        return _test(column, match)
    bound = _SUFFIXED.search(text)
    if bound is None:
        return None
    value = float(bound["n"].replace(",", "")) * _SCALE.get((bound["unit"] or "").lower(), 1)
    return {"column": column, "op": ">=" if bound["up"] else "<=", "value": int(value) if value.is_integer() else value}


def beside(wish: Wish, text: str) -> Tests:
    """Return the comparisons between two columns: `On Hand is below Reorder Level`, `数量小于最低库存`."""
    spans = written_columns(text, wish.place.names)
    spans = spans if len(spans) > 1 else sorted(named_columns(text, wish.place.facts))
    found: Tests = []
    for (_, end, name), (start, _, other) in itertools.pairwise(spans):
        match = _BETWEEN.fullmatch(text[end:start])
        if match is not None and {name, other} <= set(wish.place.names) and _one_kind(wish, name, other):
            found.append({"column": name, "op": _op_of(match["op"]), "than": other})
    return found


_HAN_BETWEEN = re.compile(r"\s*比\s*")
_HAN_MORE = ((">", r"\s*(?:要)?(?:增长|增加|高|大|多|上升|上涨)"), ("<", r"\s*(?:要)?(?:下降|减少|低|小|少|下跌)"))
_BETWEEN = re.compile(
    rf"\s*(?:column|value|列|的值)?\s*(?:is|are|was|的)?\s*(?P<op>{_ANY})\s*(?:the|its|their|column|value of"
    rf"|or equal to|\s)*",
    re.IGNORECASE,
)


def _one_kind(wish: Wish, one: str, other: str) -> bool:
    numeric, dated = wish.place.numeric, wish.place.dated
    return (numeric(one) and numeric(other)) or (dated(one) and dated(other))


def _op_of(words: str) -> str:
    return next(sign for sign, pattern in _MORE if re.fullmatch(pattern, words, re.IGNORECASE))


_SIGNED = re.compile(
    r"\s*(?:的?值)?\s*(?:is|are|为|是)?\s*(?P<sign>positive|negative|正|负)(?!常|式|确|责)"
    r"|(?P<before>\b(?:positive|negative|负的?|正的?)\s*$)",
    re.IGNORECASE,
)


def signed(wish: Wish, text: str) -> Tests:
    """Return the tests for numbers above or below zero: `差异为正`, `negative margins`."""
    found: Tests = []
    spans = named_columns(text, wish.place.facts) or under_any_header(text, wish.place.names)
    for start, end, name in spans:
        if name not in wish.place.names or not wish.place.numeric(name):
            continue
        match = _SIGNED.match(text, end) or _SIGNED.search(text[:start])
        if match is not None:
            said = (match["sign"] or match["before"]).lower()
            found.append({"column": name, "op": ">" if said[0] in "p正" else "<", "value": 0})
    return found


def flagged(wish: Wish, text: str) -> Tests:
    """Return the tests of yes-or-no columns that a text states as properties: `who is not active`, `未付款`."""
    found: Tests = []
    for start, _, name in named_columns(text, wish.place.facts):
        if name not in wish.place.names:
            continue
        known = {str(sample).strip().lower(): sample for sample in wish.place.fact(name).samples}
        if not known or not set(known) <= {*_YES, *_NO}:
            continue
        before = text[:start].lower().rstrip()
        wanted = _NO if re.search(r"(?:\bnot|n't|\bin|\bnon|未|不|非|没)\s*(?:an? |yet )?-?$", before) else _YES
        if re.search(r"(?:\b(?:is|are|not|n't|all|every|each|the|have|has)|未|不|非|没|是|已|有)$", before):
            held = next((known[one] for one in wanted if one in known), wanted[0])
            found.append({"column": name, "op": "=", "value": held})
    return found


def written_alike(wish: Wish, text: str) -> Tests:
    """Return tests for capitalised cells that the text contains exactly: `everybody in IT`, although `it` is a word;
    `the Done tasks`."""
    found: Tests = []
    inner = re.sub(r"^\W*\w+", lambda match: " " * len(match[0]), text)
    for column in wish.place.facts.columns:
        known = {one for one in column.samples if isinstance(one, str) and re.fullmatch(r"[A-Z]\w*[A-Za-z]", one)}
        found += [_equal(column.name, one) for one in sorted(known) if re.search(rf"(?<!\w){one}(?!\w)", inner)]
    return found[:1] if len({test["column"] for test in found}) > 1 else found


def _equal(column: str, value: str) -> dict[str, Any]:
    return {"column": column, "op": "=", "value": value}


def lacking(wish: Wish, text: str) -> Tests:
    """Return the test for rows without a value in a column: `数量缺失的行`, `rows with a missing age`."""
    if not re.search(r"\b(?:missing|blank|empty|no)\b|缺失|为空|空白|空缺|没有", text.lower()):
        return []
    names = [name for _, _, name in named_columns(text, wish.place.facts)]
    return [{"column": name, "op": "missing"} for name in names[:1]]
