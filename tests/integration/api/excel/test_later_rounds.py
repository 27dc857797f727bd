"""Rounds after the first execution: retries, next batches, questions, their limit."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.excel_bench import ExcelClient, Model, plan, put

BROKEN = ("rename_sheet", {"sheet": "Nope", "name": "X"})


async def confirmed(excel: ExcelClient) -> dict[str, Any]:
    planned = await excel.ask()
    return await excel.go_on(requestId=planned["requestId"])


async def test_few_failures_are_told_and_the_next_request_tries_them_again(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13), put("B3", 31), BROKEN), plan(("rename_sheet", {"sheet": "Sheet1", "name": "X"})))
    first = await confirmed(excel)
    result = first["multiRoundResult"]
    assert (first["success"], "error" in first) == (True, False)
    assert result["error"] == "Execution failed: 1 steps failed"
    assert (result["continueNeeded"], result["completed"]) == (True, False)
    assert [step["status"] for step in result["executedBatches"][0]["steps"]] == ["completed", "completed", "failed"]
    second = await excel.go_on(previousRounds=2)
    steps = second["multiRoundResult"]["executedBatches"][0]["steps"]
    assert [(step["function"], step["status"]) for step in steps] == [("rename_sheet", "completed")]
    assert (second["totalRounds"], second["multiRoundResult"]["completed"]) == (3, True)


@pytest.mark.parametrize("which", ["plan", "round"])
async def test_going_on_may_name_the_plan_or_the_round_before(excel: ExcelClient, model: Model, which: str) -> None:
    model.say(plan(put("B2", 13), put("B3", 31), BROKEN), plan(("rename_sheet", {"sheet": "Sheet1", "name": "X"})))
    planned = await excel.ask()
    first = await excel.go_on(requestId=planned["requestId"])
    named = {"plan": planned, "round": first}[which]["requestId"]
    assert (await excel.go_on(requestId=named))["totalRounds"] == 3


async def test_half_failed_ends_it(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13), BROKEN))
    response = await confirmed(excel)
    result = response["multiRoundResult"]
    assert (response["success"], response["error"]) == (False, "Execution failed: 1 steps failed")
    assert (result["continueNeeded"], result["completed"], result["requiresUpdatedData"]) == (False, False, True)


async def test_nothing_succeeded_leaves_no_batch(excel: ExcelClient, model: Model) -> None:
    model.say(plan(BROKEN, put("A1", 1)))
    planned = await excel.ask()
    response = await excel.go_on(requestId=planned["requestId"], editedPlan=planned["executionPlan"][:1])
    assert response["multiRoundResult"]["executedBatches"] == []
    assert response["version"] == 1


async def test_the_next_batch_is_a_plan_to_be_confirmed(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13), covers_request=False), plan(put("B3", 31)))
    first = await confirmed(excel)
    result = first["multiRoundResult"]
    assert (result["continueNeeded"], result["completed"]) == (True, False)
    second = await excel.go_on()
    assert second["executionPlan"][0]["parameters"]["range"] == "B3"
    assert "executedBatches" not in second["multiRoundResult"]
    assert second["multiRoundResult"]["requiresUpdatedData"] is False
    assert second["totalRounds"] == 3
    third = await excel.go_on(requestId=second["requestId"])
    assert third["multiRoundResult"]["completed"]


async def test_completed_by_the_model_is_done_and_nothing_is_executed(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13), covers_request=False), plan(put("B3", 31), completed=True))
    first = await confirmed(excel)
    second = await excel.go_on()
    assert "executedBatches" not in second["multiRoundResult"]
    assert second["multiRoundResult"]["completed"]
    assert second["version"] == first["version"]


async def test_a_question_is_answered_by_its_id(excel: ExcelClient, model: Model) -> None:
    question = '{"execution_plan": [], "need_info": true, "message": "Which cell?"}'
    model.say(plan(put("B2", 13), covers_request=False), question, plan(put("C9", 31)))
    await confirmed(excel)
    asked = await excel.go_on()
    assert (asked["needInfo"], asked["message"]) == (True, "Which cell?")
    assert (asked["multiRoundResult"]["continueNeeded"], asked["multiRoundResult"]["completed"]) == (False, False)
    planned = await excel.go_on(requestId=asked["requestId"], answer="C9")
    assert planned["executionPlan"][0]["parameters"]["range"] == "C9"


async def test_a_need_of_information_without_words_is_a_question_all_the_same(excel: ExcelClient, model: Model) -> None:
    model.say(
        plan(put("B2", 13), covers_request=False), '{"execution_plan": [], "needInfo": true}', plan(put("C9", 31))
    )
    await confirmed(excel)
    asked = await excel.go_on()
    assert asked["needInfo"]
    assert asked["message"]
    assert (asked["multiRoundResult"]["continueNeeded"], asked["multiRoundResult"]["completed"]) == (False, False)
    assert (await excel.go_on(requestId=asked["requestId"], answer="C9"))["executionPlan"]


async def test_an_error_of_a_later_plan_is_told_as_the_model_says_it(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13), covers_request=False), '{"execution_plan": [], "error": "There is no cell Z."}')
    await confirmed(excel)
    response = await excel.go_on()
    assert (response["success"], response["error"]) == (False, "There is no cell Z.")
    result = response["multiRoundResult"]
    assert (result["continueNeeded"], result["completed"], result["requiresUpdatedData"]) == (False, False, False)


async def test_a_chart_ends_the_work(excel: ExcelClient, model: Model) -> None:
    chart = ("create_bar_chart", {"sheet": "Sheet1", "data_range": "A1:B4"})
    model.say(plan(put("B2", 13), chart, covers_request=False))
    response = await confirmed(excel)
    result = response["multiRoundResult"]
    assert (result["completed"], result["dataScope"]) == (True, "chart")
    assert result["executedBatches"][0]["steps"][1]["function"] == "create_bar_chart"


async def test_reading_steps_change_nothing_and_tell_what_they_found(excel: ExcelClient, model: Model) -> None:
    model.say(plan(("identify_top_products", {"sheet": "Sheet1", "metric": "Sales", "top_n": 2})))
    response = await confirmed(excel)
    result = response["multiRoundResult"]
    assert (result["requiresUpdatedData"], result["dataScope"], response["version"]) == (False, "analysis", 1)
    assert result["executedBatches"][0]["steps"][0]["result"]["rows"]


@pytest.mark.requirement("excel-limit-of-rounds")
async def test_the_services_own_count_ends_at_the_limit_too(excel: ExcelClient, model: Model) -> None:
    reading = plan(("identify_top", {"sheet": "Sheet1", "column": "Sales", "count": 1}), covers_request=False)
    model.say(*[reading] * 9)
    excel.language = "zh"
    response = await confirmed(excel)
    for number in range(3, 11):
        assert response["multiRoundResult"]["continueNeeded"]
        response = await excel.go_on()
        assert response["totalRounds"] == number
    last = await excel.go_on()
    assert (last["success"], last["error"]) == (False, "超过最大轮数限制（10轮），任务终止")
    assert (last["multiRoundResult"]["completed"], last["multiRoundResult"]["continueNeeded"]) == (False, False)
    assert last["totalRounds"] == 11


async def test_a_question_of_the_first_round_may_be_answered(excel: ExcelClient, model: Model) -> None:
    model.say('{"execution_plan": [], "need_info": true, "message": "Which cell?"}', plan(put("C9", 31)))
    asked = await excel.ask()
    assert (asked["executionPlan"], asked["message"]) == ([], "Which cell?")
    planned = await excel.go_on(requestId=asked["requestId"], answer="C9")
    assert planned["executionPlan"][0]["parameters"]["range"] == "C9"


async def test_an_answer_without_an_id_is_for_the_question_and_an_edited_plan_for_the_plan(
    excel: ExcelClient, model: Model
) -> None:
    question = '{"execution_plan": [], "need_info": true, "message": "Which cell?"}'
    model.say(question, plan(put("B3", 31)), plan(put("C9", 1)))
    await excel.ask("one")
    newest = await excel.ask("two")
    answered = await excel.go_on("one", answer="C9")
    assert answered["executionPlan"][0]["parameters"]["range"] == "C9"
    edited = [{**newest["executionPlan"][0], "parameters": {"range": "B3", "values": [[99]]}}]
    done = await excel.go_on("one", editedPlan=edited)
    assert done["changes"][0]["cells"][0] == {"ref": "B3", "before": 30, "after": 99}
