"""Rounds on a real workbook through the whole service: planned, confirmed, executed, answered, undone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
from tests.support.parts import CsvTables, FakeParts
from tests.support.patience import PATIENCE_S
from tests.support.rounds_bench import plan, setting
from tests.support.workbooks import InlineWorker, write_xlsx

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.rounds.agent import Rounds
from tablewright.data.base import FileProfile, OpenLimits
from tablewright.domain.answer import Answer
from tablewright.domain.conversation import Conversation
from tablewright.domain.events import (
    AnswerCompleted,
    ApprovalRequested,
    ContinueAsked,
    EventBody,
    PlanProposed,
    RoundExecuted,
    RunFinished,
)
from tablewright.domain.message import TranscriptEntry
from tablewright.domain.operations.cells import SetValues
from tablewright.domain.run import RequestAnswer, Run
from tablewright.domain.scope import Scope
from tablewright.domain.table import Cell
from tablewright.errors import ModelUnreachable, PlanInvalid
from tablewright.models.base import ModelRequest
from tablewright.models.scripted import Fail, Reply, ScriptedModel
from tablewright.service.app import App
from tablewright.service.runs.runs import Ask
from tablewright.store.memory import MemoryStore
from tablewright.workbook.base import Applied, ChildWorker
from tablewright.workbook.package.editor import PackageEditor

T = TypeVar("T", bound=EventBody)
SCOPE = Scope()
SALES: list[list[Cell]] = [["product", "amount"], ["tea", 3], ["ink", 9], ["pen", 5]]


class NoTables(CsvTables):
    """Knows of no tables in workbooks."""

    async def profile(self, path: Path, name: str, limits: OpenLimits | None = None) -> FileProfile:
        return FileProfile(kind="xlsx", datasets=())


@dataclass(slots=True, kw_only=True)
class Service:
    """A service with one workbook in one conversation."""

    app: App
    conversation: Conversation
    book: str
    replies: list[Reply | str] = field(default_factory=list[Reply | str])

    def plans(self, *replies: Reply | str) -> None:
        """What the model writes next."""
        self.replies[:] = replies

    async def ask(self, **more: Any) -> Run:
        return await self.app.runs.start(
            SCOPE, self.conversation.id, Ask(**{"text": "Raise it", "mode": "edit", **more})
        )

    async def until(self, run: Run, kind: type[T], number: int = 1) -> T:
        """Return the event of a kind that comes as the `number`-th."""
        left = number
        async with asyncio.timeout(PATIENCE_S):
            async for event in self.app.runs.follow(SCOPE, run.id):
                if isinstance(event.body, kind):
                    left -= 1
                    if not left:
                        return event.body
        raise AssertionError(f"no {kind.__name__} number {number}")

    async def answer(self, run: Run, request_id: str, **answer: Any) -> None:
        await self.app.runs.answer(SCOPE, run.id, request_id, RequestAnswer(**{"decision": "approve", **answer}))

    async def cancelled(self, run: Run) -> Run:
        """Return the run once it is stopped; on a slow machine the first answer may come before its end."""
        await self.app.runs.cancel(SCOPE, run.id)
        await self.until(run, RunFinished)
        return await self.app.runs.get(SCOPE, run.id)

    async def settled(self, run: Run) -> Run:
        """Return the run once it no longer executes."""
        working = [task for task in asyncio.all_tasks() if task.get_name() == f"run {run.id}"]
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*working)
        return await self.app.runs.get(SCOPE, run.id)

    async def ended(self, run: Run) -> Answer:
        await self.until(run, RunFinished)
        return (await self.until(run, AnswerCompleted)).answer

    async def cells(self) -> dict[str, Cell]:
        page = await self.app.workbooks.cells(SCOPE, self.book, None)
        return {cell.ref: cell.value for cell in page.cells}

    async def bytes(self) -> bytes:
        version = await self.app.workbooks.version(SCOPE, self.book)
        return b"".join([piece async for piece in self.app.workbooks.content(SCOPE, version)])


class HeldEditor(PackageEditor):
    """Applies nothing before its gate opens."""

    def __init__(self, worker: ChildWorker) -> None:
        super().__init__(worker)
        self.applying, self.gate = asyncio.Event(), asyncio.Event()

    async def apply(self, *given: Any, **more: Any) -> Applied:
        self.applying.set()
        await self.gate.wait()
        return await super().apply(*given, **more)


@asynccontextmanager
async def serving(
    folder: Path, store: MemoryStore | None = None, before: Service | None = None, editor: PackageEditor | None = None
) -> AsyncIterator[Service]:
    """Open a service; one that goes on from `before` has the workbook already."""
    replies: list[Reply | str] = []

    def said(_request: ModelRequest) -> Reply | str:
        return replies.pop(0)

    async def script(given: AgentInput, context: AgentContext) -> AsyncIterator[EventBody | TranscriptEntry]:
        async for item in Rounds().run(given, replace(context, model=ScriptedModel(said))):
            yield item

    parts = FakeParts(
        folder=folder, script=script, tables=NoTables(), store=store or MemoryStore(),
        editor=editor or PackageEditor(InlineWorker()),
    )  # fmt: skip
    path = write_xlsx(folder / "sales.xlsx", {"Sales": SALES})

    async def content() -> AsyncIterator[bytes]:
        yield path.read_bytes()

    async with parts.opening() as app:
        if before is not None:
            yield Service(app=app, conversation=before.conversation, book=before.book, replies=replies)
            return
        conversation = await app.conversations.create(SCOPE)
        file = await app.files.upload(SCOPE, name="sales.xlsx", content=content(), conversation_id=conversation.id)
        yield Service(app=app, conversation=conversation, book=file.id, replies=replies)


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Service]:
    async with serving(tmp_path) as opened:
        yield opened


async def test_an_edited_plan_is_executed_answered_and_undone_to_the_byte(service: Service) -> None:
    before = await service.bytes()
    service.plans(plan(setting("B2", 4), setting("B3", 8)))
    run = await service.ask()
    asked = await service.until(run, ApprovalRequested)
    assert (await service.app.runs.get(SCOPE, run.id)).outcome is None
    assert await service.bytes() == before
    edited = [{"function": "set_values", "parameters": {"range": "C1:C2", "values": [["double"], ["=B2*2"]]}}]
    await service.answer(run, asked.request_id, plan={"execution_plan": edited})
    answer = await service.ended(run)
    assert answer.outcome == "completed"
    assert [(change.ref, change.before) for sheet in answer.changes for change in sheet.cells] == [
        ("C1", None),
        ("C2", None),
    ]
    assert (await service.cells())["C1"] == "double"
    assert answer.files[0].id == service.book
    executed = (await service.until(run, RoundExecuted)).round
    assert (executed.plan_id, executed.version) == (asked.request_id, 2)
    await service.app.workbooks.rollback(SCOPE, service.book, asked.request_id)
    assert await service.bytes() == before
    await service.app.workbooks.redo(SCOPE, service.book)
    assert (await service.cells())["C1"] == "double"


@pytest.mark.requirement("rounds-edited-plan-checked")
async def test_an_edited_plan_that_cannot_be_leaves_the_request_open(service: Service) -> None:
    service.plans(plan(setting("B2", 4)))
    run = await service.ask()
    asked = await service.until(run, ApprovalRequested)
    with pytest.raises(PlanInvalid) as invalid:
        await service.answer(run, asked.request_id, plan={"steps": [{"function": "insert_rows"}]})
    assert invalid.value.params["problem"] == "parameter_missing"
    await service.answer(run, asked.request_id)
    assert (await service.ended(run)).outcome == "completed"


async def test_nobody_is_waited_for_where_approvals_are_given(service: Service) -> None:
    service.plans(plan(setting("B2", 4), ("insert_rows", {"row": 3}), ("rename_sheet", {"name": "[x]"})), plan())
    run = await service.ask(approvals="auto")
    answer = await service.ended(run)
    assert answer.outcome == "completed"
    assert "failed" in answer.text
    assert (await service.cells())["B2"] == 4
    assert (await service.until(run, ContinueAsked)).subject_kind == "round"


async def test_failed_steps_are_tried_again_on_what_the_others_left(service: Service) -> None:
    missing = ("set_fill", {"sheet": "Nowhere", "range": "A1", "color": "yellow"})
    here = ("set_fill", {"sheet": "Sales", "range": "A1", "color": "yellow"})
    service.plans(plan(setting("B2", 4), setting("C1", "new"), missing), plan(here))
    run = await service.ask()
    await service.answer(run, (await service.until(run, ApprovalRequested)).request_id)
    await service.answer(run, (await service.until(run, ContinueAsked)).request_id)
    answer = await service.ended(run)
    assert answer.outcome == "completed"
    assert "failed" not in answer.text
    rounds = [(await service.until(run, RoundExecuted, number)).round for number in (1, 2)]
    assert [(each.number, each.version, len(each.steps)) for each in rounds] == [(2, 2, 3), (3, 3, 1)]


@pytest.mark.requirement("rounds-changed-workbook-planned-anew")
async def test_another_writer_meanwhile_makes_the_plan_anew(service: Service) -> None:
    service.plans(plan(setting("B2", 4)), plan(setting("B2", 6)))
    run = await service.ask()
    asked = await service.until(run, ApprovalRequested)
    other = await service.app.workbooks.edit(
        SCOPE, service.book, [SetValues(range="D1", values=(("mine",),))], base_version=1
    )
    assert other is not None
    await service.answer(run, asked.request_id)
    again = await service.until(run, PlanProposed, 2)
    assert again.plan.base_version == 2
    await service.answer(run, again.request_id)
    await service.ended(run)
    cells = await service.cells()
    assert (cells["B2"], cells["D1"]) == (6, "mine")


async def test_a_run_stopped_while_it_waits_leaves_the_workbook_as_it_was(service: Service) -> None:
    before = await service.bytes()
    service.plans(plan(setting("B2", 4)))
    run = await service.ask()
    await service.until(run, ApprovalRequested)
    assert (await service.cancelled(run)).outcome == "cancelled"
    assert await service.bytes() == before


async def test_new_formula_errors_undo_the_batch_and_say_so(service: Service) -> None:
    before = await service.bytes()
    service.plans(plan(("set_formula", {"range": "C2", "formula": "=B2/0"})))
    run = await service.ask(approvals="auto")
    answer = await service.ended(run)
    assert answer.outcome == "failed"
    assert (await service.until(run, RoundExecuted)).round.rolled_back
    assert await service.bytes() == before


async def test_a_workbook_that_came_after_the_question_is_not_touched(service: Service, tmp_path: Path) -> None:
    service.plans(plan(setting("B2", 4)))
    run = await service.ask()
    asked = await service.until(run, ApprovalRequested)
    other = write_xlsx(tmp_path / "other.xlsx", {"Sales": SALES}).read_bytes()

    async def content() -> AsyncIterator[bytes]:
        yield other

    uploaded = await service.app.files.upload(
        SCOPE, name="other.xlsx", content=content(), conversation_id=service.conversation.id
    )
    await service.answer(run, asked.request_id)
    assert (await service.ended(run)).files[0].id == service.book
    assert (await service.cells())["B2"] == 4
    assert len(await service.app.workbooks.versions(SCOPE, uploaded.id)) == 1


async def test_a_failing_model_ends_the_run_as_failed(service: Service) -> None:
    service.plans(Reply.of(Fail(error=ModelUnreachable("gone", model="m"))))
    run = await service.ask()
    finished = await service.until(run, RunFinished)
    assert finished.outcome == "failed"
    assert finished.failure is not None
    assert finished.failure.code == "model_unreachable"


async def test_a_run_that_waits_goes_on_after_the_service_was_started_anew(tmp_path: Path) -> None:
    store = MemoryStore()
    async with serving(tmp_path, store) as first:
        first.plans(plan(setting("B2", 4)))
        run = await first.ask()
        asked = await first.until(run, ApprovalRequested)
        waiting = await first.settled(run)
        assert waiting.state == "waiting"
    async with serving(tmp_path, store, first) as second:
        await second.answer(run, asked.request_id)
        assert (await second.ended(run)).outcome == "completed"
        assert (await second.cells())["B2"] == 4


async def test_a_run_stopped_while_its_plan_is_executed_leaves_a_whole_version(tmp_path: Path) -> None:
    editor = HeldEditor(InlineWorker())
    async with serving(tmp_path, editor=editor) as service:
        before = await service.bytes()
        service.plans(plan(setting("B2", 4), setting("B3", 5)))
        run = await service.ask(approvals="auto")
        async with asyncio.timeout(PATIENCE_S):
            await editor.applying.wait()
        assert (await service.cancelled(run)).outcome == "cancelled"
        editor.gate.set()
        assert await service.bytes() == before
        await service.app.workbooks.edit(SCOPE, service.book, [SetValues(range="D1", values=(("mine",),))])
        assert (await service.cells())["D1"] == "mine"
