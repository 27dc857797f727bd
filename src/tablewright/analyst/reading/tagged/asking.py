"""Reads a question that prescribes the form of its answer (`@name[value]`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tablewright.analyst.base import NotUnderstood, Reading, Understood
from tablewright.analyst.linking.linker import LinkedTable, link
from tablewright.analyst.linking.mentions import ValueMention, choose
from tablewright.analyst.linking.tokens import Token, tokenize
from tablewright.analyst.reading.conditions import read_conditions
from tablewright.analyst.reading.parse import Parse
from tablewright.analyst.reading.tagged.form import answer_form
from tablewright.analyst.reading.tagged.reader import tagged_plan, with_made_columns
from tablewright.analyst.suggesting import suggestions
from tablewright.data.base import ValueLookup
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language

CATEGORIES = 200
"""A text column with at most this many distinct values is a column of categories."""
_SURE = 0.8


async def read_tagged(
    question: str, language: Language, datasets: Sequence[DatasetFacts], values: ValueLookup
) -> Reading | None:
    """Return the plan of a question with a form, or that it was not understood; None if it prescribes none. Only the
    first table is considered."""
    form = answer_form(question)
    if form is None:
        return None
    tokens = tokenize(form.question)
    for facts in datasets[:1]:
        table = _surely(await link(form.question, tokens, with_made_columns(form, facts), values, ()), tokens)
        parse = Parse(
            question=form.question, language=language, tokens=tokens, table=table, mentions=list(table.mentions)
        )
        read_conditions(parse)
        plan = tagged_plan(form, parse, table, None, await _few_values(facts, values))
        if plan is not None:
            return Understood(plan=plan)
    hints = suggestions(language, datasets)
    return NotUnderstood(
        understood=(), reason="reading.no_family", params={"columns": _columns(datasets)}, suggestions=hints
    )


def _columns(datasets: Sequence[DatasetFacts]) -> str:
    return ", ".join(column.name for facts in datasets[:1] for column in facts.columns[:8])


async def _few_values(facts: DatasetFacts, values: ValueLookup) -> dict[str, tuple[str, ...]]:
    """Return the known cells of the columns of categories, by column name."""
    found: dict[str, tuple[str, ...]] = {}
    for column in facts.columns:
        if column.kind in {"text", "boolean"} and (column.distinct or CATEGORIES + 1) <= CATEGORIES:
            known = await values.values(facts.profile_ref, column.name)
            found[column.name] = known.values if known is not None else tuple(str(text) for text in column.samples)
    return found


def _surely(table: LinkedTable, tokens: tuple[Token, ...]) -> LinkedTable:
    """Drop partial matches of cells: long instructions and long cells share words by chance."""
    sure = [
        mention
        for mention in table.candidates
        if not isinstance(mention, ValueMention) or mention.how == "exact" or mention.score >= _SURE
    ]
    return replace(table, mentions=tuple(choose(sure, tokens)))
