"""The port to the execution of plans: what each of several readings of a question would show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tablewright.analyst.plan import Plan
from tablewright.domain.chart import Chart
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.domain.table import Table

EXCERPT = "excerpt"
"""Why a plan about a table of which only a part is held gives nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated:
    """What a plan gives.

    `tables` are the relations of its parts, with the columns as the plan names them, rounded as the part says, and at
    most as many rows as asked for (`total_rows` is true). `charts` are those of the parts that draw one, in order.
    `failure` is why there is nothing: `unsupported:<what>` for what is not executed here, `type` where the plan's code
    would fail, `unknown:<dataset>`, `unreadable:<code>`, `excerpt` for a table of which only a part is held,
    `too_large`, or `time`.
    """

    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()
    failure: str | None = None


class PlanEvaluator(Protocol):
    """Executes plans; the same as the written code would give."""

    async def evaluate(
        self, plans: Sequence[Plan], datasets: Sequence[DatasetFacts], *, language: Language = "en"
    ) -> tuple[Evaluated, ...]:
        """Return what each of `plans` gives, in order. One that fails says why; never raises.

        `language` names weekdays."""
        ...
