"""Words that a plan accounts for without computing with them: nouns for the rows, and words of its columns' names."""

from __future__ import annotations

import re
from dataclasses import replace

from tablewright.analyst.linking.lexicon import additivity
from tablewright.analyst.linking.mentions import ColumnMention, RowsMention, TableMention
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.plan import Col
from tablewright.analyst.plan_walk import nodes
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.flags import sides
from tablewright.analyst.reading.parse import Parse
from tablewright.domain.dataset import ColumnFacts

_TOTALLING = frozenset({"summing", "amounts", "shares", "contrasts"})
_MONTH = re.compile(
    r"(?:[一二三四五六七八九十]|\d)月|\b(?:january|february|march|april|june|july|august|september|october"
    r"|november|december)\b"
)
_SHORTEST_WORD = 4
_DATES = ("日期", "时间")


def accounted(offer: Offer) -> Offer:
    """Take nouns that only name what the rows are about (`the average price of products`, `门店总面积`), and words from
    the names of columns that the plan uses (`入职` for 入职日期)."""
    parse = offer.parse
    parse.take(*parse.free(RowsMention))
    own = parse.table.facts.id
    parse.take(*[mention for mention in parse.free(TableMention) if mention.dataset_ids == (own,)])
    if offer.family in _TOTALLING:
        parse.take(*[mention for mention in parse.free(ColumnMention) if not _says_more(parse, mention)])
    used = " ".join({node.name.lower() for node in nodes(offer.part) if isinstance(node, Col)})
    used += " " + " ".join(_happened(parse))
    said = [
        RowsMention(start=start, end=end, score=0.5, column=None)
        for start, end in _runs(parse.unexplained())
        if _in_name(parse.gap(start, end), used) or _measure_of_months(parse.gap(start, end), used)
    ]
    if not said:
        return offer
    extended = replace(parse, mentions=[*parse.mentions, *said], taken=set(parse.taken))
    extended.take(*said)
    return replace(offer, parse=extended)


def _happened(parse: Parse) -> list[str]:
    """Return the events that every row stands for, from its date columns: `成交` if each row has a 成交日期."""
    dated = [column for column in parse.table.facts.columns if column.kind in {"date", "datetime"}]
    return [column.name.removesuffix(end) for column in dated for end in _DATES if _always(column, end)]


def _always(column: ColumnFacts, ending: str) -> bool:
    return column.name.endswith(ending) and not column.missing


def _says_more(parse: Parse, mention: ColumnMention) -> bool:
    """Return whether a column mention adds a measure or a yes-or-no condition rather than merely naming things."""
    return bool(parse.numeric_reading(mention)) or sides(parse.facts(mention.column)) is not None


def _in_name(words: str, names: str) -> bool:
    plain = words.replace(" ", "")
    return plain in names and (is_han(plain[0]) or len(plain) >= _SHORTEST_WORD)


def _measure_of_months(words: str, names: str) -> bool:
    """Return whether the words name a measure that the table leaves unnamed because its columns are months
    (`三月的产量`)."""
    return words.replace(" ", "") in additivity().sums and _MONTH.search(names) is not None


def _runs(places: list[int]) -> list[tuple[int, int]]:
    """Return the spans (start, end) of consecutive places."""
    runs: list[tuple[int, int]] = []
    for place in places:
        if runs and runs[-1][1] == place:
            runs[-1] = (runs[-1][0], place + 1)
        else:
            runs.append((place, place + 1))
    return runs
