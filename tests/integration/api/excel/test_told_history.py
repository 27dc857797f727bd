"""Rounds that a client tells of and nobody has recorded: they are the history of the plan that comes next."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.excel_bench import ExcelClient, Model, plan, put

from tablewright.domain.task import PlanOperations

CHART = {"type": "bar", "data_range": "A1:B4"}
HISTORY: list[dict[str, Any]] = [
    {"round": 2, "step": 1, "function": "create_chart", "parameters": CHART},
    {"round": 2, "step": 2, "function": "set_chart_title", "parameters": {"title": "Sales"}},
    {"round": 3, "step": 1, "function": "highlight_cells", "parameters": {}},
]


def prompt(model: Model) -> str:
    return model.requests[-1].messages[-1].text


@pytest.mark.requirement("excel-told-history")
async def test_the_history_that_a_client_tells_is_given_to_the_planner(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13)))
    planned = await excel.go_on(previousRounds=3, previousStepsHistory=HISTORY)
    assert prompt(model).startswith(
        "Based on the COMPLETE current state, determine what additional operations are needed to fulfill the original "
        'request "Raise the pens".\n\nPREVIOUS PROGRESS:\n'
        "Round 2 Step 1: create_chart\nRound 2 Step 2: set_chart_title\nRound 3 Step 1: highlight_cells\n\n"
    )
    assert planned["executionPlan"]
    assert (planned["isContinuation"], planned["totalRounds"], planned["version"]) == (True, 4, 1)
    done = await excel.go_on(requestId=planned["requestId"], previousRounds=4)
    assert (done["totalRounds"], done["multiRoundResult"]["executedBatches"][0]["batchId"]) == (4, 4)


async def test_the_history_in_the_context_is_read_too_and_older_rounds_are_one_line(
    excel: ExcelClient, model: Model
) -> None:
    older = [{"round": number, "step": 1, "function": "set_values", "parameters": {}} for number in range(2, 7)]
    body = excel.body("Raise the pens")
    body["context"] |= {"continue_multi_round": True, "previous_rounds": 6, "previous_steps_history": older}
    model.say(plan(put("B2", 13)))
    assert (await excel.post(body)).json()["totalRounds"] == 7
    lines = prompt(model).split("PREVIOUS PROGRESS:\n")[1].split("\n\n")[0].splitlines()
    assert lines[2:] == [f"Round {number} Step 1: set_values" for number in (4, 5, 6)]
    assert [line.partition(":")[0] for line in lines[:2]] == ["Round 2", "Round 3"]


async def test_what_is_only_told_gives_no_consent(excel: ExcelClient, model: Model) -> None:
    model.say(plan(("identify_top", {"sheet": "Sheet1", "column": "Sales", "count": 1})))
    planned = await excel.go_on(previousRounds=3, previousStepsHistory=HISTORY)
    assert planned["multiRoundResult"]["continueNeeded"]
    assert "executedBatches" not in planned["multiRoundResult"]


async def test_with_a_history_completed_by_the_model_is_done(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13), completed=True))
    response = await excel.go_on(previousRounds=3, previousStepsHistory=HISTORY)
    assert response["multiRoundResult"]["completed"]
    assert "executionPlan" not in response


async def test_a_step_that_was_told_as_done_is_warned_of(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13), ("create_chart", CHART)))
    planned = await excel.go_on(previousRounds=3, previousStepsHistory=HISTORY)
    assert [step["step"] for step in planned["executionPlan"]] == [1, 2]
    assert any("2" in warning and "before" in warning for warning in planned["warnings"])


async def test_words_against_such_a_plan_keep_its_number(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13)), plan(put("B2", 14)))
    planned = await excel.go_on(previousRounds=3, previousStepsHistory=HISTORY)
    again = await excel.go_on(requestId=planned["requestId"], rejection="no, 14")
    assert again["totalRounds"] == 4
    assert "Round 2 Step 1: create_chart" in prompt(model)


async def test_the_limit_of_rounds_counts_those_that_were_told(excel: ExcelClient, model: Model) -> None:
    reading = plan(("identify_top", {"sheet": "Sheet1", "column": "Sales", "count": 1}), covers_request=False)
    model.say(*[reading] * 3)
    planned = await excel.go_on(previousRounds=8)
    assert (await excel.go_on(requestId=planned["requestId"]))["totalRounds"] == 9
    assert (await excel.go_on())["totalRounds"] == 10
    ended = await excel.go_on()
    assert (ended["success"], ended["multiRoundResult"]["continueNeeded"]) == (False, False)
    assert "10" in ended["error"]


async def test_the_services_record_beats_the_history_that_a_client_tells(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13)), plan(put("B3", 14)))
    await excel.go_on(requestId=(await excel.ask())["requestId"])
    planned = await excel.go_on(previousRounds=9, previousStepsHistory=HISTORY)
    task = model.requests[-1].task
    assert isinstance(task, PlanOperations)
    assert (task.told, planned["totalRounds"]) == ((), 3)


async def test_a_history_that_cannot_be_read_is_told_by_its_field(excel: ExcelClient) -> None:
    deep: dict[str, Any] = {}
    for _ in range(50):
        deep = {"a": deep}
    got = await excel.post(
        excel.body(continueMultiRound=True, previousStepsHistory=[{"function": "x", "parameters": deep}])
    )
    assert (got.status_code, got.json()["error"]["code"]) == (422, "invalid_input")
