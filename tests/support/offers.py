"""A built-in analyst that is not sure which region is meant, and a sandbox that knows how many rows each has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tablewright.analyst.evaluating.base import Evaluated
from tablewright.analyst.grammar.base import GrammarReading
from tablewright.analyst.model import BuiltinAnalyst
from tablewright.analyst.plan import Aggregate, Col, Compare, Filter, Lit, Measure, Part, Plan, Source
from tablewright.analyst.understanding.memory import PLAIN_TRUST, ScriptedGrammar
from tablewright.data.base import ValueLookup
from tablewright.domain.dataset import DatasetFacts, DistinctValues
from tablewright.domain.language import Language
from tablewright.domain.table import Table
from tablewright.domain.table_facts import TableRelation
from tablewright.domain.task import TurnFacts
from tablewright.sandbox.base import Output, TableOutput
from tablewright.sandbox.memory import MemorySandbox

ROWS = {"East": 1204, "West": 1187}
QUESTION = "glimmer of zorble"
"""May mean either region."""
OTHER_WORDS = "glimmer of zorble out West"
"""Plainly means one."""
OPTIONS = ("orders in East: 1204", "orders in West: 1187")


@dataclass(slots=True)
class RegionGrammar(ScriptedGrammar):
    """Reads the two questions on the first table there is."""

    known: dict[str, Sequence[GrammarReading]] = field(default_factory=dict[str, Sequence[GrammarReading]])

    async def readings(
        self,
        question: str,
        language: Language,
        datasets: Sequence[DatasetFacts],
        values: ValueLookup,
        history: Sequence[TurnFacts] = (),
        relations: Sequence[TableRelation] = (),
        *,
        most: int = 50,
    ) -> tuple[GrammarReading, ...]:
        """Return a reading for each region; words beyond the question prefer the last."""
        self.asked.append(question)
        scores = {QUESTION: (2.1, 2.0), OTHER_WORDS: (0.0, 9.0)}.get(question, ())
        return tuple(
            GrammarReading(
                plan=counting(region, datasets[0].id),
                said=f"orders in {region}",
                features={},
                score=score,
            )
            for region, score in sorted(zip(ROWS, scores, strict=False), key=lambda one: -one[1])
        )


class RegionEvaluator:
    """Implements `PlanEvaluator`."""

    async def evaluate(
        self, plans: Sequence[Plan], datasets: Sequence[DatasetFacts], *, language: Language = "en"
    ) -> tuple[Evaluated, ...]:
        """Return the number of rows of the region that a plan names."""
        return tuple(Evaluated(tables=(rows_of(str(plan)),)) for plan in plans)


class NoValues:
    """Implements `ValueLookup` without any value."""

    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        """Return nothing."""
        return None


def counting(region: str, dataset_id: str) -> Plan:
    """Return the plan that counts the rows of a region."""
    where = Compare(op="=", left=Col(name="line"), right=Lit(value=region))
    count = Measure(name="orders", function="count")
    counted = Aggregate(source=Filter(source=Source(dataset_id=dataset_id), where=where), groups=(), measures=(count,))
    return Plan(parts=(Part(relation=counted),))


def rows_of(words: str) -> Table:
    """Return the number of rows of the region that stands in a plan or in code."""
    return Table(columns=("orders",), rows=((next(ROWS[region] for region in ROWS if region in words),),), total_rows=1)


def unsure_analyst() -> BuiltinAnalyst:
    """Return the analyst."""
    return BuiltinAnalyst(NoValues(), grammar=RegionGrammar(), evaluator=RegionEvaluator(), trust=PLAIN_TRUST)


async def regions_sandbox() -> MemorySandbox:
    """Start a sandbox in which code gives the rows of the region that it names."""

    named: list[str] = []

    def outputs(code: str) -> Sequence[Output]:
        named.extend(region for region in ROWS if region.lower() in code.lower())
        return [TableOutput(table=rows_of(named[-1]), role="result")] if named and "result" in code else []

    sandbox = MemorySandbox(outputs)
    await sandbox.start()
    return sandbox
