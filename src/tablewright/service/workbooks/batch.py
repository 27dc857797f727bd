"""Executes the steps of a plan one after the other on copies of a workbook, producing a file with the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

from tablewright.domain.cells import SheetChanges
from tablewright.domain.ids import Clock
from tablewright.domain.notice import Notice
from tablewright.domain.operations import AnyOperation
from tablewright.domain.operations.code import RunPython
from tablewright.domain.rounds.plan import PlanStep
from tablewright.domain.rounds.round import StepResult
from tablewright.domain.table import Table
from tablewright.sandbox.base import LeaseScope
from tablewright.service.workbooks.code_steps import CodeSteps, StepRefused
from tablewright.service.workbooks.dependencies import MissingEffects
from tablewright.service.workbooks.round_changes import joined
from tablewright.service.workbooks.states import edited_name
from tablewright.service.workbooks.workbooks import formula_error_notices
from tablewright.workbook.base import Applied, FrameBlock, StepOutcome, Watch, WorkbookEditor

ROWS_SHOWN = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchOutcome:
    """The outcome of the steps; `path` is the resulting file, or None if nothing was written.

    `outcomes` has what each step that was applied changed, by its place from 0, also where the batch was rolled back.
    """

    steps: tuple[StepResult, ...]
    outcomes: Mapping[int, StepOutcome]
    path: Path | None
    changes: tuple[SheetChanges, ...]
    effects: tuple[str, ...]
    rolled_back: bool
    warnings: tuple[Notice, ...]


@dataclass(slots=True, kw_only=True)
class _Work:
    """A batch in progress: the newest copy, the result of each step by its place, and what was not made."""

    steps: Sequence[PlanStep]
    operations: dict[int, AnyOperation]
    path: Path
    name: str
    results: dict[int, StepResult] = field(default_factory=dict[int, StepResult])
    outcomes: dict[int, StepOutcome] = field(default_factory=dict[int, StepOutcome])
    changes: list[tuple[SheetChanges, ...]] = field(default_factory=list[tuple[SheetChanges, ...]])
    warnings: list[Notice] = field(default_factory=list[Notice])
    written: bool = False
    rolled_back: bool = False

    def fail(self, place: int, notice: Notice) -> None:
        """Record that a step could not be done."""
        self.results[place] = StepResult(step=self.steps[place], status="failed", error=notice)

    def blocked(self, place: int, undone: Sequence[int]) -> int | None:
        """Return the number of an earlier step that was not done and that this one depends on, or None."""
        missing = MissingEffects()
        for other, step in enumerate(self.steps[:place]):
            if other in undone:
                missing.add(step)
            else:
                missing.remove(step)
        return missing.needed_by(self.steps[place])


class BatchExecution:
    """Executes the steps of one plan in `folder`, which holds the copies."""

    def __init__(
        self, editor: WorkbookEditor, code: CodeSteps, folder: Path, clock: Clock, watch: Watch | None = None
    ) -> None:
        self._editor = editor
        self._code = code
        self._clock = clock
        self._watch = watch
        self._targets = (folder / f"step-{number}.xlsx" for number in count(1))

    async def run(self, steps: Sequence[PlanStep], path: Path, name: str, scope: LeaseScope) -> BatchOutcome:
        """Execute `steps` in order on the workbook at `path`, which is only read.

        A step that fails changes nothing, and the steps that depend on it fail too. New formula errors roll back the
        whole batch: then every step that wrote counts as failed.
        """
        work = _Work(steps=steps, operations={}, path=path, name=name)
        for place, step in enumerate(steps):
            if step.operation is None:
                work.fail(place, step.problems[0])
            else:
                work.operations[place] = step.operation
        for portion in _portions(work):
            if work.rolled_back:
                break
            first = work.operations.get(portion[0])
            if isinstance(first, RunPython):
                await self._run_code(work, portion[0], first, scope)
            else:
                await self._apply(work, portion)
        return _executed(work)

    async def _apply(self, work: _Work, portion: Sequence[int]) -> None:
        """Apply operations. If one fails, repeat without the steps that depend on it but were executed anyway."""
        skipped: dict[int, int] = {}
        while True:
            doable = [place for place in portion if place in work.operations and place not in skipped]
            target = next(self._targets)
            applied = await self._applied(work, doable, target)
            undone = _undone(work, portion, doable, applied)
            blocked = {place: by for place in portion if (by := work.blocked(place, undone)) is not None}
            fresh = {
                place: blocked[place] for place in doable if place in blocked and not _failed(doable, applied, place)
            }
            if not fresh:
                break
            skipped |= fresh
        for place, outcome in zip(doable, applied.steps, strict=True):
            work.results[place] = _result(work.steps[place], outcome)
            work.outcomes[place] = outcome
        for place, by in (skipped | {place: by for place, by in blocked.items() if place in work.operations}).items():
            work.fail(place, Notice(code="step_depends_on_failed", params={"step": by}))
        _take(work, applied, target)

    async def _applied(self, work: _Work, places: Sequence[int], target: Path) -> Applied:
        if not places:
            return Applied(steps=(), changes=(), written=False)
        operations = [work.operations[place] for place in places]
        return await self._editor.apply(work.path, target, operations, name=work.name, watch=self._at(places))

    def _at(self, places: Sequence[int]) -> Watch | None:
        """Return a watch that reports operations by their places in the whole batch."""
        if (watch := self._watch) is None:
            return None
        return lambda done: watch(None if done is None else places[done])

    async def _run_code(self, work: _Work, place: int, operation: RunPython, scope: LeaseScope) -> None:
        undone = [other for other, result in work.results.items() if result.status == "failed"]
        if (by := work.blocked(place, undone)) is not None:
            work.fail(place, Notice(code="step_depends_on_failed", params={"step": by}))
            return
        (problems,) = await self._editor.validate(work.path, [operation], name=work.name)
        if problems:
            work.fail(place, problems[0])
            return
        if self._watch is not None:
            self._watch(place)
        begun = self._clock.monotonic()
        await self._converted(work)
        try:
            table = await self._code.run(operation, work.path, scope)
        except StepRefused as refused:
            work.fail(place, refused.notice)
            return
        if operation.target is None:
            work.results[place] = StepResult(step=work.steps[place], status="completed", result=_shown(table))
        else:
            await self._write(work, place, operation, table)
        took = self._clock.monotonic() - begun
        work.results[place] = replace(work.results[place], elapsed_s=took)

    async def _write(self, work: _Work, place: int, operation: RunPython, table: Table) -> None:
        assert operation.target is not None
        target = next(self._targets)
        applied = await self._editor.apply_frame(
            work.path,
            target,
            FrameBlock(columns=table.columns, rows=table.rows),
            sheet=operation.target_sheet or operation.sheet,
            at=operation.target,
            name=work.name,
        )
        work.outcomes[place] = applied.steps[0]
        result = _result(work.steps[place], applied.steps[0])
        work.results[place] = replace(result, result=_shown(table))
        _take(work, applied, target)

    async def _converted(self, work: _Work) -> None:
        """Convert the workbook to xlsx, the only kind that code steps read."""
        target = next(self._targets)
        await self._editor.convert(work.path, target, name=work.name)
        work.path, work.name = target, edited_name(work.name)


def _portions(work: _Work) -> list[list[int]]:
    """Split the steps into portions, with every code step in a portion of its own."""
    portions: list[list[int]] = []
    for place in range(len(work.steps)):
        alone = isinstance(work.operations.get(place), RunPython)
        if not portions or alone or isinstance(work.operations.get(portions[-1][0]), RunPython):
            portions.append([])
        portions[-1].append(place)
    return portions


def _undone(work: _Work, portion: Sequence[int], doable: Sequence[int], applied: Applied) -> list[int]:
    """Return the places of all steps so far that were not done."""
    earlier = [place for place, result in work.results.items() if result.status == "failed"]
    skipped = [place for place in portion if place not in doable]
    failed = [place for place in doable if _failed(doable, applied, place)]
    return sorted({*earlier, *skipped, *failed})


def _failed(doable: Sequence[int], applied: Applied, place: int) -> bool:
    return applied.steps[doable.index(place)].status == "failed"


def _take(work: _Work, applied: Applied, target: Path) -> None:
    work.warnings += applied.warnings
    if applied.rolled_back:
        work.rolled_back = True
        work.warnings += formula_error_notices(applied)
    elif applied.written:
        work.path, work.name, work.written = target, edited_name(work.name), True
        work.changes.append(applied.changes)


def _result(step: PlanStep, outcome: StepOutcome) -> StepResult:
    return StepResult(
        step=step,
        status=outcome.status,
        error=outcome.error,
        wrote=bool(outcome.changes),
        cells_changed=outcome.cells_changed,
        result=None if outcome.result is None else _shown(outcome.result),
        notes=outcome.notes,
        elapsed_s=outcome.elapsed_s,
    )


def _shown(table: Table) -> Table:
    return replace(table, rows=table.rows[:ROWS_SHOWN])


def _executed(work: _Work) -> BatchOutcome:
    if work.rolled_back:
        undone = Notice(code="step_rolled_back", params={})
        for place, step in enumerate(work.steps):
            result = work.results.get(place)
            if result is None or (result.status == "completed" and result.wrote):
                work.results[place] = StepResult(step=step, status="failed", error=undone)
    kept = work.written and not work.rolled_back
    return BatchOutcome(
        steps=tuple(work.results[place] for place in range(len(work.steps))),
        outcomes=work.outcomes,
        path=work.path if kept else None,
        changes=joined(work.changes) if kept else (),
        effects=tuple(operation.effect for operation in work.operations.values()),
        rolled_back=work.rolled_back,
        warnings=tuple(warning for at, warning in enumerate(work.warnings) if warning not in work.warnings[:at]),
    )
