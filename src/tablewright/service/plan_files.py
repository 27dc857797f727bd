"""Saved plans: made of steps that were executed, fitted to other workbooks, executed there without planning anew."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.domain.ids import Ids
from tablewright.domain.notice import Notice
from tablewright.domain.outline import WorkbookOutline
from tablewright.domain.plan_file import FittedPlan, PlanFile
from tablewright.domain.rounds import OperationPlan, PlanStep, Round
from tablewright.domain.scope import Scope
from tablewright.errors import InvalidInput, WorkbookChanged, WorkbookDiffers
from tablewright.service.desk import Desks
from tablewright.service.workbooks import Workbooks
from tablewright.workbook.fitting import fitted
from tablewright.workbook.shapes import differences, homed, plan_file, shape_of

WHOLE = 1_000_000
"""Tokens of an outline from which nothing is left out."""
MOST_STEPS = 100


class PlanFiles:
    """The use cases of a saved plan; another owner's workbook is `NotFound`."""

    def __init__(self, workbooks: Workbooks, desks: Desks, ids: Ids) -> None:
        self._workbooks = workbooks
        self._desks = desks
        self._ids = ids

    async def make(
        self, scope: Scope, workbook_id: str, steps: Sequence[PlanStep], *, version: int, request: str = ""
    ) -> PlanFile:
        """Return `steps` with the shape that the workbook had at `version`; `InvalidInput`, `NotFound`."""
        _check(steps)
        outline = await self._workbooks.outline(scope, workbook_id, tokens=WHOLE, version=version)
        return plan_file(steps, outline, request=request)

    async def fit(self, scope: Scope, workbook_id: str, plan: PlanFile) -> FittedPlan:
        """Return what the plan would do to the workbook as it stands, or what keeps it from it."""
        _check(plan.steps)
        head = (await self._workbooks.version(scope, workbook_id)).number
        outline = await self._workbooks.outline(scope, workbook_id, tokens=WHOLE)
        plan = homed(plan, outline)
        if found := differences(plan.sheets, outline):
            return FittedPlan(steps=plan.steps, base_version=head, differences=found)
        steps, lacking = _fitted(plan, outline)
        desk = self._desks.at(scope, workbook_id, run_id=self._ids.new())
        judged = await desk.check(steps)
        problems = tuple((*rows, *other) for rows, other in zip(lacking, judged, strict=True))
        return FittedPlan(steps=steps, base_version=head, problems=problems, losses=await desk.losses())

    async def apply(self, scope: Scope, workbook_id: str, plan: PlanFile, *, base_version: int) -> Round:
        """Execute the plan on the workbook at `base_version` as one round and one version.

        `WorkbookDiffers` names what differs in shape or lacks rows, `WorkbookChanged` that it is at another version."""
        _check(plan.steps)
        head = (await self._workbooks.version(scope, workbook_id)).number
        if head != base_version:
            raise WorkbookChanged(version=head, base=base_version)
        outline = await self._workbooks.outline(scope, workbook_id, tokens=WHOLE)
        plan = homed(plan, outline)
        found = differences(plan.sheets, outline)
        steps, lacking = ((), ()) if found else _fitted(plan, outline)
        for notice in (*found, *(rows for step in lacking for rows in step)):
            raise WorkbookDiffers(notice.code, field="plan", **notice.params)
        plan_id = self._ids.new()
        desk = self._desks.at(scope, workbook_id, run_id=plan_id, summary=plan.request)
        return await desk.execute(OperationPlan(steps=steps, base_version=base_version), plan_id=plan_id)


def _fitted(plan: PlanFile, outline: WorkbookOutline) -> tuple[tuple[PlanStep, ...], tuple[tuple[Notice, ...], ...]]:
    return fitted(plan, [shape_of(sheet) for sheet in outline.sheets])


def _check(steps: Sequence[PlanStep]) -> None:
    if not 0 < len(steps) <= MOST_STEPS:
        raise InvalidInput("plan_steps_count", field="steps", most=MOST_STEPS)
