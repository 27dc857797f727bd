"""Plans that are saved and applied to other workbooks, and what a plan would change before it is agreed to."""

from __future__ import annotations

from fastapi import APIRouter

from tablewright.api.dependencies import Caller, Parts
from tablewright.api.documents import faults
from tablewright.api.schemas.plan_files import PlanToApply, PlanToFit, PlanToPreview, PlanToSave
from tablewright.domain.plan_file import FittedPlan, PlanFile
from tablewright.domain.rounds.preview import PlanPreview
from tablewright.domain.rounds.round import Round

router = APIRouter(prefix="/workbooks", tags=["workbooks"])


@router.post("/{workbook_id}/plan-file", responses=faults(404, 415, 422, 503))
async def make(parts: Parts, caller: Caller, workbook_id: str, wanted: PlanToSave) -> PlanFile:
    """Return steps as a plan that can be applied to other workbooks: with the shape that this one had at `version`."""
    return await parts.plan_files.make(
        caller, workbook_id, wanted.steps, version=wanted.version, request=wanted.request
    )


@router.post("/{workbook_id}/fit", responses=faults(404, 415, 422, 503))
async def fit(parts: Parts, caller: Caller, workbook_id: str, wanted: PlanToFit) -> FittedPlan:
    """Return what a saved plan would do to this workbook, or in `differences` what keeps it from it. Nothing is
    changed."""
    return await parts.plan_files.fit(caller, workbook_id, wanted.plan)


@router.post("/{workbook_id}/apply", responses=faults(404, 409, 415, 422, 503, 507))
async def apply(parts: Parts, caller: Caller, workbook_id: str, wanted: PlanToApply) -> Round:
    """Execute a saved plan on the workbook at `base_version`, as one round and one version. Nobody is asked: who calls
    this has agreed."""
    return await parts.plan_files.apply(caller, workbook_id, wanted.plan, base_version=wanted.base_version)


@router.post("/{workbook_id}/preview", responses=faults(404, 415, 422, 503))
async def preview(parts: Parts, caller: Caller, workbook_id: str, wanted: PlanToPreview) -> PlanPreview:
    """Return the cells that each step of a plan would change, found out on a copy. Nothing is changed, and a plan that
    waits to be confirmed goes on waiting. A step that would fail has its error at its place."""
    return await parts.plan_previews().preview(caller, workbook_id, wanted.steps, cells=wanted.cells)
