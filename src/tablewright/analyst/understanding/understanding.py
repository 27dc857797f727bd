"""Understands a question: weighs all its readings by their words and by what they give."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from tablewright.analyst.base import NotUnderstood, OfferedPlan, Understanding, Understood, Unsure
from tablewright.analyst.evaluating.base import EXCERPT, Evaluated, PlanEvaluator
from tablewright.analyst.grammar.base import GrammarReading
from tablewright.analyst.plan import Plan
from tablewright.analyst.plan_walk import sources
from tablewright.analyst.suggesting import suggestions
from tablewright.analyst.understanding.base import Grammar
from tablewright.analyst.understanding.circumstances import circumstances
from tablewright.analyst.understanding.deciding import MOST_WRONG, Trust, shipped
from tablewright.analyst.understanding.declining import declined
from tablewright.analyst.understanding.explaining import explained
from tablewright.analyst.understanding.judging import (
    COUNTS_ALL,
    FREE,
    LEFT,
    OFFERED,
    SCORE,
    Group,
    Judged,
    evidence,
    grouped,
    is_proven,
    key_of,
)
from tablewright.analyst.understanding.naming import chosen_before, name_of
from tablewright.data.base import ValueLookup
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.domain.table_facts import TableRelation
from tablewright.domain.task import TurnFacts
from tablewright.errors import TablewrightError

MOST = 50
"""So many readings are evaluated at most."""
EVALUATION_S = 20.0
"""An evaluation that takes longer is not waited for: a large file on a slow machine, or a reader that is lost."""
IMPLIED = "project:implied"
"""The feature of readings that show a column because it names the rows that are asked for."""

_log = logging.getLogger(__name__)


async def understand(
    question: str,
    language: Language,
    datasets: Sequence[DatasetFacts],
    values: ValueLookup,
    history: Sequence[TurnFacts] = (),
    relations: Sequence[TableRelation] = (),
    *,
    grammar: Grammar,
    evaluator: PlanEvaluator | None,
    most_wrong: float = MOST_WRONG,
    trust: Trust | None = None,
    evaluation_s: float = EVALUATION_S,
    preferred: str | None = None,
) -> Understanding:
    """Return the plan that the question asks for, several where it is not sure which, or the reason why there is none.

    Of the confident answers at most the share `most_wrong` should be wrong. Where readings cannot be evaluated in
    `evaluation_s` seconds, or one of them is about a table that is held in part, the best is answered if it leaves no
    word out, and the best are offered otherwise. A reading that says of itself what is `preferred`, since it was chosen
    before, is answered, if only one result is read so.
    """
    if (form := await grammar.prescribed(question, language, datasets, values)) is not None:
        return replace(form, suggestions=suggestions(language, datasets)) if isinstance(form, NotUnderstood) else form
    tried = await grammar.readings(question, language, datasets, values, history, relations, most=MOST)
    if not tried:
        return declined((), language, datasets)
    evaluated = await _evaluated(tried, datasets, language, evaluator, evaluation_s)
    if any(each.failure == EXCERPT for each in evaluated):
        return _untried(tried, language, datasets)  # the rest would be weighed without the readings of a whole table
    trust = trust or shipped()
    judged = _judged(tried, evaluated, datasets, grammar)
    groups = grouped(judged, temperature=trust.temperature)
    if not groups:
        return _untried(tried, language, datasets)
    if (before := chosen_before(groups, tried, preferred)) is not None:
        return Understood(plan=explained(before))
    known = evidence(groups, circumstances(question, datasets))
    match trust.decide(known, most_wrong if is_proven(groups) else 0.0):
        case "sure":
            return Understood(plan=_shown(tried[_plainest(groups[0], tried)], datasets))
        case "unsure" if _about_tables(groups[:OFFERED], tried):
            return Unsure(readings=_offers(groups, tried, evaluated, language, datasets))
        case _:
            nearest = _offers(groups[:1], tried, evaluated, language, datasets)[0]
            return declined([tried[groups[0].best.place]], language, datasets, nearest=nearest.text)


def _about_tables(groups: Sequence[Group], tried: Sequence[GrammarReading]) -> bool:
    """Whether some reading has a part for a word that names something of the tables, counts their rows, or leaves no
    word out: what else could be offered was not asked for."""
    best = [(group.best, tried[group.best.place]) for group in groups]
    return any(reading.named or not reading.unread or judged.features.get(COUNTS_ALL) for judged, reading in best)


def _untried(tried: Sequence[GrammarReading], language: Language, datasets: Sequence[DatasetFacts]) -> Understanding:
    """Return what is to be done with readings of which no result is known."""
    best = tried[0]
    if not any(name.startswith(LEFT) and name not in FREE for name in best.features):
        return Understood(plan=_shown(best, datasets))
    said = {reading.said: reading for reading in reversed(tried) if reading.said.strip()}
    if not said or not best.named:
        return declined([best], language, datasets)
    return Unsure(
        readings=tuple(
            OfferedPlan(plan=_shown(reading, datasets), text=words, option=words)
            for words, reading in islice(reversed(said.items()), OFFERED)
        )
    )


def _shown(reading: GrammarReading, datasets: Sequence[DatasetFacts]) -> Plan:
    """Return the plan with what is shown beside its result."""
    return explained(reading.plan, datasets, rows=bool(reading.features.get(IMPLIED)))


async def _evaluated(
    tried: Sequence[GrammarReading],
    datasets: Sequence[DatasetFacts],
    language: Language,
    evaluator: PlanEvaluator | None,
    most_s: float,
) -> tuple[Evaluated, ...]:
    """Return what each reading gives, or nothing at all if that takes too long or cannot be done."""
    if evaluator is None:
        return ()
    try:
        evaluating = evaluator.evaluate([each.plan for each in tried], datasets, language=language)
        return await asyncio.wait_for(evaluating, most_s)
    except TimeoutError:
        _log.warning("evaluating %d readings took longer than %g s", len(tried), most_s)
        return ()
    except TablewrightError as error:
        _log.warning("readings could not be evaluated: %s", error)
        return ()


def _judged(
    tried: Sequence[GrammarReading],
    evaluated: Sequence[Evaluated],
    datasets: Sequence[DatasetFacts],
    grammar: Grammar,
) -> list[Judged]:
    """Return the readings that could be evaluated."""
    judged: list[Judged] = []
    for place, (reading, result) in enumerate(zip(tried, evaluated, strict=False)):
        if result.failure is not None:
            continue
        executed = grammar.executed_features(reading, result.tables, datasets)
        features = {**reading.features, **executed, SCORE: grammar.rescored(reading, executed)}
        judged.append(Judged(features=features, key=key_of(result, features), place=place))
    return judged


def _plainest(group: Group, tried: Sequence[GrammarReading]) -> int:
    """Return the place of the best reading of a group, or of the one that says the same of fewer tables: the result is
    the same, so that a join would only be in the way."""
    said = tried[group.best.place].said
    same = [each.place for each in group.members if tried[each.place].said == said]
    return min(same, key=lambda place: len(sources(tried[place].plan)))


def _offers(
    groups: Sequence[Group],
    tried: Sequence[GrammarReading],
    evaluated: Sequence[Evaluated],
    language: Language,
    datasets: Sequence[DatasetFacts],
) -> tuple[OfferedPlan, ...]:
    """Return the best reading of each of the best groups; where two have one name, only the first."""
    offers: dict[str, OfferedPlan] = {}
    for group in groups[:OFFERED]:
        place = _plainest(group, tried)
        reading, result = tried[place], evaluated[place]
        name = name_of(reading, result, language, datasets)
        offer = OfferedPlan(
            plan=_shown(reading, datasets),
            text=name.text,
            option=name.option,
            result=result.tables[-1] if result.tables else None,
            charts=result.charts,
        )
        offers.setdefault(name.option.casefold(), offer)
    return tuple(offers.values())
