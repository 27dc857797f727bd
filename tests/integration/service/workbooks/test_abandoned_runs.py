"""Runs on a workbook that ended with their process: another takes them up where they were left."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.integration.service.test_rounds import SCOPE, HeldEditor, Service, serving
from tests.support.patience import PATIENCE_S
from tests.support.rounds_bench import plan, setting
from tests.support.workbooks import InlineWorker, write_xlsx

from tablewright.domain.events import ApprovalRequested, Event, PlanProposed, RoundExecuted, RunFinished
from tablewright.domain.operations.cells import SetValues
from tablewright.domain.rounds.ledger import PlanProposal, PlanRejection, StopOrder, Takeover
from tablewright.domain.run import Run
from tablewright.errors import InvalidInput, NotFound
from tablewright.service.channels.channels import LANE_FACE
from tablewright.service.channels.request import ChannelRequest
from tablewright.service.runs.runs import Ask
from tablewright.service.workbooks.abandoned_runs import AbandonedRun
from tablewright.store.memory import MemoryStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """A service started anew, the run that the one before left, and the id of its confirmed plan."""

    service: Service
    run: Run
    plan_id: str

    async def wish(self, **more: Any) -> list[Event]:
        """Send a request that goes on, and return the events of what it led to."""
        wish = ChannelRequest(operation="Raise it", channel=self.service.conversation.id, goes_on=True, **more)
        taken = await self.service.app.excel().rounds.take(SCOPE, wish)
        return [event async for event in self.service.app.excel().rounds.follow(SCOPE, taken)]

    async def cell(self, ref: str) -> object:
        return (await self.service.cells()).get(ref)


@asynccontextmanager
async def left(folder: Path) -> AsyncIterator[Left]:
    """Confirm a plan, end the service while it is executed, and start another."""
    store, editor = MemoryStore(), HeldEditor(InlineWorker())
    async with serving(folder, store, editor=editor) as first:
        before = await first.bytes()
        first.plans(plan(setting("B2", 4)))
        run = await first.ask()
        plan_id = (await first.until(run, ApprovalRequested)).request_id
        await first.answer(run, plan_id)
        async with asyncio.timeout(PATIENCE_S):
            await editor.applying.wait()
    async with serving(folder, store, first) as second:
        ended = await second.app.runs.get(SCOPE, run.id)
        assert ended.failure is not None
        assert ended.failure.code == "owner_lost"
        assert await second.bytes() == before
        yield Left(service=second, run=ended, plan_id=plan_id)


def executed(events: list[Event]) -> list[RoundExecuted]:
    return [event.body for event in events if isinstance(event.body, RoundExecuted)]


@pytest.mark.requirement("rounds-plan-outlives-a-kill")
@pytest.mark.parametrize("named", [True, False])
async def test_a_plan_confirmed_again_is_executed_once(tmp_path: Path, named: bool) -> None:
    async with left(tmp_path) as found:
        events = await found.wish(request_id=found.plan_id if named else None)
        (done,) = executed(events)
        assert (done.round.plan_id, done.round.number, done.round.version) == (found.plan_id, 2, 2)
        assert await found.cell("B2") == 4
        assert executed(await found.wish(request_id=found.plan_id)) == [done]
        assert len(await found.service.app.workbooks.versions(SCOPE, found.service.book)) == 2


async def test_a_plan_confirmed_again_takes_edits_and_checks_them(tmp_path: Path) -> None:
    async with left(tmp_path) as found:
        with pytest.raises(InvalidInput) as wrong:
            await found.wish(request_id=found.plan_id, edited_plan=({"function": "insert_rows"},))
        assert wrong.value.field is not None
        assert wrong.value.field.startswith("editedPlan")
        edited = ({"function": "set_values", "parameters": {"range": "B2", "values": [[7]]}},)
        assert executed(await found.wish(request_id=found.plan_id, edited_plan=edited))
        assert await found.cell("B2") == 7


async def test_words_against_a_plan_that_was_left_lead_to_another(tmp_path: Path) -> None:
    async with left(tmp_path) as found:
        found.service.plans(plan(setting("B2", 9)))
        events = await found.wish(request_id=found.plan_id, rejection="nine, please")
        (shown,) = [event.body for event in events if isinstance(event.body, PlanProposed)]
        assert shown.plan.steps[0].parameters["values"] == [[9]]
        assert await found.cell("B2") == 3


async def test_a_plan_that_was_left_is_made_anew_where_somebody_wrote_since(tmp_path: Path) -> None:
    async with left(tmp_path) as found:
        app, book = found.service.app, found.service.book
        await app.workbooks.edit(SCOPE, book, [SetValues(range="D1", values=(("mine",),))], base_version=1)
        found.service.plans(plan(setting("B2", 6)))
        events = await found.wish(request_id=found.plan_id)
        assert not executed(events)
        (shown,) = [event.body for event in events if isinstance(event.body, PlanProposed)]
        assert shown.plan.base_version == 2


async def test_the_same_question_asked_again_asks_for_consent_again(tmp_path: Path) -> None:
    async with left(tmp_path) as found:
        again = await found.service.ask()
        asked = await found.service.until(again, ApprovalRequested)
        assert (await found.service.until(again, PlanProposed)).plan.steps[0].parameters["values"] == [[4]]
        assert await found.cell("B2") == 3
        await found.service.answer(again, asked.request_id)
        assert (await found.service.ended(again)).outcome == "completed"
        assert await found.cell("B2") == 4
        with pytest.raises(NotFound):
            await found.wish(request_id=found.plan_id)


async def test_another_question_begins_anew(tmp_path: Path) -> None:
    async with left(tmp_path) as found:
        found.service.plans(plan(setting("B3", 1)))
        other = await found.service.ask(text="Lower it")
        assert (await found.service.until(other, PlanProposed)).plan.steps[0].parameters["range"] == "B3"


async def test_a_round_that_was_written_and_not_told_is_not_written_again(tmp_path: Path) -> None:
    async with left(tmp_path) as found:
        app, book = found.service.app, found.service.book
        proposed = await found.service.until(found.run, PlanProposed)
        run_workbook = app.plan_files._run_workbooks.at(SCOPE, book, run_id=found.run.id)
        done = await run_workbook.execute(proposed.plan, plan_id=found.plan_id)
        again = await found.service.ask()
        assert (await found.service.ended(again)).outcome == "completed"
        assert (await found.service.until(again, RoundExecuted)).round.id == done.id
        assert (await found.service.until(again, RunFinished)).outcome == "completed"
        assert len(await app.workbooks.versions(SCOPE, book)) == 2


async def test_the_same_question_about_another_workbook_begins_anew(tmp_path: Path) -> None:
    async with left(tmp_path) as found:
        path = write_xlsx(tmp_path / "other.xlsx", {"Other": [["product", "amount"], ["oil", 8]]})
        app, conversation = found.service.app, found.service.conversation

        async def content() -> AsyncIterator[bytes]:
            yield path.read_bytes()

        await app.files.upload(SCOPE, name="other.xlsx", content=content(), conversation_id=conversation.id)
        found.service.plans(plan(setting("B2", 1)))
        again = await found.service.ask()
        assert (await found.service.until(again, PlanProposed)).plan.steps[0].parameters["values"] == [[1]]


async def test_the_same_question_about_a_workbook_that_is_named_now_begins_anew(tmp_path: Path) -> None:
    async with left(tmp_path) as found:
        found.service.plans(plan(setting("B2", 1)))
        again = await found.service.ask(file_ids=(found.service.book,))
        assert (await found.service.until(again, PlanProposed)).plan.steps[0].parameters["values"] == [[1]]


async def test_what_was_turned_down_is_not_taken_up_by_asking_again(tmp_path: Path) -> None:
    async with left(tmp_path) as found:
        proposed = (await found.service.until(found.run, PlanProposed)).plan
        entries = (PlanProposal(id="p-1", plan=proposed),)
        assert not AbandonedRun(run=found.run, entries=entries).turned_down
        assert not AbandonedRun(
            run=found.run, entries=(*entries, PlanRejection(id="p-1", plan=proposed, words="not so"))
        ).turned_down
        assert AbandonedRun(
            run=found.run, entries=(*entries, PlanRejection(id="p-1", plan=proposed), Takeover(id="r-1"))
        ).turned_down
        assert AbandonedRun(run=found.run, entries=(*entries, StopOrder(id="p-1"))).turned_down


async def test_going_on_without_an_id_takes_up_no_run_that_another_followed(tmp_path: Path) -> None:
    async with left(tmp_path) as found:
        app, service = found.service.app, found.service
        lane = await app.conversations.of_client(SCOPE, LANE_FACE, f"{service.conversation.id}:2")
        service.plans(plan(message="It is low enough."))
        ask = Ask(text="Lower it", mode="edit", approvals="auto", file_ids=(service.book,))
        assert (await service.ended(await app.runs.start(SCOPE, lane.id, ask))).outcome == "completed"
        service.plans(plan(setting("B4", 2)))
        assert not executed(await found.wish())
        assert await found.cell("B2") == 3
