"""Saved plans: created from executed steps, fitted to other workbooks, and executed there without planning again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tablewright.domain.ids import Ids
from tablewright.domain.language import language_of
from tablewright.domain.notice import Notice
from tablewright.domain.outline import WorkbookOutline
from tablewright.domain.plan_file import FittedPlan, PlanFile
from tablewright.domain.rounds.ledger import PlanSupplied, ledger_message
from tablewright.domain.rounds.plan import OperationPlan, PlanStep
from tablewright.domain.rounds.round import Round
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.errors import Conflict, InvalidInput, TablewrightError, WorkbookChanged, WorkbookDiffers
from tablewright.service.runs.runs import Ask, Runs
from tablewright.service.workbooks.round_history import rounds_of
from tablewright.service.workbooks.run_workbook import RunWorkbooks
from tablewright.service.workbooks.workbooks import Workbooks
from tablewright.store.base import Store
from tablewright.texts.catalogue import text
from tablewright.workbook.plan_fit import fitted
from tablewright.workbook.shapes import differences, homed, plan_file, shape_of

WHOLE = 1_000_000
"""A token budget for outlines from which nothing is left out."""
MOST_STEPS = 100


class PlanFiles:
    """The use cases of a saved plan. A workbook of another owner raises `NotFound`."""

    def __init__(self, store: Store, workbooks: Workbooks, run_workbooks: RunWorkbooks, runs: Runs, ids: Ids) -> None:
        self._store = store
        self._workbooks = workbooks
        self._run_workbooks = run_workbooks
        self._runs = runs
        self._ids = ids

    async def make(
        self, scope: Scope, workbook_id: str, steps: Sequence[PlanStep], *, version: int, request: str = ""
    ) -> PlanFile:
        """Return `steps` as a plan file with the workbook's structure at `version`.

        Raises `InvalidInput` or `NotFound`.
        """
        _check(steps)
        outline = await self._workbooks.outline(scope, workbook_id, tokens=WHOLE, version=version)
        return plan_file(steps, outline, request=request)

    async def fit(self, scope: Scope, workbook_id: str, plan: PlanFile) -> FittedPlan:
        """Return what the plan would do to the workbook in its current state, or what prevents it."""
        _check(plan.steps)
        head = (await self._workbooks.version(scope, workbook_id)).number
        outline = await self._workbooks.outline(scope, workbook_id, tokens=WHOLE)
        plan = homed(plan, outline)
        if found := differences(plan.sheets, outline):
            return FittedPlan(steps=plan.steps, base_version=head, differences=found)
        steps, lacking = _fitted(plan, outline)
        run_workbook = self._run_workbooks.at(scope, workbook_id, run_id=self._ids.new())
        judged = await run_workbook.check(steps)
        problems = tuple((*rows, *other) for rows, other in zip(lacking, judged, strict=True))
        return FittedPlan(steps=steps, base_version=head, problems=problems, losses=await run_workbook.losses())

    async def apply(self, scope: Scope, workbook_id: str, plan: PlanFile, *, base_version: int) -> Round:
        """Execute the plan on the workbook at `base_version`, as one round and one version. If the workbook belongs to
        a conversation, this is a run of that conversation.

        Raises `RunInProgress` while another run of that conversation is unfinished, `WorkbookDiffers` naming what
        differs in structure or lacks rows, and `WorkbookChanged` if the workbook is at another version.
        """
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
        brought = PlanSupplied(id=self._ids.new(), plan=OperationPlan(steps=steps, base_version=base_version))
        file_id = (await self._workbooks.state(scope, workbook_id)).file.id
        homes = await self._store.files.conversations(scope, file_id)
        if homes:
            return await self._in_conversation(scope, await self._home(scope, homes), file_id, plan.request, brought)
        run_workbook = self._run_workbooks.at(scope, file_id, run_id=brought.id, summary=plan.request)
        return await run_workbook.execute(brought.plan, plan_id=brought.id)

    async def _in_conversation(
        self, scope: Scope, conversation_id: str, file_id: str, request: str, brought: PlanSupplied
    ) -> Round:
        """Execute a plan as a run, which outlives the caller; return its round, or raise what ended it."""
        conversation = await self._store.conversations.get(scope, conversation_id)
        language = language_of(request, conversation.language)
        words = "plan_file_question" if request.strip() else "plan_file_question_bare"
        ask = Ask(
            text=text(words, language, request=request.strip()), file_ids=(file_id,), mode="edit", language=language,
            opening=(ledger_message(brought),),
        )  # fmt: skip
        run = await self._runs.start(scope, conversation_id, ask)
        async for _ in self._runs.follow(scope, run.id):
            pass
        rounds = await rounds_of(self._store, scope, file_id, run_ids=(run.id,))
        if rounds:
            return rounds[0]
        ended = await self._runs.get(scope, run.id)
        raise _why(ended)

    async def _home(self, scope: Scope, homes: Sequence[str]) -> str:
        """Return the most recently active conversation without a live run, or the most recent if all have one."""
        for conversation_id in homes:
            if await self._store.runs.live(scope, conversation_id) is None:
                return conversation_id
        return homes[0]


def _why(run: Run) -> TablewrightError:
    """Return the error that prevented a run from executing its plan."""
    failure = run.failure
    if failure is None:
        return Conflict("plan_file_stopped")
    params: dict[str, Any] = dict(failure.params)
    known = {kind.code: kind for kind in _kinds(TablewrightError)}
    detail = params.pop("detail", "") or ""
    return known.get(failure.code, TablewrightError)(detail, **params)


def _kinds(base: type[TablewrightError]) -> Iterator[type[TablewrightError]]:
    yield base
    for kind in base.__subclasses__():
        yield from _kinds(kind)


def _fitted(plan: PlanFile, outline: WorkbookOutline) -> tuple[tuple[PlanStep, ...], tuple[tuple[Notice, ...], ...]]:
    return fitted(plan, [shape_of(sheet) for sheet in outline.sheets])


def _check(steps: Sequence[PlanStep]) -> None:
    if not 0 < len(steps) <= MOST_STEPS:
        raise InvalidInput("plan_steps_count", field="steps", most=MOST_STEPS)
