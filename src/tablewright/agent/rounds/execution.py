"""Executes a confirmed plan on the workbook of a run, reporting it as steps."""

from __future__ import annotations

from tablewright.agent.base import AgentContext, RunWorkbook
from tablewright.agent.emission import Emit
from tablewright.agent.rounds.batch_progress import BatchProgress
from tablewright.agent.rounds.phrases import notice_text, step_name
from tablewright.domain.events import (
    OutputError,
    OutputTable,
    OutputText,
    RoundExecuted,
    StepAnnounced,
    StepFinished,
    StepStatus,
    WarningRaised,
    WorkbookCommitted,
)
from tablewright.domain.language import Language
from tablewright.domain.notice import Notice
from tablewright.domain.rounds.plan import OperationPlan
from tablewright.domain.rounds.round import Round, StepResult


def warn(emit: Emit, notice: Notice) -> None:
    """Emit a notice as a warning of the run."""
    emit(WarningRaised(code=notice.code, params=dict(notice.params)))


async def execute(
    run_workbook: RunWorkbook,
    context: AgentContext,
    emit: Emit,
    plan: OperationPlan,
    *,
    plan_id: str,
    language: Language,
) -> Round:
    """Execute `plan` and emit its events. Raises `WorkbookChanged` if nothing was done, and what the workbook raises.

    Each step starts when its turn comes, but all finish together: no step is certain to stay before the batch is done.
    """
    ids = [context.ids.new() for _ in plan.steps]
    for step, step_id in zip(plan.steps, ids, strict=True):
        emit(StepAnnounced(name=step_name(step, language), step_id=step_id))
    watching = BatchProgress(emit, context.clock, language, ids)
    try:
        executed = await run_workbook.execute(plan, plan_id=plan_id, watch=watching)
    except BaseException:
        for step_id in ids:
            emit(StepFinished(step_id=step_id, status="interrupted", elapsed_s=0.0))
        raise
    watching.start_rest()
    for result, step_id in zip(executed.steps, ids, strict=False):
        _tell(emit, result, step_id, language)
        emit(StepFinished(step_id=step_id, status=_status(result), elapsed_s=result.elapsed_s))
    for notice in executed.warnings:
        warn(emit, notice)
    if executed.version is not None:
        emit(WorkbookCommitted(workbook_id=executed.workbook_id, version=executed.version, request_id=executed.id))
    emit(RoundExecuted(round=executed))
    return executed


def _status(result: StepResult) -> StepStatus:
    return "ok" if result.status == "completed" else "error"


def _tell(emit: Emit, result: StepResult, step_id: str, language: Language) -> None:
    for notice in result.notes:
        emit(OutputText(text=f"{notice_text(notice, language)}\n", step_id=step_id))
    if result.result is not None:
        emit(OutputTable(table=result.result, role="shown", step_id=step_id))
    if result.error is not None:
        message = notice_text(result.error, language)
        emit(OutputError(name=result.error.code, message=message, traceback="", step_id=step_id))
