"""What a plan would change: its steps executed on a copy of the workbook, which is thrown away."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tablewright.domain.cells import SheetChanges
from tablewright.domain.rounds.plan import PlanStep
from tablewright.domain.rounds.preview import PlanPreview, StepPreview
from tablewright.domain.rounds.round import StepResult
from tablewright.domain.scope import Scope
from tablewright.errors import InvalidInput
from tablewright.sandbox.base import LeaseScope
from tablewright.service.workbooks.batch import BatchExecution, BatchOutcome
from tablewright.service.workbooks.round_changes import CELLS_SHOWN, CHARS_SHOWN, changed_of, shortened
from tablewright.service.workbooks.run_workbook import RunWorkbooks
from tablewright.workbook.base import StepOutcome

LEASE = "preview"
MOST_STEPS = 100


class PlanPreviews:
    """Executes plans as a run would, and keeps nothing of it: no version, no round."""

    def __init__(self, parts: RunWorkbooks) -> None:
        self._parts = parts

    async def preview(
        self, scope: Scope, workbook_id: str, steps: Sequence[PlanStep], *, cells: int = CELLS_SHOWN
    ) -> PlanPreview:
        """Return what `steps` would change of the workbook as it is, with at most `cells` cells listed per step.

        A step that would fail has its error at its place. Raises `NotFound`, `InvalidInput` without steps, and what
        opening the file raises.
        """
        if not 0 < len(steps) <= MOST_STEPS:
            raise InvalidInput("plan_steps_count", field="steps", most=MOST_STEPS)
        parts = self._parts
        state = await parts.states.state(scope, workbook_id)
        with tempfile.TemporaryDirectory(prefix="tablewright-") as folder:
            execution = BatchExecution(parts.editor, parts.code, Path(folder), parts.clock)
            lease = LeaseScope(run_id=parts.ids.new(), scope=LEASE)
            path = await parts.states.path(scope, state)
            executed = await execution.run(steps, path, state.head.name, lease)
        return PlanPreview(
            base_version=state.head.number,
            steps=_steps(executed, cells),
            rolled_back=executed.rolled_back,
            warnings=executed.warnings,
        )


def _steps(executed: BatchOutcome, cells: int) -> tuple[StepPreview, ...]:
    moved: set[str] = set()
    found: list[StepPreview] = []
    for place, result in enumerate(executed.steps):
        outcome = executed.outcomes.get(place, StepOutcome(status="failed"))
        step = _step(result, outcome, cells, CHARS_SHOWN // len(executed.steps))
        found.append(replace(step, in_place=not any(sheet.sheet in moved for sheet in step.changes)))
        moved |= {change.sheet for change in step.shape}
    return tuple(found)


def _step(result: StepResult, outcome: StepOutcome, cells: int, chars: int) -> StepPreview:
    step = StepPreview(
        step=result.step.step, function=result.step.function, status=result.status, error=result.error
    )  # fmt: skip
    if result.status == "failed":
        return step
    return replace(
        step,
        cells_changed=outcome.cells_changed,
        changes=shortened(_first(outcome.changes, cells), chars),
        shape=outcome.shape,
        notes=result.notes,
    )


def _first(changes: Sequence[SheetChanges], most: int) -> tuple[SheetChanges, ...]:
    """Keep the first cells, at most `most` over all sheets."""
    kept: list[SheetChanges] = []
    for sheet in changes:
        cut = sheet.cells[:most]
        most -= len(cut)
        more = sheet.truncated or len(cut) < len(sheet.cells)
        kept.append(replace(sheet, cells=cut, truncated=more, changed=changed_of(sheet)))
    return tuple(kept)
