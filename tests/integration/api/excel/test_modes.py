"""Talk, planning and going on, over HTTP with a scripted model."""

from __future__ import annotations

import pytest
from tests.support.excel_bench import ExcelClient, Model, plan, put

from tablewright.errors import ModelTimeout
from tablewright.models.scripted import Fail, Reply

TALK = '{"is_conversational": true, "response": "Hello! I change workbooks."}'


async def test_talk_is_answered_without_a_plan(excel: ExcelClient, model: Model) -> None:
    model.say(TALK)
    response = await excel.ask("Hello")
    assert response["message"] == "Hello! I change workbooks."
    assert "executionPlan" not in response
    assert response["multiRoundResult"]["completed"]
    assert (response["channelId"], response["totalRounds"], response["isContinuation"]) == ("c1", 1, False)


async def test_a_wish_without_a_workbook_says_that_one_is_needed(excel: ExcelClient) -> None:
    excel.sheets = []
    response = await excel.ask("Sort by sales")
    assert not response["success"]
    assert "workbook" in response["error"]


async def test_a_wish_becomes_a_plan_and_nothing_is_executed(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13)))
    response = await excel.ask()
    assert response["executionPlan"][0]["function"] == "set_values"
    assert response["multiRoundResult"] == {
        "continueNeeded": True, "completed": False, "requiresUpdatedData": False, "dataScope": "range",
    }  # fmt: skip
    assert (response["version"], response["isContinuation"], response["totalRounds"]) == (1, False, 1)


async def test_completed_and_need_info_mean_nothing_in_the_first_round(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13), completed=True, need_info=True, message="Which?"))
    response = await excel.ask()
    assert len(response["executionPlan"]) == 1
    assert "needInfo" not in response


async def test_an_empty_plan_is_no_error(excel: ExcelClient, model: Model) -> None:
    model.say(plan())
    response = await excel.ask()
    assert (response["success"], response["executionPlan"]) == (True, [])
    assert response["multiRoundResult"]["completed"]


async def test_what_the_model_calls_an_error_is_one(excel: ExcelClient, model: Model) -> None:
    model.say('{"execution_plan": [], "error": "There is no such column."}')
    response = await excel.ask()
    assert (response["success"], response["error"]) == (False, "There is no such column.")


@pytest.mark.parametrize("named", ["requestId", None])
async def test_the_confirmed_plan_is_executed_exactly(excel: ExcelClient, model: Model, named: str | None) -> None:
    model.say(plan(put("B2", 13), put("B3", 31)))
    planned = await excel.ask()
    more = {} if named is None else {"requestId": planned["requestId"]}
    response = await excel.go_on(previousRounds=1, previousStepsHistory=[], **more)
    result = response["multiRoundResult"]
    assert [step["status"] for step in result["executedBatches"][0]["steps"]] == ["completed", "completed"]
    assert result["executedBatches"][0]["batchId"] == response["totalRounds"] == 2
    assert (result["completed"], result["continueNeeded"]) == (True, False)
    assert (result["requiresUpdatedData"], result["dataScope"]) == (True, "data_modification")
    assert response["isContinuation"]
    assert response["requestId"] != planned["requestId"]
    assert response["version"] == 2
    changed = {cell["ref"]: (cell["before"], cell["after"]) for cell in response["changes"][0]["cells"]}
    assert (changed["B2"], changed["B3"]) == ((12, 13), (30, 31))
    assert len(model.requests) == 1


async def test_a_plan_is_executed_once(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13)))
    planned = await excel.ask()
    done = await excel.go_on(requestId=planned["requestId"])
    again = await excel.go_on(requestId=planned["requestId"])
    assert again["multiRoundResult"] == done["multiRoundResult"]
    assert (again["requestId"], again["version"]) == (done["requestId"], 2)
    assert (await excel.go_on(requestId=done["requestId"]))["requestId"] == done["requestId"]


async def test_an_edited_plan_is_executed_as_it_was_edited(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13), put("B3", 31)))
    planned = await excel.ask()
    step = {**planned["executionPlan"][1], "parameters": {"range": "B3", "values": [[99]]}}
    response = await excel.go_on(requestId=planned["requestId"], editedPlan=[step])
    steps = response["multiRoundResult"]["executedBatches"][0]["steps"]
    assert [step["parameters"]["values"] for step in steps] == [[[99]]]
    assert "B2" not in {cell["ref"] for cell in response["changes"][0]["cells"]}


async def test_an_edited_plan_that_cannot_be_read_is_told_and_the_plan_still_waits(
    excel: ExcelClient, model: Model
) -> None:
    model.say(plan(put("B2", 13)))
    planned = await excel.ask()
    body = excel.body(continueMultiRound=True, requestId=planned["requestId"], editedPlan=[{"function": "fly"}])
    refused = await excel.post(body)
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "plan_invalid")
    assert refused.json()["error"]["field"].startswith("editedPlan")
    assert (await excel.go_on(requestId=planned["requestId"]))["version"] == 2


async def test_an_edited_plan_that_cannot_be_read_is_refused_before_a_stream_begins(
    excel: ExcelClient, model: Model
) -> None:
    model.say(plan(put("B2", 13)))
    planned = await excel.ask()
    body = excel.body(continueMultiRound=True, requestId=planned["requestId"], editedPlan=[{"function": "fly"}])
    refused = await excel.post(body, headers={"accept": "text/event-stream"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "plan_invalid")
    good = excel.body(continueMultiRound=True, requestId=planned["requestId"], editedPlan=planned["executionPlan"])
    assert (await excel.frames(good))[0][0] == "START"


async def test_words_against_a_plan_bring_another(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13)), plan(put("B2", 14)))
    planned = await excel.ask()
    other = await excel.ask(requestId=planned["requestId"], rejection="not 13 but 14")
    assert other["executionPlan"][0]["parameters"]["values"] == [[14]]
    assert other["requestId"] != planned["requestId"]
    stale = await excel.post(excel.body(continueMultiRound=True, requestId=planned["requestId"]))
    assert stale.status_code == 409
    done = await excel.go_on(requestId=other["requestId"])
    assert done["changes"][0]["cells"][0]["after"] == 14


@pytest.mark.requirement("excel-empty-rejection-is-no-consent")
@pytest.mark.parametrize("words", ["", "  "])
async def test_a_rejection_without_words_executes_nothing_and_the_plan_still_waits(
    excel: ExcelClient, model: Model, words: str
) -> None:
    model.say(plan(put("B2", 13)))
    planned = await excel.ask()
    got = await excel.post(excel.body(continueMultiRound=True, requestId=planned["requestId"], rejection=words))
    assert (got.status_code, got.json()["error"]["field"]) == (422, "rejection")
    done = await excel.go_on(requestId=planned["requestId"])
    assert (done["version"], done["multiRoundResult"]["completed"]) == (2, True)


@pytest.mark.requirement("excel-newest-plan-is-meant")
async def test_without_an_id_the_newest_plan_is_meant_though_there_was_talk_since(
    excel: ExcelClient, model: Model
) -> None:
    model.say(plan(put("B2", 13)), TALK)
    planned = await excel.ask()
    assert (await excel.ask("Hello"))["message"].startswith("Hello")
    done = await excel.go_on()
    assert done["changes"][0]["cells"][0]["after"] == 13
    assert planned["version"] == 1


async def test_an_older_plan_can_still_be_confirmed_by_its_id(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13)), plan(put("B3", 31)))
    older, newer = await excel.ask("one"), await excel.ask("two")
    assert older["requestId"] != newer["requestId"]
    done = await excel.go_on("one", requestId=older["requestId"])
    assert done["changes"][0]["cells"][0]["ref"] == "B2"


async def test_many_plans_wait_side_by_side_and_then_the_oldest_goes(excel: ExcelClient, model: Model) -> None:
    model.say(*(plan(put("B2", number)) for number in range(9)))
    asked = [await excel.ask(f"wish {number}") for number in range(9)]
    assert (await excel.post(excel.body(continueMultiRound=True, requestId=asked[0]["requestId"]))).status_code == 409
    assert (await excel.go_on(requestId=asked[8]["requestId"]))["version"] == 2


async def test_where_no_plan_waits_one_is_returned_and_nothing_is_executed(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13)))
    response = await excel.go_on(previousRounds=1)
    assert response["executionPlan"]
    assert response["multiRoundResult"]["continueNeeded"]
    assert (response["version"], response["isContinuation"], response["totalRounds"]) == (1, True, 2)
    assert (await excel.go_on(requestId=response["requestId"]))["version"] == 2


async def test_an_id_that_the_channel_never_gave_is_not_found(excel: ExcelClient, model: Model) -> None:
    got = await excel.post(excel.body(continueMultiRound=True, requestId="nope"))
    assert (got.status_code, got.json()["error"]["field"]) == (404, "requestId")


async def test_the_limit_of_rounds_holds_where_the_service_has_no_record(excel: ExcelClient) -> None:
    response = await excel.go_on(previousRounds=10, context={"language": "zh"})
    assert (response["success"], response["error"]) == (False, "超过最大轮数限制（10轮），任务终止")
    assert response["totalRounds"] == 11


async def test_the_services_record_wins_over_what_a_client_tells(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13)))
    planned = await excel.ask()
    done = await excel.go_on(requestId=planned["requestId"], previousRounds=12)
    assert (done["success"], done["totalRounds"]) == (True, 2)


@pytest.mark.parametrize(("language", "words"), [("zh", "服务调用失败: "), ("en", "The service failed: ")])
async def test_a_model_that_fails_is_told(excel: ExcelClient, model: Model, language: str, words: str) -> None:
    model.say(Reply.of(Fail(error=ModelTimeout(model="m"))))
    excel.language = language
    response = await excel.ask()
    assert not response["success"]
    assert response["error"].startswith(words)


async def test_snake_case_and_what_stands_in_the_context_are_read(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13)))
    context = {"spreadsheetData": {"sheets": excel.sheets}, "channel_id": "c1", "language": "en"}
    planned = (await excel.post({"operation": "x", "context": context, "message_id": "m1"})).json()
    body = {"operation": "x", "request_id": planned["requestId"], "context": {**context, "continue_multi_round": True}}
    done = (await excel.post(body)).json()
    assert (done["channelId"], done["version"]) == ("c1", 2)


async def test_null_says_nothing(excel: ExcelClient, model: Model) -> None:
    names = ("continueMultiRound", "previousRounds", "editedPlan", "uid", "requestId", "thinkingParams")
    context = {"language": None, "spreadsheet_data": {"sheets": None}, "previous_steps_history": None}
    told = {"operation": "hm?", "channelId": "c1", "context": context, **dict.fromkeys(names)}
    assert (await excel.post(told)).status_code == 200
    assert (await excel.post({**told, "context": None})).status_code == 200
    empty = {"spreadsheet_data": {"sheets": [{"name": "Empty", "data": None, "range": None}]}}
    model.say(plan(put("A1", 1, "Empty")))
    assert (await excel.post({**told, "channelId": "c2", "context": empty})).json()["executionPlan"]


async def test_what_cannot_be_read_is_told_in_the_language_of_the_request(excel: ExcelClient) -> None:
    got = await excel.post({"operation": 5, "context": {"language": "zh_CN"}})
    assert (got.status_code, got.json()["error"]["field"]) == (422, "operation")
    assert "无法使用" in got.json()["error"]["message"]


async def test_ids_may_be_numbers(excel: ExcelClient, model: Model) -> None:
    model.say(TALK)
    response = await excel.post(excel.body("hm?", messageId=1234567890123, uid=7, channelId=42))
    assert response.json()["channelId"] == "42"


async def test_the_channel_at_the_top_wins_and_without_any_one_is_made(excel: ExcelClient, model: Model) -> None:
    model.say(TALK, TALK)
    both = await excel.post({"operation": "hm?", "channelId": "top", "context": {"channelId": "below"}})
    assert both.json()["channelId"] == "top"
    assert (await excel.post({"operation": "Hello"})).json()["channelId"]


async def test_a_request_without_words_is_answered_in_the_channels_language(excel: ExcelClient, model: Model) -> None:
    excel.language = ""
    model.say(plan(put("B2", 13), put("B3", 31), ("rename_sheet", {"sheet": "Nope", "name": "X"})))
    planned = await excel.ask("把笔改成 13")
    assert planned["message"].startswith("是否")
    done = await excel.go_on("", requestId=planned["requestId"])
    assert done["multiRoundResult"]["error"] == "执行失败: 1 steps failed"
    assert "工作表" in done["multiRoundResult"]["executedBatches"][0]["steps"][2]["error"]
