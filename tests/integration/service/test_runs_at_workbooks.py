"""A run finds the workbook of its conversation as it is now: its desk, its tables, its bytes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.parts import FakeParts
from tests.support.workbook_bench import SALES, step
from tests.support.workbooks import write_xlsx

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.data.files.tables import FileTables
from tablewright.domain.answer import Answer
from tablewright.domain.dataset import StoredFile
from tablewright.domain.events import AnswerCompleted, EventBody
from tablewright.domain.message import TranscriptEntry
from tablewright.domain.operations.cells import AddColumn, Clear
from tablewright.domain.operations.structure import InsertRows
from tablewright.domain.rounds.plan import OperationPlan
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.service.app import App
from tablewright.service.runs.runs import Ask

ME = Scope()


class Asked:
    """A script that remembers what it was given, and edits where it is told to."""

    def __init__(self) -> None:
        self.given: list[AgentInput] = []
        self.versions: list[int | None] = []
        self.edit = False

    async def __call__(self, given: AgentInput, context: AgentContext) -> AsyncIterator[EventBody | TranscriptEntry]:
        self.given.append(given)
        run_workbook = context.workbook
        self.versions.append(None if run_workbook is None else await run_workbook.version())
        if self.edit and run_workbook is not None:
            plan = OperationPlan(steps=(step(1, "insert_rows", row=2),), base_version=await run_workbook.version())
            await run_workbook.execute(plan, plan_id=given.run_id)
        yield AnswerCompleted(answer=Answer(text="done", outcome="completed"))


@pytest.fixture
def asked() -> Asked:
    return Asked()


@pytest.fixture
async def app(tmp_path: Path, asked: Asked) -> AsyncIterator[App]:
    tables = FileTables()
    async with FakeParts(folder=tmp_path, script=asked, tables=tables).opening() as opened:
        yield opened
    await tables.stop()


async def piece_of(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def upload(app: App, folder: Path, into: str) -> StoredFile:
    content = piece_of(write_xlsx(folder / "sales.xlsx", SALES).read_bytes())
    return await app.files.upload(ME, name="sales.xlsx", content=content, conversation_id=into)


async def ran(app: App, conversation_id: str, **ask: Any) -> Run:
    run = await app.runs.start(ME, conversation_id, Ask(text="How much?", **ask))
    async for _ in app.runs.follow(ME, run.id):
        pass
    return await app.runs.get(ME, run.id)


async def test_a_run_without_a_workbook_has_none(app: App, asked: Asked) -> None:
    conversation = await app.conversations.create(ME)
    assert (await ran(app, conversation.id)).outcome == "completed"
    assert asked.versions == [None]


@pytest.mark.requirement("runs-see-the-head")
async def test_a_question_after_an_edit_is_asked_of_the_edited_workbook(app: App, asked: Asked, tmp_path: Path) -> None:
    conversation = await app.conversations.create(ME)
    file = await upload(app, tmp_path, conversation.id)
    await ran(app, conversation.id)
    add = AddColumn(sheet="Sales", header="Margin", formula="=[Amount]-[Cost]")
    await app.workbooks.edit(ME, file.id, [add])
    await ran(app, conversation.id)
    assert asked.versions == [1, 2]
    before, after = ([column.name for column in given.datasets[0].columns] for given in asked.given)
    assert (before, after) == (["Region", "Amount", "Cost"], ["Region", "Amount", "Cost", "Margin"])
    path = asked.given[1].inputs[0].path
    assert path.read_bytes() == b"".join([piece async for piece in (await app.files.open(ME, file.id)).content])
    assert asked.given[0].inputs[0].path != path


async def test_a_run_that_edits_makes_a_version_under_its_own_id(app: App, asked: Asked, tmp_path: Path) -> None:
    conversation = await app.conversations.create(ME)
    file = await upload(app, tmp_path, conversation.id)
    asked.edit = True
    run = await ran(app, conversation.id, mode="edit")
    (round_,) = await app.store.workbooks.rounds(ME, file.id)
    assert (round_.run_id, round_.version) == (run.id, 2)
    assert (await app.workbooks.version(ME, file.id)).summary == "How much?"
    assert (await app.workbooks.rollback(ME, conversation.id, run.id)).number == 1


async def test_the_newest_workbook_of_the_message_comes_before_that_of_the_conversation(
    app: App, asked: Asked, tmp_path: Path
) -> None:
    conversation = await app.conversations.create(ME)
    first = await upload(app, tmp_path, conversation.id)
    second = await upload(app, tmp_path, conversation.id)
    await app.workbooks.edit(ME, second.id, [InsertRows(row=2)])
    await ran(app, conversation.id)
    await ran(app, conversation.id, file_ids=(first.id,))
    assert asked.versions == [2, 1]


async def test_a_workbook_that_holds_no_table_any_more_stays_a_workbook(app: App, asked: Asked, tmp_path: Path) -> None:
    conversation = await app.conversations.create(ME)
    file = await upload(app, tmp_path, conversation.id)
    empty = [Clear(sheet="Sales", range="A1:C4"), Clear(sheet="Notes", range="A1:A2")]
    await app.workbooks.edit(ME, file.id, empty)
    assert (await ran(app, conversation.id)).outcome == "completed"
    assert (await ran(app, conversation.id, file_ids=(file.id,), mode="edit")).outcome == "completed"
    assert asked.versions == [2, 2]
    assert asked.given[0].datasets == ()
