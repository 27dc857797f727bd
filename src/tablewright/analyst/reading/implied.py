"""Columns that a question presumes but the table only implies: profit from revenue and cost, an amount from quantity
and unit price, well-known rates of two amounts, a rate from a yes-or-no column, weekends from dates."""

from __future__ import annotations

import re
from itertools import takewhile

from tablewright.analyst.linking.columns import ColumnName, column_names, hinted
from tablewright.analyst.linking.lexicon import concepts
from tablewright.analyst.linking.tokens import Token
from tablewright.analyst.plan import Case, Col, Compare, Lit, Math, Named
from tablewright.analyst.reading.additivity import aggregate_for
from tablewright.analyst.reading.flags import sides
from tablewright.analyst.reading.week_parts import week_part
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.texts.catalogue import text

_NUMBERS = frozenset({"number", "integer"})
_AMOUNT = re.compile(
    r"[\u4e00-\u9fff]{0,2}?总?(?:金额|货值)|\b(?:stock|inventory|total|order|sales|line) (?:value|amount|worth)\b"
)
_AMOUNTS = re.compile(r"(?:amount|value|worth|total|金额|货值|总价|总额|合计|小计)$", re.IGNORECASE)
_RATE = re.compile(r"(?P<han>[\u4e00-\u9fff]{2})率|\b(?P<word>[a-z]{4,})[ _]rates?\b")
_EXCESS = re.compile(r"超出?预算|超支|\b(?:over budget|overspend|overspending)\b")
_RANKED = re.compile(r"最|多少|金额|\b(?:most|least|by how much|how much)\b")
_BOUNDS = ("安全", "最低", "最高", "目标", "safety", "reorder", "min", "max", "target")
_KNOWN_RATES = (
    (re.compile(r"(?<!毛)净?利润率|净利率|\b(?:net )?profit margin\b"), "profit", "revenue"),
    (re.compile(r"资产负债率|(?<!资产)负债率|\bdebt[- ]to[- ]assets? ratio\b"), "debt", "assets"),
)
_STEM = 5
_SHORT_STEM = 4


def implied_column(tokens: tuple[Token, ...], facts: DatasetFacts, language: Language) -> Named | None:
    """Return the per-row value that the question mentions and the table lacks, if it can be computed; else None."""
    names = column_names(facts.columns)
    said = "".join(token.text if token.kind == "han" else f" {token.norm} " for token in tokens)
    said = " ".join(said.split())
    return (
        _known_rate(said, facts, names)
        or _profit(tokens, facts, names, language)
        or _amount(said, facts, names)
        or _excess(said, facts)
        or _rate(said, facts)
        or week_part(said, facts, language)
    )


def _profit(
    tokens: tuple[Token, ...], facts: DatasetFacts, names: tuple[ColumnName, ...], language: Language
) -> Named | None:
    if not _said(tokens, "profit"):
        return None
    numeric = {column.name for column in facts.columns if column.kind in _NUMBERS}
    if hinted("profit", names) or hinted("profit_rate", names):
        return None
    revenue = [name for name in hinted("revenue", names) if name in numeric]
    cost = [name for name in hinted("cost", names) if name in numeric]
    if len(revenue) != 1 or len(cost) != 1 or revenue == cost:
        return None
    return Named(
        name=text("words.profit", language), of=Math(op="-", left=Col(name=revenue[0]), right=Col(name=cost[0]))
    )


def _known_rate(said: str, facts: DatasetFacts, names: tuple[ColumnName, ...]) -> Named | None:
    """Return a well-known rate in percent (`利润率`, `资产负债率`, `profit margin`), if the table has both amounts but
    no column for the rate."""
    for pattern, above, below in _KNOWN_RATES:
        match = pattern.search(said)
        if match is None or hinted("profit_rate", names) or any(match[0] in column.name for column in facts.columns):
            continue
        numeric = {column.name for column in facts.columns if column.kind in _NUMBERS}
        sides = [[name for name in hinted(concept, names) if name in numeric] for concept in (above, below)]
        if all(len(side) == 1 for side in sides) and sides[0] != sides[1]:
            quotient = Math(op="/", left=Col(name=sides[0][0]), right=Col(name=sides[1][0]))
            return Named(name=match[0], of=Math(op="*", left=quotient, right=Lit(value=100)))
    return None


def _excess(said: str, facts: DatasetFacts) -> Named | None:
    """Return actual minus budgeted amounts (`超预算最多的部门`), if the table has one column of each."""
    match = _EXCESS.search(said)
    if match is None or _RANKED.search(said) is None:
        return None
    numeric = [column.name for column in facts.columns if column.kind in _NUMBERS]
    planned = [name for name in numeric if re.search(r"预算|budget", name.lower())]
    actual = [name for name in numeric if re.search(r"实际|actual", name.lower())]
    if len(planned) != 1 or len(actual) != 1 or planned == actual:
        return None
    return Named(name=match[0], of=Math(op="-", left=Col(name=actual[0]), right=Col(name=planned[0])))


def _amount(said: str, facts: DatasetFacts, names: tuple[ColumnName, ...]) -> Named | None:
    """Return quantity times unit price (`库存金额`), if the table has one of each and no column of money for it."""
    match = _AMOUNT.search(said)
    if match is None or hinted("revenue", names) or hinted("profit", names):
        return None
    numeric = [
        column for column in facts.columns if column.kind in _NUMBERS and not column.name.lower().startswith(_BOUNDS)
    ]
    prices = [
        column.name for column in numeric if _ends(column.name, ("单价", "unit price", "unit_price", "price", "售价"))
    ]
    pieces = [
        column.name
        for column in numeric
        if _ends(column.name, ("数量", "quantity", "qty", "库存", "件数", "stock", "units"))
    ]
    if len(prices) != 1 or len(pieces) != 1 or any(_AMOUNTS.search(column.name.strip()) for column in numeric):
        return None
    return Named(name=match[0].strip(), of=Math(op="*", left=Col(name=pieces[0]), right=Col(name=prices[0])))


def _rate(said: str, facts: DatasetFacts) -> Named | None:
    """Return the percentage of rows that say yes: `return rate by product`, `退货率`."""
    for match in _RATE.finditer(said):
        word = match["han"] or match["word"]
        if any(match[0] in column.name.lower().replace("_", " ") for column in facts.columns if aggregate_for(column)):
            return None
        marked = [column for column in facts.columns if sides(column) and _of_stem(word, column.name.lower())]
        if len(marked) == 1 and (told := sides(marked[0])):
            yes = Compare(op="=", left=Col(name=marked[0].name), right=Lit(value=told[0]))
            return Named(name=match[0], of=Case(branches=((yes, Lit(value=100.0)),), otherwise=Lit(value=0.0)))
    return None


def _of_stem(word: str, column: str) -> bool:
    """Return whether a word and a column share their stem: `return` and returned, `cancellation` and is_cancelled,
    `退货` and 是否退货."""
    if word in column:
        return True
    stems = [
        sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, part, strict=False)))
        for part in re.split(r"[^a-z]+", column)
    ]
    return max(stems, default=0) >= (_SHORT_STEM if len(word) <= _STEM else _STEM)


def _ends(column: str, endings: tuple[str, ...]) -> bool:
    return column.lower().strip().endswith(endings)


def _said(tokens: tuple[Token, ...], concept: str) -> bool:
    phrases = concepts()[concept]
    lemmas = tuple(token.lemma for token in tokens)
    return any(lemmas[start : start + len(phrase)] == phrase for phrase in phrases for start in range(len(lemmas)))
