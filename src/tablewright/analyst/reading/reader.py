"""Reads a question: tokens, links, conditions, then the family of questions that explains it best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tablewright.analyst.base import Reading, Understood
from tablewright.analyst.linking.linker import LinkedTable, link
from tablewright.analyst.linking.tables import table_mentions
from tablewright.analyst.linking.tokens import Token, tokenize
from tablewright.analyst.linking.mentions import RowsMention
from tablewright.analyst.reading.conditions import read_conditions
from tablewright.analyst.reading.declining import declined
from tablewright.analyst.reading.families.base import Family, Offer
from tablewright.analyst.reading.families.charts import charts, drawn
from tablewright.analyst.reading.families.comparing import comparing, difference
from tablewright.analyst.reading.families.counting import counting
from tablewright.analyst.reading.families.listing import listing
from tablewright.analyst.reading.families.ranking import ranking
from tablewright.analyst.reading.families.summing import summing
from tablewright.analyst.reading.order import read_order
from tablewright.analyst.reading.parse import Parse
from tablewright.analyst.reading.several import over_tables
from tablewright.data.base import ValueLookup
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.domain.task import TurnFacts

FAMILIES: tuple[Family, ...] = (charts, difference, comparing, ranking, counting, summing, listing)
LEAST_CONFIDENCE = 0.6


async def read(
    question: str,
    language: Language,
    datasets: Sequence[DatasetFacts],
    values: ValueLookup,
    history: Sequence[TurnFacts] = (),
) -> Reading:
    """Return the plan that the question asks for, or why there is none."""
    del history
    tokens = tokenize(question)
    tables = table_mentions(tokens, datasets)
    linked = [
        await link(question, tokens, facts, values, tuple(mention for mention in tables if facts.id in mention.dataset_ids or len(datasets) > 1))
        for facts in datasets
    ]
    offers = [best_offer(question, language, tokens, table) for table in linked]
    plan = over_tables(offers, tables)
    if plan is not None and plan.confidence >= LEAST_CONFIDENCE:
        return Understood(plan=plan)
    return declined(language, linked, offers)


def best_offer(question: str, language: Language, tokens: tuple[Token, ...], table: LinkedTable) -> Offer | None:
    """Return the best explained plan for the question about one table."""
    parse = Parse(question=question, language=language, tokens=tokens, table=table, mentions=list(table.mentions))
    read_order(parse)
    read_conditions(parse)
    offers = [offer for family in FAMILIES if (offer := family(_copy(parse))) is not None]
    for offer in offers:
        offer.parse.take(*offer.parse.free(RowsMention))
    best = max(offers, key=Offer.score, default=None)
    return None if best is None else replace(best, part=drawn(best.part))


def _copy(parse: Parse) -> Parse:
    return replace(parse, taken=set(parse.taken), clauses=list(parse.clauses), either=list(parse.either))

