"""Executes plans on tables held in memory, as the code that `writing` writes for them would."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tablewright.analyst.evaluating.base import Evaluated
from tablewright.analyst.evaluating.engine import Engine, Execution
from tablewright.analyst.evaluating.grids import Grid
from tablewright.analyst.evaluating.output import chart_of, table_of
from tablewright.analyst.evaluating.stored import StoredTable
from tablewright.analyst.evaluating.vectors import Stopped
from tablewright.analyst.plan import Part, Plan
from tablewright.analyst.plan_walk import sources
from tablewright.analyst.writing.cleaning import use_of
from tablewright.domain.chart import Chart
from tablewright.domain.cleaning import clean_facts
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.domain.table import Table

MOST_ROWS = 200
_WRONG_TYPES = (TypeError, AttributeError, ValueError, ArithmeticError, LookupError)
"""What Python raises where cells are not of the type that an operation needs."""

__all__ = ["MOST_ROWS", "MemoryPlanEvaluator", "StoredTable", "evaluate", "evaluate_all"]


def evaluate(
    plan: Plan,
    tables: Mapping[str, StoredTable],
    facts: Sequence[DatasetFacts],
    *,
    most_rows: int = MOST_ROWS,
    language: Language = "en",
    deadline: float | None = None,
) -> Evaluated:
    """Execute `plan` on `tables`, by the ids of the data sets in `facts`. `deadline` is by `time.monotonic`."""
    return evaluate_all((plan,), tables, facts, most_rows=most_rows, language=language, deadline=deadline)[0]


def evaluate_all(
    plans: Sequence[Plan],
    tables: Mapping[str, StoredTable],
    facts: Sequence[DatasetFacts],
    *,
    most_rows: int = MOST_ROWS,
    language: Language = "en",
    deadline: float | None = None,
) -> tuple[Evaluated, ...]:
    """Execute each of `plans`, in order; what several of them have in common is computed once."""
    clean = {dataset.id: clean_facts(dataset) for dataset in facts}
    engine = Engine(tables, clean, language=language, deadline=deadline)
    return tuple(_evaluated(plan, engine, clean, most_rows) for plan in plans)


class MemoryPlanEvaluator:
    """A `PlanEvaluator` over tables that are held, by the ids of their data sets."""

    def __init__(self, tables: Mapping[str, StoredTable], *, most_rows: int = MOST_ROWS) -> None:
        self._tables = tables
        self._most_rows = most_rows

    async def evaluate(
        self, plans: Sequence[Plan], datasets: Sequence[DatasetFacts], *, language: Language = "en"
    ) -> tuple[Evaluated, ...]:
        return evaluate_all(plans, self._tables, datasets, most_rows=self._most_rows, language=language)


def _evaluated(plan: Plan, engine: Engine, facts: Mapping[str, DatasetFacts], most_rows: int) -> Evaluated:
    try:
        used = sources(plan)
        execution = engine.within(use_of(plan, [facts[one] for one in used if one in facts]), used)
        parts = [_part(part, execution, most_rows) for part in plan.parts]
    except Stopped as stopped:
        return Evaluated(failure=stopped.code)
    except (MemoryError, RecursionError):
        return Evaluated(failure="too_large")
    except _WRONG_TYPES:
        return Evaluated(failure="type")
    return Evaluated(
        tables=tuple(table for table, _ in parts), charts=tuple(chart for _, chart in parts if chart is not None)
    )


def _part(part: Part, execution: Execution, most_rows: int) -> tuple[Table, Chart | None]:
    grid = execution.grid(part.relation)
    table = table_of(grid, part.decimals, most_rows)
    if part.drawing is None:
        return table, None
    return table, chart_of(part.drawing, _drawn(part, grid, execution), part.decimals)


def _drawn(part: Part, grid: Grid, execution: Execution) -> Grid:
    """Return the table that has the chart's columns: the one shown if only that does, else the result."""
    drawing = part.drawing
    if drawing is None or part.shown is None or {drawing.x, drawing.y} <= {*grid.names}:
        return grid
    shown = execution.grid(part.shown)
    return shown if {drawing.x, drawing.y} <= {*shown.names} else grid
