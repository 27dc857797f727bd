"""Questions over several tables: which of them is meant, or whether each table with the same columns answers for
itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tablewright.analyst.linking.linker import LinkedTable
from tablewright.analyst.linking.mentions import (
    AnyMention,
    ColumnMention,
    NumberMention,
    RowsMention,
    TableMention,
    ValueMention,
    WordMention,
)
from tablewright.analyst.linking.tokens import weight
from tablewright.analyst.plan import Concat, Derive, Lit, Named, Part, Plan, Relation
from tablewright.analyst.reading.families.base import Offer
from tablewright.texts.catalogue import text

_ALIKE = 0.7
_NAMED = 0.1
_ROWS = 0.06
_TOLD = 0.08
"""Bonus for a table whose own columns and cells the question names."""


def over_tables(offers: Sequence[Offer | None], tables: Sequence[TableMention]) -> Plan | None:
    """Return one plan: over the table that explains the question best, or over all tables with mostly the same
    columns that the question names. None without offers."""
    found = [offer for offer in offers if offer is not None]
    if not found:
        return None
    if len(offers) == 1:
        return _plan(found)
    best = max(found, key=strength)
    if best.parse.table.relation is not None:
        return _plan([best])
    plain = [offer for offer in found if offer.parse.table.relation is None]
    alike = [offer for offer in plain if _likeness(_form(offer), _form(best)) >= _ALIKE]
    named = _named(alike, tables)
    if len(named) > 1 and len({offer.family for offer in named}) == 1:
        return _plan(named)
    return _plan([max(named, key=strength)])


def without_others(linked: Sequence[LinkedTable]) -> list[LinkedTable]:
    """Drop mentions inside the full name of a cell that only another table has (`未` in `佳兆业未来城`)."""
    spans = {
        (mention.start, mention.end)
        for table in linked
        for mention in table.mentions
        if isinstance(mention, ValueMention) and mention.how == "exact" and mention.end - mention.start > 1
    }
    return [replace(table, mentions=tuple(_outside(table, spans))) for table in linked]


def _outside(table: LinkedTable, spans: set[tuple[int, int]]) -> Iterator[AnyMention]:
    held = [(mention.start, mention.end) for mention in table.mentions if isinstance(mention, ValueMention)]
    foreign = [span for span in spans if not any(start < span[1] and span[0] < end for start, end in held)]
    for mention in table.mentions:
        inside = any(start <= mention.start and mention.end <= end for start, end in foreign)
        if not (inside and isinstance(mention, WordMention | NumberMention)):
            yield mention


def strength(offer: Offer) -> float:
    """Return how well a table explains the question: how much of it, how certainly, and whether the question names
    its rows or the table itself."""
    parse = offer.parse
    said = [parse.mentions[place] for place in parse.taken]
    linked = [mention for mention in said if isinstance(mention, ColumnMention | ValueMention)]
    sizes = [weight(parse.tokens, mention.start, mention.end) for mention in linked]
    sure = sum(mention.score * size for mention, size in zip(linked, sizes, strict=True)) / (sum(sizes) or 1.0)
    vote = _ROWS if any(_names_rows(offer, mention) for mention in parse.mentions) else 0.0
    if any(isinstance(mention, TableMention) and parse.table.facts.id in mention.dataset_ids for mention in said):
        vote += _NAMED
    whole = weight(parse.tokens, 0, len(parse.tokens)) or 1.0
    return offer.score() * (0.4 + 0.6 * sure) + _TOLD * sum(sizes) / whole + vote


def _names_rows(offer: Offer, mention: object) -> bool:
    """Return whether a mention is the noun for the rows, or a text column with a distinct value in each row."""
    if isinstance(mention, RowsMention):
        return True
    facts = offer.parse.table.facts
    return isinstance(mention, ColumnMention) and any(
        column.name == mention.column and column.kind == "text" and column.distinct == facts.rows
        for column in facts.columns
    )


def _form(offer: Offer) -> frozenset[str]:
    """Return the column names, most of which tables must share to answer together."""
    return frozenset(column.name for column in offer.parse.table.facts.columns)


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))


def _named(found: list[Offer], tables: Sequence[TableMention]) -> list[Offer]:
    """Return the offers of tables that are named unambiguously, else of those that hold the cells named, else all."""
    telling = {ids[0] for mention in tables if len(ids := mention.dataset_ids) == 1}
    named = [offer for offer in found if offer.parse.table.facts.id in telling]
    if named:
        return named
    holding = [offer for offer in found if any(clause.values for clause in offer.parse.clauses)]
    return holding or found


def _plan(offers: list[Offer]) -> Plan:
    confidence = round(min(1.0, _together(offers)), 3)
    if len(offers) == 1:
        return Plan(parts=(offers[0].part,), confidence=confidence)
    relation = Concat(sources=tuple(offer.part.relation for offer in offers))
    part = Part(relation=relation, shown=Concat(sources=tuple(_of_table(offer) for offer in offers)))
    return Plan(parts=(part,), confidence=confidence)


def _of_table(offer: Offer) -> Relation:
    """Return what a person is shown of one of several tables, with the table's name in each row."""
    label = text("reading.table", offer.parse.language)
    name = Named(name=label, of=Lit(value=offer.parse.table.facts.name))
    return Derive(source=offer.part.shown or offer.part.relation, columns=(name,))


def _together(offers: list[Offer]) -> float:
    """Return the fraction of the question that the tables explain together; one may explain a name that only it
    holds."""
    parse = offers[0].parse
    if len(offers) == 1 and parse.language == "zh":
        return parse.confidence()
    unknown = set(parse.unexplained())
    for offer in offers[1:]:
        unknown &= set(offer.parse.unexplained())
    known = sum(1 for place, token in enumerate(parse.tokens) if place not in unknown and token.kind != "mark")
    return max(known / (known + len(unknown)) if known else 0.0, *(offer.parse.confidence() for offer in offers))
