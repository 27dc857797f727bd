"""The workbook of a run, as its agent uses it."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from tablewright.agent.base import RunWorkbook
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.dataset import StoredFile
from tablewright.domain.ids import Clock, Ids
from tablewright.domain.notice import Notice
from tablewright.domain.operations import AnyOperation
from tablewright.domain.operations.code import RunPython
from tablewright.domain.outline import WorkbookOutline
from tablewright.domain.rounds.ledger import Ledger
from tablewright.domain.rounds.plan import OperationPlan, PlanStep
from tablewright.domain.rounds.round import Round, scope_of
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.errors import NotFound, WorkbookChanged
from tablewright.sandbox.base import LeaseScope, Sandbox
from tablewright.service.workbooks.batch import BatchExecution, BatchOutcome
from tablewright.service.workbooks.code_steps import CodeSteps
from tablewright.service.workbooks.dependencies import MissingEffects
from tablewright.service.workbooks.round_changes import shortened
from tablewright.service.workbooks.round_history import rounds_of
from tablewright.service.workbooks.states import Edition, WorkbookState, WorkbookStates, newest
from tablewright.store.base import Store
from tablewright.workbook.base import Watch, WorkbookEditor

LEASE = "workbook"
SUMMARY_CHARS = 200


class RunWorkbooks:
    """Provides each run with its workbook."""

    def __init__(
        self,
        store: Store,
        states: WorkbookStates,
        *,
        editor: WorkbookEditor,
        sandbox: Sandbox,
        clock: Clock,
        ids: Ids,
    ) -> None:
        self.store = store
        self.states = states
        self.editor = editor
        self.code = CodeSteps(sandbox, editor)
        self.clock = clock
        self.ids = ids

    async def of(self, scope: Scope, run: Run) -> RunWorkbook | None:
        """Return the newest workbook among the run's files, or else of its conversation; None if there is
        none. Workbooks added after the question are ignored, so that the run keeps its own."""
        given: list[StoredFile] = []
        for file_id in sorted(run.file_ids):
            try:
                given.append(await self.store.files.get(scope, file_id))
            except NotFound:
                continue
        file = newest(given)
        if file is None:
            file = await self.states.of_conversation(scope, run.conversation_id, before=run.id)
        if file is None:
            return None
        taken_up = Ledger(await self.store.log.transcript(scope, run.id)).earlier_runs
        return self.at(scope, file.id, run_id=run.id, taken_up=taken_up, summary=run.question)

    def at(
        self, scope: Scope, workbook_id: str, *, run_id: str, taken_up: Sequence[str] = (), summary: str = ""
    ) -> RunWorkbook:
        """Return a workbook as a run uses it.

        Its rounds are those of `run_id` and of the runs that it has `taken_up`; `summary` becomes the summary of the
        versions it makes.
        """
        return StoredRunWorkbook(self, scope, workbook_id, run_ids=(*taken_up, run_id), summary=summary[:SUMMARY_CHARS])


class StoredRunWorkbook:
    """Implements `RunWorkbook`. Keeps no state between calls."""

    def __init__(
        self, parts: RunWorkbooks, scope: Scope, workbook_id: str, *, run_ids: tuple[str, ...], summary: str
    ) -> None:
        self._parts = parts
        self._scope = scope
        self._id = workbook_id
        self._run_ids = run_ids
        self._run_id = run_ids[-1]
        self._summary = summary

    async def version(self) -> int:
        return (await self._state()).head.number

    async def outline(self, *, tokens: int = 4_000) -> WorkbookOutline:
        state = await self._state()
        return await self._parts.editor.outline(await self._path(state), tokens=tokens, name=state.head.name)

    async def losses(self) -> tuple[Notice, ...]:
        state = await self._state()
        if state.workbook.latest > 1:
            return ()
        return await self._parts.editor.losses(await self._path(state), name=state.head.name)

    async def check(self, steps: Sequence[PlanStep]) -> tuple[tuple[Notice, ...], ...]:
        state = await self._state()
        problems: dict[int, tuple[Notice, ...]] = {}
        operations: dict[int, AnyOperation] = {}
        for place, step in enumerate(steps):
            if step.operation is None:
                problems[place] = step.problems
            else:
                operations[place] = step.operation
        if operations:
            path = await self._path(state)
            judged = await self._parts.editor.validate(path, list(operations.values()), name=state.head.name)
            problems |= dict(zip(operations, judged, strict=True))
        for place in _after_code(steps, operations):
            problems[place] = ()
        return tuple(problems[place] for place in range(len(steps)))

    async def execute(self, plan: OperationPlan, *, plan_id: str, watch: Watch | None = None) -> Round:
        state = await self._state()
        if (done := await self._executed(plan_id, plan.number)) is not None:
            return done
        if state.head.number != plan.base_version:
            raise WorkbookChanged(version=state.head.number, base=plan.base_version)
        await self._parts.states.begin(self._scope, state.file)
        with tempfile.TemporaryDirectory(prefix="tablewright-") as folder:
            execution = BatchExecution(self._parts.editor, self._parts.code, Path(folder), self._parts.clock, watch)
            lease = LeaseScope(run_id=self._run_id, scope=LEASE)
            executed = await execution.run(plan.steps, await self._path(state), state.head.name, lease)
            round_ = self._round(plan, plan_id, executed)
            return await self._kept(state, executed, round_)

    async def rounds(self) -> tuple[Round, ...]:
        return await rounds_of(self._parts.store, self._scope, self._id, run_ids=self._run_ids)

    async def artifact(self) -> ArtifactRef:
        file = (await self._state()).file
        return ArtifactRef(id=file.id, name=file.name, mime=file.mime, size_bytes=file.size_bytes)

    async def _kept(self, state: WorkbookState, executed: BatchOutcome, round_: Round) -> Round:
        """Commit the round with what it wrote.

        If another attempt has executed it meanwhile, return that one's round.
        """
        if executed.path is None:
            await self._parts.store.workbooks.add_round(self._scope, round_)
        else:
            edition = Edition(
                author="round",
                request_id=round_.id,
                summary=self._summary,
                changes=executed.changes,
                round_=round_,
            )
            try:
                await self._parts.states.commit(self._scope, state, executed.path, edition)
            except WorkbookChanged:
                if (done := await self._executed(round_.plan_id, round_.number)) is None:
                    raise
                return done
        done = await self._executed(round_.plan_id, round_.number)
        assert done is not None
        return done

    async def _executed(self, plan_id: str, number: int) -> Round | None:
        try:
            rounds = await self._parts.store.workbooks.rounds(self._scope, self._id)
        except NotFound:
            return None
        return next((found for found in rounds if (found.plan_id, found.number) == (plan_id, number)), None)

    def _round(self, plan: OperationPlan, plan_id: str, executed: BatchOutcome) -> Round:
        functions = [step.function for step in plan.steps]
        wrote = executed.path is not None
        return Round(
            id=self._parts.ids.new(),
            workbook_id=self._id,
            run_id=self._run_id,
            plan_id=plan_id,
            number=plan.number,
            steps=executed.steps,
            created_at=self._parts.clock.now(),
            rolled_back=executed.rolled_back,
            data_scope=scope_of(functions, effects=executed.effects, wrote=wrote),
            changes=shortened(executed.changes),
            warnings=executed.warnings,
        )

    async def _state(self) -> WorkbookState:
        return await self._parts.states.state(self._scope, self._id)

    async def _path(self, state: WorkbookState) -> Path:
        return await self._parts.states.path(self._scope, state)


def _after_code(steps: Sequence[PlanStep], operations: dict[int, AnyOperation]) -> list[int]:
    """Return the places of steps that depend on what a code step writes: they cannot be checked beforehand."""
    written = MissingEffects()
    places: list[int] = []
    for place, step in enumerate(steps):
        operation = operations.get(place)
        if operation is not None and written.needed_by(step) is not None:
            places.append(place)
            written.add(step)
        elif isinstance(operation, RunPython) and operation.target is not None:
            written.add(step)
    return places
