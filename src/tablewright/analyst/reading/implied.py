"""Columns that a question takes for granted though the table only implies them: profit, of revenue and cost."""

from __future__ import annotations

from tablewright.analyst.lexicon import concepts
from tablewright.analyst.linking.columns import column_names, hinted
from tablewright.analyst.linking.tokens import Token
from tablewright.analyst.plan import Col, Math, Named
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.texts.catalogue import text

_NUMBERS = frozenset({"number", "integer"})


def implied_column(tokens: tuple[Token, ...], facts: DatasetFacts, language: Language) -> Named | None:
    """Return the profit of each row where the question speaks of profit and the table has revenue and cost alone."""
    if not _said(tokens, "profit"):
        return None
    names = column_names(facts.columns)
    numeric = {column.name for column in facts.columns if column.kind in _NUMBERS}
    if hinted("profit", names) or hinted("profit_rate", names):
        return None
    revenue = [name for name in hinted("revenue", names) if name in numeric]
    cost = [name for name in hinted("cost", names) if name in numeric]
    if len(revenue) != 1 or len(cost) != 1 or revenue == cost:
        return None
    return Named(
        name=text("words.profit", language), of=Math(op="-", left=Col(name=revenue[0]), right=Col(name=cost[0]))
    )


def _said(tokens: tuple[Token, ...], concept: str) -> bool:
    phrases = concepts()[concept]
    lemmas = tuple(token.lemma for token in tokens)
    return any(lemmas[start : start + len(phrase)] == phrase for phrase in phrases for start in range(len(lemmas)))
