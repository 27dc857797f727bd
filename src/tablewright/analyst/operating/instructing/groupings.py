"""Candidates for what rows are grouped by, and for what is computed of each group."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.analyst.grammar.keys import keys
from tablewright.analyst.grammar.scene import gap
from tablewright.analyst.grammar.semantics import mask_of
from tablewright.analyst.operating.instructing.clause import ROW, SURE, Clause
from tablewright.analyst.operating.instructing.parts import Part, links_of

_NEAR = 4
_VERB = 2
"""How many signs a verb may have that stands between an amount and the words that ask for it."""
_MEASURED = 0.8
"""What it costs to count rows by a word that is the name of a column of numbers."""


def groups(clause: Clause) -> Iterator[Part]:
    """Yield what rows are grouped by: (column, unit of time or None)."""
    known = keys(clause.linked)
    ends = {key.mask.bit_length() for key in known}
    counted = 0
    for part in _rows_counted(clause):
        counted |= part.mask
    for key in known:
        asked = any(name == "key:which" and size for name, size in key.features)
        if key.column not in clause.place.letters or asked:
            continue
        cost = sum(_GROUPING.get(name, 0.0) * size for name, size in key.features)
        mask = key.mask
        for word in clause.of("by:by"):
            ahead = 0 <= key.start - word.end <= 1 and not (key.start - word.end and word.start in ends)
            if ahead or 0 <= word.start - key.mask.bit_length() <= 0:
                mask |= word.mask
                cost -= 0.2
        yield Part(mask=mask, value=(key.column, key.unit), cost=cost, start=key.start)
        if mask & counted:
            yield Part(mask=mask & ~counted, value=(key.column, key.unit), cost=cost, start=key.start)


_GROUPING = {"link:loss": 1.6, "key:amount": 1.2, "key:unique": 0.8, "key:implied": 9.0,
             "implied:date_place": 0.4, "key:many": 0.3, "key:bare": 0.15}  # fmt: skip


def spread(clause: Clause) -> Iterator[Part]:
    """Yield the key whose values become columns."""
    for word in clause.of("by:across"):
        for part in groups(clause):
            away = gap(word.start, word.end, part.start, part.mask.bit_length())
            if not part.mask & word.mask and away <= 3:
                cost = part.cost - 0.3 + 0.1 * away
                yield Part(mask=part.mask | word.mask, value=part.value, cost=cost, start=part.start)


def measures(clause: Clause) -> Iterator[Part]:
    """Yield what is computed of each group: (function, column or None)."""
    numeric = [link for link in links_of(clause) if link.column.role == "number"]
    yield from _rows_counted(clause)
    for word in clause.of("agg"):
        if word.meaning == "count":
            named = any(link.score >= SURE and link.mask & word.mask == word.mask for link in numeric)
            yield Part(mask=word.mask, value=("count", None), cost=0.05 + _MEASURED * named, start=word.start)
            for link in links_of(clause):
                if link.end == word.start and (link.column.identifies or link.column.role == "text"):
                    mask = word.mask | link.mask
                    yield Part(mask=mask, value=("count", None), cost=0.0, start=link.start)
            continue
        for link in numeric:
            if not link.mask & word.mask and gap(word.start, word.end, link.start, link.end) <= _NEAR:
                cost = (1 - link.score) * 1.6
                yield Part(
                    mask=word.mask | link.mask | _asked(clause, link.end),
                    value=(word.meaning, link.column.name),
                    cost=cost,
                    start=link.start,
                )
        adding = [column for column in clause.linked.columns if column.role == "number" and column.adds]
        hints = {one.about for one in clause.linked.words if one.about}
        for column in adding:
            cost = 0.9 - 0.3 * (len(adding) == 1) - 0.3 * bool(column.concepts & hints)
            yield Part(mask=word.mask, value=(word.meaning, column.name), cost=cost, start=word.start)
    for link in numeric:
        cost = (1 - link.score) * 1.6 + 0.3
        yield Part(
            mask=link.mask,
            value=("sum" if link.column.adds is not False else "mean", link.column.name),
            cost=cost,
            start=link.start,
        )


def _rows_counted(clause: Clause) -> Iterator[Part]:
    """Yield the number of rows where what they are called stands before the word for each: `orders per customer`."""
    each = {word.start for word in clause.of("by:by") if clause.tokens[word.start].kind == "word"}
    for link in links_of(clause):
        if link.score >= SURE and link.end in each and (link.column.identifies or clause.costs[link.start] <= ROW):
            yield Part(mask=link.mask, value=("count", None), cost=-0.15, start=link.start)


def _asked(clause: Clause, at: int) -> int:
    """Return the words behind a place that only ask how much something is, with the one verb before them."""
    for word in clause.of("asking"):
        verb = {clause.classes[one] for one in range(at, word.start)}
        if 0 <= word.start - at <= _VERB and verb <= {"word", "stop"}:
            return word.mask | mask_of(at, word.start)
    return 0
