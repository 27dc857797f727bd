"""Questions over several tables of one form: each table answers for itself, the answers one after another."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.analyst.linking.mentions import TableMention
from tablewright.analyst.plan import Concat, Part, Plan
from tablewright.analyst.reading.families.base import Offer


def over_tables(offers: Sequence[Offer | None], tables: Sequence[TableMention]) -> Plan | None:
    """Return one plan: of the only table, of the tables that the question names, or of the table that fits best."""
    found = [offer for offer in offers if offer is not None]
    if not found:
        return None
    if len(offers) == 1:
        return _plan(found)
    named = _named(found, tables)
    if len(named) > 1 and len({offer.family for offer in named}) == 1:
        return _plan(named)
    return _plan(named or [max(found, key=Offer.score)])


def _named(found: list[Offer], tables: Sequence[TableMention]) -> list[Offer]:
    """The tables that are named by words of their own."""
    telling = {ids[0] for mention in tables if len(ids := mention.dataset_ids) == 1}
    return [offer for offer in found if offer.parse.table.facts.id in telling] or found


def _plan(offers: list[Offer]) -> Plan:
    confidence = round(min(1.0, _together(offers)), 3)
    if len(offers) == 1:
        return Plan(parts=(offers[0].part,), confidence=confidence)
    relation = Concat(sources=tuple(offer.part.relation for offer in offers))
    shown = [offer.part.shown or offer.part.relation for offer in offers]
    part = Part(
        relation=relation, shown=Concat(sources=tuple(shown)) if any(offer.part.shown for offer in offers) else None
    )
    return Plan(parts=(part,), confidence=confidence)


def _together(offers: list[Offer]) -> float:
    """What one table leaves unexplained another may explain (a name that only it holds)."""
    parse = offers[0].parse
    unknown = set(parse.unexplained())
    for offer in offers[1:]:
        unknown &= set(offer.parse.unexplained())
    known = sum(1 for place, token in enumerate(parse.tokens) if place not in unknown and token.kind != "mark")
    return max(known / (known + len(unknown)) if known else 0.0, *(offer.parse.confidence() for offer in offers))
