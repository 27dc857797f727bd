"""Whether a ranking is of groups, by their totals or averages, or of single rows."""

from __future__ import annotations

import math
import re

from tablewright.analyst.linking.mentions import ColumnMention
from tablewright.analyst.plan import Case, Col
from tablewright.analyst.reading.additivity import aggregate_for
from tablewright.analyst.reading.comparisons import identifying
from tablewright.analyst.reading.grain import repeats
from tablewright.analyst.reading.parse import Parse, is_code
from tablewright.analyst.reading.quotients import is_quotient
from tablewright.analyst.reading.rankings import Ranking

_EACH = re.compile(r"\b(?:each|every|per)\b|[每各]")
_SHARED = 10
_STEPS = 11
_ONE_OR_TWO = (1, 2)
_CLOSE = 6
_ADDITIVE = ("revenue", "quantity", "sales", "sales_volume", "profit", "cost", "money", "order")
_EXTENTS = frozenset({"weight", "area_size", "distance"})


def summed(parse: Parse, rank: Ranking, asked: list[str]) -> bool:
    """Return whether groups are ranked by their sum because the rows are only parts of them (orders of a region)."""
    if rank.column is None or rank.column in asked or parse.dated(rank.column) or _row_ranked(parse, rank, asked):
        return False
    if not repeated_together(parse, asked):
        return False
    if aggregate_for(parse.facts(rank.column)) == "sum":
        return True
    names = next(name for name in parse.table.names if name.column == rank.column)
    if names.concepts & _EXTENTS and re.search(r"\bmost\b|最多", parse.question.lower()):
        return not _grows_with_words(rank.column)
    price = names.concepts & {"average_price", "score", "rating", "rank", "age", "temperature", "growth", "profit_rate"}
    return bool(names.concepts & set(_ADDITIVE)) and not price and not _grows_with_words(rank.column)


def repeated_together(parse: Parse, asked: list[str]) -> bool:
    """Return whether each thing asked for, one column or the pairs of two, has several rows."""
    known = [parse.facts(name) for name in asked]
    texts = all(facts.kind in {"text", "mixed", "date"} and facts.distinct is not None for facts in known)
    groups = math.prod(facts.distinct or 1 for facts in known)
    return len(known) in _ONE_OR_TWO and texts and groups <= 0.5 * max(parse.table.facts.rows, 1)


def _row_ranked(parse: Parse, rank: Ranking, asked: list[str]) -> bool:
    """Return whether the single row is ranked that the superlative stands before: `金额最大的订单是哪个业务员的`."""
    rows = parse.table.facts.rows
    return parse.language == "zh" and any(
        isinstance(mention, ColumnMention)
        and rank.place < mention.start <= rank.place + _CLOSE
        and mention.column not in asked
        and (not parse.numeric(mention.column) or is_code(mention.column))
        and parse.facts(mention.column).distinct == rows
        for mention in parse.mentions
    )


def rated(parse: Parse, rank: Ranking, asked: list[str]) -> bool:
    """Return whether things are ranked by their average because the column holds marks on a short scale (1 to 5)
    that very many rows share."""
    if len(asked) != 1 or rank.column is None or asked[0] == rank.column or not parse.numeric(rank.column):
        return False
    facts, thing = parse.facts(rank.column), parse.facts(asked[0])
    steps, rows = facts.distinct or 0, parse.table.facts.rows
    level = aggregate_for(facts) == "mean" and 1 < steps <= _STEPS and rows >= _SHARED * steps
    return level and thing.kind == "text" and thing.distinct is not None and thing.distinct <= rows / _SHARED


def rate_made(parse: Parse, rank: Ranking, things: list[str]) -> bool:
    """Return whether the ranking is of groups because the column is a rate made from yes and no, or a quotient of
    things with several rows."""
    if parse.made is None or rank.column != parse.made.name:
        return False
    of = parse.made.of
    if is_quotient(of) and things:
        return repeats(parse, things[0]) or (_EACH.search(parse.question) is not None and is_repeated(parse, things[0]))
    return isinstance(of, Case | Col)


def _grows_with_words(column: str) -> bool:
    return any(word in column.lower() for word in ("price", "rate", "单价", "均价", "率", "avg", "average"))


def is_repeated(parse: Parse, column: str) -> bool:
    """Return whether the values of a column repeat, and it is no measurement."""
    facts = parse.facts(column)
    return (
        facts.distinct is not None
        and facts.distinct < parse.table.facts.rows
        and not (parse.numeric(column) and not identifying(column, facts.minimum, facts.maximum))
    )
