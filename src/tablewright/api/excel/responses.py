"""Converts the outcome of a stretch of a run to a response."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tablewright.agent.rounds.findings import findings
from tablewright.api.excel.outcome import Stretch
from tablewright.api.schemas.excel import (
    CellOut,
    ChangesOut,
    ExcelResponse,
    ExcelStepOut,
    ExecutedBatch,
    ExecutedStep,
    MultiRoundResult,
    ResultOut,
)
from tablewright.domain.answer_note import note_of
from tablewright.domain.cells import SheetChanges
from tablewright.domain.events import ContinueAsked, PlanProposed, QuestionAsked
from tablewright.domain.language import Language
from tablewright.domain.notice import Notice
from tablewright.domain.offer import numbered
from tablewright.domain.rounds.plan import DataScope, OperationPlan
from tablewright.domain.rounds.round import Round, StepResult
from tablewright.domain.rounds.rules import failed_steps
from tablewright.domain.run import RunFailure
from tablewright.errors import ModelError
from tablewright.texts.catalogue import text
from tablewright.texts.errors import error_text

CELLS_TOLD = 500
"""The number of changed cells listed in a response, over all sheets."""
MODEL_CODES = frozenset(kind.code for kind in ModelError.__subclasses__())


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a response needs besides the outcome.

    `previous_rounds` is the number the server knows of, or else the client's; `request_id` is used for responses that
    are neither a plan, a question nor a round.
    """

    language: Language
    channel_id: str
    request_id: str
    continuation: bool
    previous_rounds: int = 0
    workbook_id: str | None = None
    version: int | None = None
    warnings: tuple[str, ...] = ()


def response_to(stretch: Stretch, about: About) -> ExcelResponse:
    """Return the response for the outcome of a request."""
    if stretch.executed is not None:
        return _executed(stretch, stretch.executed, about)
    if stretch.plan is not None:
        return _planned(stretch, stretch.plan, about)
    if isinstance(stretch.asked, QuestionAsked):
        return _asked(stretch, stretch.asked, about)
    if isinstance(stretch.asked, ContinueAsked):
        result = _result(completed=False, continue_needed=True)
        return _response(about, result, message=stretch.asked.prompt, request_id=stretch.asked.request_id,
                         warnings=_warned(stretch, about))  # fmt: skip
    return _concluded(stretch, about)


def refused(error: str, about: About) -> ExcelResponse:
    """Return the response for a request that was refused, with the reason."""
    return _response(about, _result(completed=False), success=False, error=error)


def rounds_over(limit: int, about: About) -> ExcelResponse:
    """Return the response for a request beyond the limit of rounds."""
    return refused(text("rounds.max_rounds", about.language, count=limit), about)


def said(notice: Notice, language: Language) -> str:
    """Return a notice as text."""
    return error_text(notice.code, language, notice.params)


def _asked(stretch: Stretch, asked: QuestionAsked, about: About) -> ExcelResponse:
    """Return the response for a question.

    In a first round, where only a plan counts, it has an empty plan and contains the question, which can still be
    answered under its id.
    """
    first = not about.continuation
    return _response(
        about,
        _result(completed=first),
        message=numbered(asked.prompt, asked.options),
        need_info=None if first else True,
        execution_plan=list[ExcelStepOut]() if first else None,
        request_id=asked.request_id,
        warnings=_warned(stretch, about),
    )


def _planned(stretch: Stretch, plan: PlanProposed, about: About) -> ExcelResponse:
    return _response(
        about,
        _result(completed=False, continue_needed=True, data_scope=plan.plan.data_scope),
        message=_message(stretch, about.language),
        request_id=plan.request_id,
        execution_plan=_steps(plan.plan, about.language),
        warnings=_warned(stretch, about),
    )


def _steps(plan: OperationPlan, language: Language) -> list[ExcelStepOut]:
    problems = [*plan.problems, *[()] * len(plan.steps)]
    return [
        ExcelStepOut(
            step=step.step,
            function=step.function,
            parameters=dict(step.parameters),
            description=step.description,
            **_present(problems=[said(notice, language) for notice in wrong]),
        )
        for step, wrong in zip(plan.steps, problems, strict=False)
    ]


def _executed(stretch: Stretch, executed: Round, about: About) -> ExcelResponse:
    language, failed = about.language, len(failed_steps(executed))
    error = _why_not(stretch, failed, language)
    hopeless = failed > 0 and failed * 2 >= len(executed.steps)
    lost = error is not None and (hopeless or stretch.finished is not None)
    more = stretch.asked is not None and not hopeless
    result = _result(
        completed=error is None and not more,
        continue_needed=more,
        requires_updated_data=not executed.rolled_back and any(step.wrote for step in executed.steps),
        data_scope=executed.data_scope,
        error=error,
        executed_batches=_batches(executed, language),
    )
    return _response(
        about,
        result,
        success=not lost,
        error=error if lost else None,
        message=_message(stretch, language),
        request_id=executed.id,
        rounds=executed.number,
        execution_plan=None if stretch.plan is None else _steps(stretch.plan.plan, language),
        changes=_changes(executed.changes) or None,
        warnings=[*_warned(stretch, about), *(said(notice, language) for notice in executed.warnings)],
    )


def _why_not(stretch: Stretch, failed: int, language: Language) -> str | None:
    if failed:
        return text("rounds.failed", language, count=failed)
    if stretch.finished is not None and stretch.finished.outcome != "completed":
        return _ended(stretch, language)
    return None


def _concluded(stretch: Stretch, about: About) -> ExcelResponse:
    """Return the response when nothing was executed or asked: conversation, nothing to do, or a failure."""
    outcome = stretch.finished.outcome if stretch.finished is not None else "completed"
    talked = outcome == "declined" and stretch.intent == "conversation"
    if outcome != "completed" and not talked:
        return _response(about, _result(completed=False), success=False, error=_ended(stretch, about.language),
                         message=_message(stretch, about.language), warnings=_warned(stretch, about))  # fmt: skip
    planless = None if stretch.intent == "conversation" or about.continuation else list[ExcelStepOut]()
    return _response(about, _result(completed=True), message=_message(stretch, about.language), execution_plan=planless,
                     warnings=_warned(stretch, about))  # fmt: skip


def _ended(stretch: Stretch, language: Language) -> str:
    """Return why the run ended without what was asked for."""
    finished = stretch.finished
    if finished is not None and finished.stopped_by == "max_rounds" and stretch.answer is not None:
        return stretch.answer.text.partition("\n")[0]  # the following lines list what was done before
    if finished is not None and finished.failure is not None:
        return _failure(finished.failure, language)
    if stretch.answer is not None and stretch.answer.text:
        return stretch.answer.text
    return text("excel_stopped", language)


def _failure(failure: RunFailure, language: Language) -> str:
    words = error_text(failure.code, language, failure.params)
    return f"{text('excel_service_failed', language)}: {words}" if failure.code in MODEL_CODES else words


def _message(stretch: Stretch, language: Language) -> str | None:
    if stretch.answer is not None:
        return stretch.answer.text or None
    if stretch.asked is None:
        return None
    found = () if stretch.executed is None else findings(stretch.executed.steps, language)
    return "\n".join((*found, stretch.asked.prompt))


def _warned(stretch: Stretch, about: About) -> list[str]:
    told = [error_text(warning.code, about.language, warning.params) for warning in stretch.warnings]
    note = "" if stretch.answer is None else note_of(stretch.answer, about.language)
    return [*told, note] if note else told


def _batches(executed: Round, language: Language) -> list[ExecutedBatch]:
    failed = failed_steps(executed)
    if len(failed) == len(executed.steps):
        return []
    steps = [_step(step, language, undone=executed.rolled_back and step in failed) for step in executed.steps]
    return [ExecutedBatch(batch_id=executed.number, steps=steps)]


def _step(result: StepResult, language: Language, *, undone: bool) -> ExecutedStep:
    found = result.result
    table = None if found is None else ResultOut(
        columns=list(found.columns), rows=[list(row) for row in found.rows], total_rows=found.total_rows
    )  # fmt: skip
    why = text("excel_rolled_back", language) if undone else None
    return ExecutedStep(
        description=result.step.description,
        function=result.step.function,
        parameters=dict(result.step.parameters),
        status="failed" if undone else result.status,
        **_present(error=said(result.error, language) if result.error is not None else why, result=table),
    )


def _changes(changes: Sequence[SheetChanges]) -> list[ChangesOut]:
    changed: list[ChangesOut] = []
    left = CELLS_TOLD
    for change in changes:
        cells = change.cells[:left]
        left -= len(cells)
        listed = [CellOut(ref=cell.ref, before=cell.before, after=cell.after) for cell in cells]
        cut = change.truncated or len(cells) < len(change.cells)
        changed.append(ChangesOut(sheet=change.sheet, range=change.range, cells=listed, truncated=cut))
    return changed


def _result(
    *,
    completed: bool,
    continue_needed: bool = False,
    requires_updated_data: bool = False,
    data_scope: DataScope = "analysis",
    **more: Any,
) -> MultiRoundResult:
    return MultiRoundResult(
        continue_needed=continue_needed,
        completed=completed,
        requires_updated_data=requires_updated_data,
        data_scope=data_scope,
        **_present(**more),
    )


def _response(
    about: About,
    result: MultiRoundResult,
    *,
    success: bool = True,
    request_id: str | None = None,
    rounds: int | None = None,
    warnings: Sequence[str] = (),
    **more: Any,
) -> ExcelResponse:
    warned = list(dict.fromkeys([*about.warnings, *warnings]))
    total = (rounds or about.previous_rounds + 1) if about.continuation else 1
    return ExcelResponse(
        success=success,
        request_id=request_id or about.request_id,
        is_continuation=about.continuation,
        total_rounds=total,
        multi_round_result=result,
        channel_id=about.channel_id,
        **_present(workbook_id=about.workbook_id, version=about.version, warnings=warned or None, **more),
    )


def _present(**given: Any) -> dict[str, Any]:
    """Drop absent values, and an empty list of problems."""
    return {name: value for name, value in given.items() if value is not None and (name != "problems" or value)}
