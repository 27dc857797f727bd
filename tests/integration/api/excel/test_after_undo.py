"""What was undone is no progress: going on after an undo."""

from __future__ import annotations

import pytest
from tests.support.excel_bench import ExcelClient, Model, plan, put

from tablewright.domain.task import PlanOperations
from tablewright.models.base import ModelRequest

BROKEN = ("rename_sheet", {"sheet": "Nope", "name": "X"})


def task_of(request: ModelRequest) -> PlanOperations:
    assert isinstance(request.task, PlanOperations)
    return request.task


@pytest.mark.requirement("excel-undone-is-no-progress")
async def test_a_round_that_was_undone_is_not_told_as_progress(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13), covers_request=False), plan(put("B2", 14)))
    planned = await excel.ask()
    done = await excel.go_on(requestId=planned["requestId"])
    assert done["multiRoundResult"]["continueNeeded"]
    await excel.rollback(done["requestId"])
    again = await excel.go_on()
    assert task_of(model.requests[-1]).rounds == ()
    assert again["executionPlan"][0]["parameters"]["values"] == [[14]]
    assert (again["version"], again["totalRounds"]) == (1, 3)
    finished = await excel.go_on(requestId=again["requestId"])
    assert finished["multiRoundResult"]["completed"]
    assert finished["message"].count("Do set_values") == 1


async def test_steps_that_were_done_and_undone_are_planned_again_beside_the_failed_one(
    excel: ExcelClient, model: Model
) -> None:
    steps = (put("B2", 13), put("B3", 31), BROKEN)
    model.say(plan(*steps), plan(*steps))
    planned = await excel.ask()
    done = await excel.go_on(requestId=planned["requestId"])
    await excel.rollback(done["requestId"])
    again = await excel.go_on()
    assert [step["step"] for step in again["executionPlan"]] == [1, 2, 3]
    assert again["multiRoundResult"]["continueNeeded"]


async def test_what_was_brought_back_is_progress_again(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13), covers_request=False), plan(put("B3", 14)))
    planned = await excel.ask()
    done = await excel.go_on(requestId=planned["requestId"])
    await excel.rollback(done["requestId"])
    await excel.redo()
    await excel.go_on()
    assert [each.id for each in task_of(model.requests[-1]).rounds] == [done["requestId"]]


async def test_a_plan_that_was_executed_and_undone_is_not_told_as_done_once_more(
    excel: ExcelClient, model: Model
) -> None:
    model.say(plan(put("B2", 13)))
    planned = await excel.ask()
    done = await excel.go_on(requestId=planned["requestId"])
    await excel.rollback(done["requestId"])
    got = await excel.post(excel.body(continueMultiRound=True, requestId=planned["requestId"]))
    assert (got.status_code, got.json()["error"]["field"]) == (409, "requestId")
    assert "redo" in got.json()["error"]["message"]
    await excel.redo()
    assert (await excel.go_on(requestId=planned["requestId"]))["requestId"] == done["requestId"]
