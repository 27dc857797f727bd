"""Figures that a question asks for and a plan does not give: one that needs a formula of its own, names or money in
place of numbers of pieces, the second of two measures in a chart."""

from __future__ import annotations

import itertools
import re

from tablewright.analyst.linking.mentions import ColumnMention
from tablewright.analyst.plan import Col, Measure, Project
from tablewright.analyst.plan_walk import nodes
from tablewright.analyst.reading.columns_compared import limit_after
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.parse import Parse

_FIGURES_OF_TRADE = re.compile(
    r"客单价|件单价|坪效|人效|复购|回购|周转|留存|\b(?:churn|retention|turnover rate|repeat purchase)\b"
)
_AND = frozenset({"and", "和", "与", "及", "、"})
_PIECES = re.compile(r"多少(?:张|件|台|把|箱|瓶|本|套|双|盒|包|只|支|条|辆|部|袋|斤|吨)")
_MONEY = frozenset({"revenue", "money", "price", "total_price", "profit", "cost"})
_PERIODS_COUNTED = re.compile(r"(?:几|多少)个?(?:月|季度|年|天)(?!内|前|后)")
_PERIOD_NAME = re.compile(r"月|年|季|日期|天")
_HOW_MUCH = re.compile(r"(?:买|卖|售|购|花|付|产|进|出|用|卖出)[了过]?多少")


def other_figure(offer: Offer) -> bool:
    """Return whether the plan gives another figure than the one asked for."""
    return (
        _uncomputed(offer.parse)
        or _names_for_amounts(offer)
        or _money_for_pieces(offer)
        or _limit_left(offer.parse)
        or _rows_for_periods(offer)
        or _short_name_left(offer.parse)
    )


def _rows_for_periods(offer: Offer) -> bool:
    """Return whether rows would be counted or listed for `几个月` although no column has one row per period."""
    facts = offer.parse.table.facts
    if _PERIODS_COUNTED.search(offer.parse.question) is None or offer.family not in {"counting", "listing"}:
        return False
    counted = any(isinstance(node, Measure) and node.function == "count" for node in nodes(offer.part))
    return (counted or offer.family == "listing") and not any(
        column.distinct == facts.rows and (column.kind in {"date", "datetime"} or _PERIOD_NAME.search(column.name))
        for column in facts.columns
    )


def _short_name_left(parse: Parse) -> bool:
    """Return whether `IT` in capitals was passed over as a pronoun: `how many people work in IT`."""
    covered = {place for at in parse.taken for place in range(parse.mentions[at].start, parse.mentions[at].end)}
    shouted = parse.question.upper() == parse.question
    return not shouted and any(token.text == "IT" and place not in covered for place, token in enumerate(parse.tokens))


def _limit_left(parse: Parse) -> bool:
    """Return whether a comparison with a column of limits was not read: `哪些物料低于警戒线` without another line."""
    return any(limit_after(parse, word) is not None for word in parse.words("compare"))


def _uncomputed(parse: Parse) -> bool:
    """Return whether the question names a business figure that needs a formula of its own and is no column."""
    match = _FIGURES_OF_TRADE.search(parse.question.lower())
    return match is not None and not any(match[0] in column.name.lower() for column in parse.table.facts.columns)


def _names_for_amounts(offer: Offer) -> bool:
    """Return whether texts alone would answer `多少`: `杭州的客户买了多少张书桌` answered with the names of
    customers."""
    parse, relation = offer.parse, offer.part.relation
    if not isinstance(relation, Project) or _HOW_MUCH.search(parse.question) is None:
        return False
    kinds = {column.name: column.kind for column in parse.table.facts.columns}
    return all(isinstance(one.of, Col) and kinds.get(one.of.name) == "text" for one in relation.columns)


def _money_for_pieces(offer: Offer) -> bool:
    """Return whether money would answer a question for pieces: `卖了多少张凳子` answered with the revenue."""
    if _PIECES.search(offer.parse.question) is None:
        return False
    summed = {node.of.name for node in nodes(offer.part) if isinstance(node, Measure) and isinstance(node.of, Col)}
    return any(name.column in summed and name.concepts & _MONEY for name in offer.parse.table.names)


def measure_undrawn(offer: Offer) -> bool:
    """Return whether only one of two measures joined by `and` is drawn: `compare budget and actual of each team`."""
    parse = offer.parse
    drawn = {node.name for node in nodes(offer.part) if isinstance(node, Col)}
    measures = [
        mention for mention in parse.mentions if isinstance(mention, ColumnMention) and parse.numeric(mention.column)
    ]
    return any(
        parse.gap(left.end, right.start) in _AND and len({left.column, right.column} & drawn) == 1
        for left, right in itertools.pairwise(sorted(measures, key=lambda mention: mention.start))
        if left.column != right.column
    )
