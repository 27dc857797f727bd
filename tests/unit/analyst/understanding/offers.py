"""Readings of a question about the small table, and what they give."""

from __future__ import annotations

from tests.unit.analyst.facts import S

from tablewright.analyst.evaluating.base import Evaluated
from tablewright.analyst.grammar.base import GrammarReading
from tablewright.analyst.plan import (
    Aggregate,
    Col,
    Compare,
    Filter,
    Join,
    Lit,
    Measure,
    Part,
    Plan,
    Relation,
    Source,
)
from tablewright.analyst.understanding.memory import ScriptedEvaluator, ScriptedGrammar
from tablewright.domain.table import Cell, Table

QUESTION = "glimmer by zorble"
"""Words that only the grammar reads."""


JOINED = Join(left=S, right=Source(dataset_id="s2"), on=(("city", "city"),))
"""The rows of the table with those of another one."""


def counting(region: str, confidence: float = 1.0, *, source: Relation = S) -> Plan:
    """Return the plan that counts the rows of a region."""
    source = Filter(source=source, where=Compare(op="=", left=Col(name="region"), right=Lit(value=region)))
    count = Measure(name="rows", function="count")
    return Plan(parts=(Part(relation=Aggregate(source=source, groups=(), measures=(count,))),), confidence=confidence)


def reading(region: str, score: float, left: float = 0.0) -> GrammarReading:
    """Return a reading that counts the rows of a region and leaves so many words out."""
    features = {"left:word": left} if left else {}
    return GrammarReading(plan=counting(region), said=f"orders in {region}", features=features, score=score)


def gives(value: Cell) -> Evaluated:
    """Return a result of one cell."""
    return Evaluated(tables=(Table(columns=("rows",), rows=((value,),), total_rows=1),))


def grammar(*readings: GrammarReading, question: str = QUESTION) -> ScriptedGrammar:
    """Return a grammar that reads the question so."""
    return ScriptedGrammar(known={question: readings})


def evaluator(**values: Cell) -> ScriptedEvaluator:
    """Return an evaluator that knows how many rows regions have."""
    return ScriptedEvaluator(known=[(counting(region), gives(value)) for region, value in values.items()])
