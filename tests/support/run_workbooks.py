"""A desk over the editor that keeps workbooks as JSON files: the agent's rounds without service, store or xlsx."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.notice import Notice
from tablewright.domain.operations import AnyOperation
from tablewright.domain.outline import WorkbookOutline
from tablewright.domain.rounds.plan import OperationPlan, PlanStep
from tablewright.domain.rounds.round import Round, StepResult, scope_of
from tablewright.domain.table import Cell, Table
from tablewright.errors import WorkbookChanged
from tablewright.workbook.memory import MemoryEditor, write_workbook

SALES = {"Sales": (("product", "amount"), ("tea", 3), ("ink", 9), ("pen", 5))}
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(slots=True, kw_only=True)
class FakeRunWorkbook:
    """Implements `WorkbookDesk`. Steps that only read find a table of their name; `failing` functions fail so often;
    `roll_back` undoes the next batch."""

    folder: Path
    sheets: Mapping[str, Sequence[Sequence[Cell]]] = field(default_factory=lambda: SALES)
    failing: dict[str, int] = field(default_factory=dict[str, int])
    roll_back: bool = False
    loses: tuple[Notice, ...] = ()
    editor: MemoryEditor = field(default_factory=MemoryEditor)
    head: int = 1
    done: list[Round] = field(default_factory=list[Round])
    executions: int = 0

    def __post_init__(self) -> None:
        write_workbook(self.path(1), self.sheets)

    def path(self, version: int) -> Path:
        """Where a version lies."""
        return self.folder / f"{version}.json"

    def somebody_writes(self) -> None:
        """Commit a version that is no round's."""
        self.path(self.head + 1).write_bytes(self.path(self.head).read_bytes())
        self.head += 1

    async def version(self) -> int:
        return self.head

    async def outline(self, *, tokens: int = 4_000) -> WorkbookOutline:
        return await self.editor.outline(self.path(self.head), tokens=tokens)

    async def losses(self) -> tuple[Notice, ...]:
        return () if self.done else self.loses

    async def check(self, steps: Sequence[PlanStep]) -> tuple[tuple[Notice, ...], ...]:
        found: list[tuple[Notice, ...]] = []
        for step in steps:
            operation = self._decoded(step)
            if isinstance(operation, tuple):
                found.append(operation)
            elif self._known(operation):
                found.extend(await self.editor.validate(self.path(self.head), [operation]))
            else:
                found.append(())
        return tuple(found)

    async def execute(
        self, plan: OperationPlan, *, plan_id: str, watch: Callable[[int | None], None] | None = None
    ) -> Round:
        known = next((each for each in self.done if (each.plan_id, each.number) == (plan_id, plan.number)), None)
        if known is not None:
            return known
        if self.head != plan.base_version:
            raise WorkbookChanged(version=self.head, base=plan.base_version)
        self.executions += 1
        target = self.path(self.head + 1)
        target.write_bytes(self.path(self.head).read_bytes())
        results: list[StepResult] = []
        for place, step in enumerate(plan.steps):
            if watch is not None:
                watch(place)
            results.append(await self._step(step, target))
        wrote = any(result.wrote for result in results) and not self.roll_back
        if wrote:
            self.head += 1
        executed = Round(
            id=f"round-{len(self.done) + 1}",
            workbook_id="book",
            run_id="run-1",
            plan_id=plan_id,
            number=plan.number,
            steps=tuple(results),
            created_at=NOW,
            version=self.head if wrote else None,
            rolled_back=self.roll_back,
            data_scope=scope_of([step.function for step in plan.steps], effects=(), wrote=wrote),
        )
        self.roll_back = False
        self.done.append(executed)
        return executed

    async def rounds(self) -> tuple[Round, ...]:
        return tuple(self.done)

    async def artifact(self) -> ArtifactRef:
        return ArtifactRef(id="book", name="sales.xlsx", mime="application/json", size_bytes=self.head)

    async def _step(self, step: PlanStep, target: Path) -> StepResult:
        operation = self._decoded(step)
        if isinstance(operation, tuple):
            return StepResult(step=step, status="failed", error=operation[0])
        if self.failing.get(step.function, 0) > 0:
            self.failing[step.function] -= 1
            return StepResult(step=step, status="failed", error=Notice(code="values_missing", params={}))
        if not self._known(operation):
            table = Table(columns=(step.function,), rows=((1,),), total_rows=1) if operation.effect == "read" else None
            return StepResult(step=step, status="completed", wrote=table is None, result=table)
        (outcome,) = (await self.editor.apply(target, target, [operation])).steps
        return StepResult(
            step=step,
            status=outcome.status,
            error=outcome.error,
            wrote=outcome.status == "completed",
            cells_changed=outcome.cells_changed,
        )

    @staticmethod
    def _decoded(step: PlanStep) -> AnyOperation | tuple[Notice, ...]:
        return step.problems if step.operation is None else step.operation

    @staticmethod
    def _known(operation: AnyOperation) -> bool:
        """Whether the editor does it itself; all else is taken as done."""
        return operation.function in {"set_values", "insert_rows", "delete_rows", "add_sheet", "rename_sheet"}
