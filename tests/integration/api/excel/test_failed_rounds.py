"""Rounds in which steps failed: what is tried again, what is not, and what each response says of it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.excel_bench import ExcelClient, Model, plan, put

BROKEN = ("rename_sheet", {"sheet": "Nope", "name": "X"})
SAME = ("rename_sheet", {"name": "X", "sheet": "Nope"})
OTHER = ("rename_sheet", {"sheet": "Nowhere", "name": "X"})
SORT = ("sort_rows", {"sheet": "Sheet1", "by": [{"column": "Sales"}]})


def edited(*steps: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"function": function, "parameters": parameters} for function, parameters in steps]


async def confirmed(excel: ExcelClient) -> dict[str, Any]:
    planned = await excel.ask()
    return await excel.go_on(requestId=planned["requestId"])


async def test_a_step_that_just_failed_is_not_tried_again_as_it_was(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13), put("B3", 31), BROKEN), plan(SAME), plan(BROKEN))
    first = await confirmed(excel)
    second = await excel.go_on()
    result = second["multiRoundResult"]
    assert (second["success"], result["completed"], result["continueNeeded"]) == (False, False, False)
    assert "executedBatches" not in result
    assert "Nope" in second["error"]
    assert "Do rename_sheet" in second["error"]
    assert second["version"] == first["version"]


async def test_a_retry_that_fails_again_is_no_success(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13), put("B3", 31), BROKEN), plan(OTHER), plan(OTHER))
    await confirmed(excel)
    second = await excel.go_on()
    result = second["multiRoundResult"]
    assert (second["success"], second["error"]) == (False, "Execution failed: 1 steps failed")
    assert result["error"] == "Execution failed: 1 steps failed"
    assert (result["completed"], result["continueNeeded"], result["executedBatches"]) == (False, False, [])


async def test_of_a_retry_only_what_differs_is_tried_and_the_request_stays_open(
    excel: ExcelClient, model: Model
) -> None:
    missing = ("delete_sheet", {"sheet": "Gone"})
    mended = ("rename_sheet", {"sheet": "Sheet1", "name": "X"})
    model.say(plan(put("B2", 1), put("B3", 2), put("B4", 3), BROKEN, missing), plan(mended, missing))
    await confirmed(excel)
    second = await excel.go_on()
    result = second["multiRoundResult"]
    assert [step["function"] for step in result["executedBatches"][0]["steps"]] == ["rename_sheet"]
    assert (second["success"], result["completed"], result["continueNeeded"]) == (True, False, True)


@pytest.mark.parametrize(
    ("failures", "success", "again", "batches", "updated"),
    [(0, True, False, 1, True), (1, True, True, 1, True), (2, False, False, 1, True), (4, False, False, 0, False)],
)
async def test_what_a_round_says_depends_on_how_much_of_it_failed(
    excel: ExcelClient, model: Model, failures: int, success: bool, again: bool, batches: int, updated: bool
) -> None:
    steps = [put(f"B{row}", row) for row in range(2, 6 - failures)] + [BROKEN] * failures
    model.say(*[plan(*steps)] * (2 if failures == 4 else 1))  # a plan that cannot be done at all is written again
    response = await confirmed(excel)
    result = response["multiRoundResult"]
    assert (response["success"], result["continueNeeded"], result["completed"]) == (success, again, failures == 0)
    assert (len(result["executedBatches"]), result["requiresUpdatedData"]) == (batches, updated)
    said = f"Execution failed: {failures} steps failed" if failures else None
    assert result.get("error") == said
    assert response.get("error") == (None if success else said)


@pytest.mark.parametrize(
    ("steps", "bad", "column"),
    [
        ([("sort_rows", {"sheet": "Sheet1", "by": [{"column": "Price"}]})], 1, "Price"),
        ([SORT, ("delete_columns", {"sheet": "Sheet1", "columns": ["Double"]}),
          ("fill_missing", {"sheet": "Sheet1", "column": "Double"})], 3, "Double"),
        ([put("B1", "Revenue"), SORT], 2, "Sales"),
    ],
)  # fmt: skip
async def test_an_unknown_column_of_an_edited_plan_is_found_before_anything_executes(
    excel: ExcelClient, model: Model, steps: list[tuple[str, dict[str, Any]]], bad: int, column: str
) -> None:
    model.say(plan(put("B2", 13)))
    planned = await excel.ask()
    body = excel.body(continueMultiRound=True, requestId=planned["requestId"], editedPlan=edited(*steps))
    refused = await excel.post(body)
    assert refused.status_code == 422, refused.text
    error = refused.json()["error"]
    assert error["code"] == "plan_invalid"
    assert error["field"].startswith(f"editedPlan.{bad}")
    assert column in error["message"]
    again = await excel.go_on(requestId=planned["requestId"])
    assert (again["success"], again["version"]) == (True, 2)


async def test_a_column_that_an_earlier_step_makes_or_renames_is_known_to_the_later(
    excel: ExcelClient, model: Model
) -> None:
    model.say(plan(put("B2", 13)))
    planned = await excel.ask()
    added = ("add_column", {"sheet": "Sheet1", "header": "Half", "formula": "=[Sales]/2"})
    later = ("sort_rows", {"sheet": "Sheet1", "by": [{"column": "Half"}]})
    steps = edited(added, later, put("A1", "Thing"), ("fill_missing", {"sheet": "Sheet1", "column": "Thing"}))
    response = await excel.go_on(requestId=planned["requestId"], editedPlan=steps)
    assert response["success"], response
    assert [step["status"] for step in response["multiRoundResult"]["executedBatches"][0]["steps"]] == ["completed"] * 4


@pytest.mark.parametrize("fails", [True, False])
async def test_an_executed_plan_with_other_edits_is_a_conflict_and_with_the_same_the_same_answer(
    excel: ExcelClient, model: Model, fails: bool
) -> None:
    model.say(plan(put("B2", 13)))
    planned = await excel.ask()
    first = edited(BROKEN if fails else put("B2", 14))
    done = await excel.go_on(requestId=planned["requestId"], editedPlan=first)
    assert done["success"] is not fails
    same = await excel.go_on(requestId=planned["requestId"], editedPlan=first)
    assert same["requestId"] == done["requestId"]
    body = excel.body(continueMultiRound=True, requestId=planned["requestId"], editedPlan=edited(put("B2", 99)))
    other = await excel.post(body)
    assert (other.status_code, other.json()["error"]["field"]) == (409, "requestId")
    assert "already" in other.json()["error"]["message"]


async def test_an_executed_plan_cannot_be_rejected_any_more(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13)))
    planned = await excel.ask()
    await excel.go_on(requestId=planned["requestId"])
    body = excel.body(continueMultiRound=True, requestId=planned["requestId"], rejection="no, only B3")
    assert (await excel.post(body)).status_code == 409


async def test_edits_of_a_plan_that_was_executed_are_not_taken_for_the_next_one(
    excel: ExcelClient, model: Model
) -> None:
    model.say(plan(put("B2", 13), covers_request=False), plan(put("B3", 31)))
    planned = await excel.ask()
    await excel.go_on(requestId=planned["requestId"])
    following = await excel.go_on()
    body = excel.body(continueMultiRound=True, requestId=planned["requestId"], editedPlan=edited(put("B2", 99)))
    assert (await excel.post(body)).status_code == 409
    assert (await excel.go_on(requestId=following["requestId"]))["version"] == 3
