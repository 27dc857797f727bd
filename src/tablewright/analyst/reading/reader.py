"""Reads a question: tokens, links and conditions, then the family of questions that explains it best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tablewright.analyst.base import Reading, Understood
from tablewright.analyst.linking.linker import LinkedTable, link
from tablewright.analyst.linking.mentions import TableMention
from tablewright.analyst.linking.tables import table_mentions
from tablewright.analyst.linking.tokens import Token, tokenize
from tablewright.analyst.plan import Named, Plan
from tablewright.analyst.reading.accounting import accounted
from tablewright.analyst.reading.banded import said_bands
from tablewright.analyst.reading.conditions import read_conditions, read_more_conditions
from tablewright.analyst.reading.declining import declined
from tablewright.analyst.reading.defining import defined, with_column
from tablewright.analyst.reading.doubts import doubt
from tablewright.analyst.reading.families.amounts import amounts
from tablewright.analyst.reading.families.base import Family, Offer
from tablewright.analyst.reading.families.charts import charts, drawn, wants_sight
from tablewright.analyst.reading.families.choices import choices
from tablewright.analyst.reading.families.comparing import comparing, difference
from tablewright.analyst.reading.families.contrasts import contrasts
from tablewright.analyst.reading.families.counting import counting
from tablewright.analyst.reading.families.growth import growth
from tablewright.analyst.reading.families.having import having
from tablewright.analyst.reading.families.listing import listing
from tablewright.analyst.reading.families.neighbours import following, neighbours
from tablewright.analyst.reading.families.overall import overall
from tablewright.analyst.reading.families.procedures import procedures
from tablewright.analyst.reading.families.ranking import ranking
from tablewright.analyst.reading.families.ratios import ratios
from tablewright.analyst.reading.families.runs import runs
from tablewright.analyst.reading.families.shares import shares
from tablewright.analyst.reading.families.since_before import since_before
from tablewright.analyst.reading.families.steps import elapsed, jumps
from tablewright.analyst.reading.families.summing import summing
from tablewright.analyst.reading.families.verdicts import verdicts
from tablewright.analyst.reading.first_look import looked_at
from tablewright.analyst.reading.flows import name_amounts
from tablewright.analyst.reading.following_up import completed, follows_up
from tablewright.analyst.reading.implied import implied_column
from tablewright.analyst.reading.joining import Pair, better_elsewhere, link_pair, needs_both, pairs
from tablewright.analyst.reading.order import read_order
from tablewright.analyst.reading.parse import Parse
from tablewright.analyst.reading.prepared import prepared
from tablewright.analyst.reading.quotients import of_sums
from tablewright.analyst.reading.several import over_tables, without_others
from tablewright.analyst.reading.stacking import link_stack, sets_beside, stack_of
from tablewright.analyst.reading.twofold import halves
from tablewright.analyst.reading.unmatched import Unmatched, unmatched
from tablewright.analyst.reading.whole_join import joined_whole
from tablewright.data.base import ValueLookup
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.domain.table_facts import TableRelation
from tablewright.domain.task import TurnFacts

FAMILIES: tuple[Family, ...] = (
    charts,
    overall,
    ratios,
    having,
    contrasts,
    choices,
    jumps,
    elapsed,
    difference,
    comparing,
    following,
    neighbours,
    runs,
    since_before,
    growth,
    procedures,
    shares,
    ranking,
    counting,
    amounts,
    summing,
    listing,
    verdicts,
)
LEAST_SCORE = 0.5
LEAST_CONFIDENCE = 0.7
CATEGORIES = 200
"""A text column with at most this many distinct values is a column of categories."""


async def read(
    question: str,
    language: Language,
    datasets: Sequence[DatasetFacts],
    values: ValueLookup,
    history: Sequence[TurnFacts] = (),
    relations: Sequence[TableRelation] = (),
) -> Reading:
    """Return the plan that the question asks for, or the reason why there is none."""
    question = await whole_question(question, datasets, values, history)
    if (whole := joined_whole(question, datasets) or looked_at(question, datasets)) is not None:
        return Understood(plan=whole)
    if apart := unmatched(question, datasets):
        return await _read_unmatched(apart, language, datasets, values)
    first = prepared(question, datasets[0]) if len(datasets) == 1 else None
    question = first.question if first is not None else question
    both = halves(question) if first is None else None
    if both is not None and (plan := await _both(both, language, datasets, values)) is not None:
        return Understood(plan=plan)
    definitions = [(facts, defined(question, facts) or said_bands(question, facts)) for facts in datasets]
    told = [(facts, definition) for facts, definition in definitions if definition is not None]
    if told:
        question, datasets = told[0][1].question, [facts for facts, _ in told]
    tokens = tokenize(question)
    made: list[Named | None] = [definition.column for _, definition in told]
    made = made or [implied_column(tokens, facts, language) for facts in datasets]
    datasets = [with_column(facts, column) if column else facts for facts, column in zip(datasets, made, strict=True)]
    tables = table_mentions(tokens, datasets)
    linked = [await _linked(question, tokens, facts, datasets, values, tables) for facts in datasets]
    linked = without_others([replace(linked[0], relation=first.rows(datasets[0]))] if first is not None else linked)
    offers = [best_offer(question, language, tokens, table, column) for table, column in zip(linked, made, strict=True)]
    unsure = [offer is not None and better_elsewhere(offer, linked, tables) for offer in offers]
    sure = [offer for offer, other in zip(offers, unsure, strict=True) if not other]
    certain = any(offer is not None and offer.parse.confidence() == 1.0 for offer in sure)
    others = [] if certain else pairs(datasets, relations)
    joined = [await _joined(question, language, tokens, pair, values, tables) for pair in others]
    offers = [*(sure if certain or any(joined) else offers), *joined]
    beside = await _stacked(question, language, tokens, datasets, values) if not any(made) else None
    plan = beside or over_tables(offers, tables)
    if plan is not None and plan.confidence >= LEAST_CONFIDENCE:
        return Understood(plan=plan)
    return declined(language, linked, offers, tokens)


async def _linked(
    question: str,
    tokens: tuple[Token, ...],
    facts: DatasetFacts,
    datasets: Sequence[DatasetFacts],
    values: ValueLookup,
    tables: Sequence[TableMention],
) -> LinkedTable:
    """Link the question to one table; with several tables, words that name another table are linked as such too."""
    own = [mention for mention in tables if facts.id in mention.dataset_ids or len(datasets) > 1]
    return await link(question, tokens, facts, values, tuple(own))


async def _both(
    asked: tuple[str, str], language: Language, datasets: Sequence[DatasetFacts], values: ValueLookup
) -> Plan | None:
    """Return one plan that answers both questions; None unless each is understood as a single part without a chart."""
    readings = [await read(question, language, datasets, values) for question in asked]
    plans = [reading.plan for reading in readings if isinstance(reading, Understood)]
    if len(plans) < len(asked) or any(len(plan.parts) > 1 or plan.parts[0].drawing for plan in plans):
        return None
    return Plan(parts=tuple(plan.parts[0] for plan in plans), confidence=min(plan.confidence for plan in plans))


async def whole_question(
    question: str, datasets: Sequence[DatasetFacts], values: ValueLookup, history: Sequence[TurnFacts]
) -> str:
    """Return the question, completed from those before it if it only changes a part of them."""
    return await _whole(question, datasets, values, _answered(history))


def _answered(history: Sequence[TurnFacts]) -> list[str]:
    """Return the earlier questions that code answered; all of them if none did. A question goes on from these, not
    from one that was declined, nor from thanks."""
    return [turn.question for turn in history if turn.code] or [turn.question for turn in history]


async def _whole(question: str, datasets: Sequence[DatasetFacts], values: ValueLookup, earlier: Sequence[str]) -> str:
    """Return the question, completed from the previous ones in `earlier` if it only changes a part of them."""
    tokens = tokenize(question)
    if not earlier or not follows_up(question, tokens):
        return question
    base = await _whole(earlier[-1], datasets, values, earlier[:-1])
    base_tokens = tokenize(base)
    offered: list[tuple[int, str]] = []
    for facts in datasets:
        before, after = (
            await link(base, base_tokens, facts, values, ()),
            await link(question, tokens, facts, values, ()),
        )
        text = completed(base, before, base_tokens, after, tokens)
        if text is not None:
            offered.append((len(before.mentions) + len(after.mentions), text))
    return max(offered, key=lambda offer: offer[0])[1] if offered else question


async def _read_unmatched(
    asked: Sequence[Unmatched], language: Language, datasets: Sequence[DatasetFacts], values: ValueLookup
) -> Reading:
    """Read a question about the rows of one table that have no partner in another; the first table it fits is meant."""
    linked: list[LinkedTable] = []
    for one in asked:
        tokens = tokenize(one.question)
        table = await link(one.question, tokens, one.facts, values, table_mentions(tokens, datasets))
        offer = best_offer(one.question, language, tokens, replace(table, relation=one.relation))
        plan = over_tables([offer], ()) if one.clear else None
        if plan is not None and plan.confidence >= LEAST_CONFIDENCE:
            return Understood(plan=plan)
        linked.append(table)
    return declined(language, linked[:1], [], tokenize(asked[0].question))


async def _joined(
    question: str,
    language: Language,
    tokens: tuple[Token, ...],
    pair: Pair,
    values: ValueLookup,
    tables: Sequence[TableMention],
) -> Offer | None:
    """Return the best plan over the two tables joined; None if it does not need both."""
    offer = best_offer(question, language, tokens, await link_pair(question, tokens, pair, values))
    return offer if offer is not None and needs_both(offer, pair, tables) else None


async def _stacked(
    question: str, language: Language, tokens: tuple[Token, ...], datasets: Sequence[DatasetFacts], values: ValueLookup
) -> Plan | None:
    """Return the plan over stacked tables with the same columns, if it compares them or adds them up."""
    stack = stack_of(datasets, language)
    if stack is None:
        return None
    offer = best_offer(question, language, tokens, await link_stack(question, tokens, stack, values))
    if offer is None or offer.parse.confidence() < LEAST_CONFIDENCE or not sets_beside(offer, stack):
        return None
    return Plan(parts=(offer.part,), confidence=round(min(1.0, offer.parse.confidence()), 3))


def _prepared(question: str, language: Language, tokens: tuple[Token, ...], table: LinkedTable) -> Parse:
    parse = Parse(question=question, language=language, tokens=tokens, table=table, mentions=list(table.mentions))
    _table_words(parse)
    name_amounts(parse)
    read_order(parse)
    read_conditions(parse)
    return parse


def best_offer(
    question: str, language: Language, tokens: tuple[Token, ...], table: LinkedTable, made: Named | None = None
) -> Offer | None:
    """Return the plan that best explains the question about one table, or None if none scores well enough."""
    parse = _prepared(question, language, tokens, table)
    parse.made = made
    read_more_conditions(parse)
    offers = [accounted(offer) for family in FAMILIES if (offer := family(_copy(parse))) is not None]
    offers = [replace(offer, fit=offer.fit * doubt(offer)) for offer in offers]
    best = max((offer for offer in offers if offer.score() >= LEAST_SCORE), key=Offer.score, default=None)
    if best is not None and made is not None:
        best = replace(best, part=of_sums(best.part, made, parse))
    return replace(best, part=drawn(best.part)) if best is not None and wants_sight(parse) else best


def _table_words(parse: Parse) -> None:
    """Drop `chart` where it means the table (`on this chart`) rather than a drawing."""
    for word in parse.words("chart"):
        before = parse.gap(max(0, word.start - 2), word.start)
        if before in {"on the", "on this", "in the", "in this", "from the", "from this"} and not word.value:
            parse.mentions.remove(word)


def _copy(parse: Parse) -> Parse:
    return replace(parse, taken=set(parse.taken), clauses=list(parse.clauses), either=list(parse.either))
