"""Rounds: executed batches of a plan, and the outcome of each step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from tablewright.domain.cells import SheetChanges
from tablewright.domain.notice import Notice
from tablewright.domain.rounds.plan import DataScope, PlanStep
from tablewright.domain.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """The outcome of a step.

    A failed step left the workbook as it was before. `result` is what a step read; `elapsed_s` is its own time, without
    work done once for the whole batch.
    """

    step: PlanStep
    status: Literal["completed", "failed"]
    error: Notice | None = None
    wrote: bool = False
    cells_changed: int = 0
    result: Table | None = None
    notes: tuple[Notice, ...] = ()
    elapsed_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """An executed round.

    Its `id` is the request id by which it can be undone; `plan_id` undoes all rounds of that plan. `version` is None if
    nothing was written; `rolled_back` means that new formula errors undid the whole batch. `undone` means that its
    version has been taken back since; this is not stored but derived when the rounds of the workbook are read.
    """

    id: str
    workbook_id: str
    run_id: str
    plan_id: str
    number: int
    steps: tuple[StepResult, ...]
    created_at: datetime
    version: int | None = None
    rolled_back: bool = False
    data_scope: DataScope = "analysis"
    changes: tuple[SheetChanges, ...] = ()
    warnings: tuple[Notice, ...] = ()
    undone: bool = False

    @property
    def failed(self) -> tuple[StepResult, ...]:
        """The failed steps."""
        return tuple(result for result in self.steps if result.status == "failed")


def scope_of(functions: Sequence[str], *, effects: Sequence[str], wrote: bool) -> DataScope:
    """Return what a face has to refresh after a batch of `functions` with `effects` (those of known functions)."""
    if any("chart" in function for function in functions) or "chart" in effects:
        return "chart"
    if wrote or any(word in function for function in functions for word in ("set", "insert", "delete")):
        return "data_modification"
    return "analysis"
