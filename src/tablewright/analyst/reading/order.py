"""Finds the requested order: `sorted by age from high to low`, `按均价降序`, `show the y-axis in asc order`."""

from __future__ import annotations

from tablewright.analyst.linking.mentions import ColumnMention, WordMention
from tablewright.analyst.plan import Aggregate, Relation, Sort
from tablewright.analyst.reading.parse import Order, Parse

_OPENERS = frozenset({"by", "and", "show", "list", "display", "rank", "sort", "order", "按", "按照", "并", "请", "in"})
_BREAKS = frozenset({",", "，", ";", "；", ".", "。", "?", "？"})
_NAMES = frozenset(
    {
        *("chronological", "alphabetical", "alphabetic", "alphabetically", "lexicographical"),
        *("oldest", "earliest", "newest", "latest"),
    }
)
_REACH = 12


def read_order(parse: Parse) -> None:
    """Take the words of an order clause, and store the order in the parse."""
    directions = parse.words("direction")
    orders = [word for word in parse.words("order") if _is_clause(parse, word, directions)]
    if not directions and not orders:
        return
    anchor = directions[-1] if directions else orders[-1]
    start = _start(parse, anchor, orders)
    end = _end(parse, anchor, orders)
    inside = [mention for mention in parse.free(WordMention) if start <= mention.start and mention.end <= end]
    columns = [mention for mention in parse.free(ColumnMention) if start <= mention.start and mention.end <= end]
    axis = next((word.value for word in inside if word.code == "axis"), None)
    measure = any(word.code in {"count", "aggregate"} for word in inside)
    column = columns[0].column if columns else None
    descending = directions[-1].value == "desc" if directions else False
    for mention in (*inside, *columns):
        parse.take(mention)
    of_names = any(_of_names(parse, direction) for direction in directions)
    axis = axis or ("y" if measure else None)
    parse.order = Order(column=column, axis=axis, descending=descending, of_names=of_names)


def _of_names(parse: Parse, direction: WordMention) -> bool:
    """Return whether a direction is one of names or dates, not of amounts: `in alphabetical order`, `oldest first`."""
    return bool(_NAMES & {token.norm for token in parse.tokens[direction.start : direction.end]})


def in_order(parse: Parse, counted: Aggregate) -> Relation:
    """Return the groups in the requested order: by the first of them if it is named, else by the first measure."""
    if parse.order is None or not counted.groups:
        return counted
    group, measure = counted.groups[0].name, counted.measures[0].name
    by_group = parse.order.of_names or (parse.order.axis != "y" and parse.order.column == group)
    key = group if by_group else measure
    return Sort(source=counted, keys=((key, parse.order.descending),))


def _is_clause(parse: Parse, word: WordMention, directions: list[WordMention]) -> bool:
    """Return whether a word begins an order: `rank` alone may be a column or a ranking, but not with `by` or a
    direction near it."""
    after = parse.gap(word.end, min(word.end + 3, len(parse.tokens)))
    said_by = "by" in after.split() or parse.gap(word.start, word.end).endswith("by")
    return said_by or any(abs(direction.start - word.end) <= _REACH for direction in directions)


def _start(parse: Parse, anchor: WordMention, orders: list[WordMention]) -> int:
    before = [word.start for word in orders if word.start <= anchor.start and anchor.start - word.start <= _REACH]
    if before:
        return before[-1]
    place = anchor.start
    opener = anchor.start
    while place > 0 and anchor.start - place <= _REACH and parse.tokens[place - 1].norm not in _BREAKS:
        place -= 1
        if parse.tokens[place].norm in _OPENERS:
            opener = anchor.start if _says_groups(parse, place, anchor.start) else place
            break
    return opener


def _says_groups(parse: Parse, place: int, end: int) -> bool:
    """Return whether the words from `place` name groups and not the order: `total sales by city (and year) in
    descending order`."""
    opener = parse.tokens[place].norm
    earlier = [word for word in parse.words("by", "each") if word.start < place]
    if opener not in {"by", "and"} or bool(earlier) == (opener == "by"):
        return False
    measured = any(word.start < place for word in parse.words("aggregate", "count"))
    named = [mention for mention in parse.free(ColumnMention) if place < mention.start and mention.end <= end]
    return measured and bool(named) and not any(parse.numeric(mention.column) for mention in named)


def _end(parse: Parse, anchor: WordMention, orders: list[WordMention]) -> int:
    end = max([anchor.end, *(word.end for word in orders)])
    limit = min(end + _REACH, len(parse.tokens))
    if anchor.code == "direction" and anchor.end == end and parse.gap(end, min(end + 1, limit)) not in {"of", "by"}:
        return end
    while end < limit and parse.tokens[end].norm not in _BREAKS and parse.tokens[end].norm not in {"and", "with"}:
        end += 1
    return end
