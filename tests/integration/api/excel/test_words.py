"""What a response says: answers stand in its message, talk is no failure, and its texts are of one language."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from tests.integration.analyst.operating.checking import Values
from tests.support.excel_bench import ExcelClient, Model, plan, put
from tests.support.parts import FakeParts

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.rounds.agent import Rounds
from tablewright.analyst.model import BuiltinAnalyst
from tablewright.domain.events import EventBody
from tablewright.domain.language import language_of
from tablewright.domain.message import TranscriptEntry

BROKEN = ("rename_sheet", {"sheet": "Nope", "name": "X"})
TOTAL = ("aggregate", {"sheet": "Sheet1", "column": "Sales"})
BY_PRODUCT = ("aggregate", {"sheet": "Sheet1", "column": "Sales", "groups": ["Product"]})


@pytest.fixture
def analyst(excel: ExcelClient, parts: FakeParts) -> ExcelClient:
    """Return a client of a service on which the built-in analyst plans."""

    async def script(given: AgentInput, context: AgentContext) -> AsyncIterator[EventBody | TranscriptEntry]:
        async for item in Rounds().run(given, replace(context, model=BuiltinAnalyst(Values()))):
            yield item

    parts.script = script
    return excel


async def done(excel: ExcelClient) -> dict[str, Any]:
    planned = await excel.ask()
    return await excel.go_on(requestId=planned["requestId"])


async def test_the_answer_to_a_question_about_the_data_stands_in_the_message(excel: ExcelClient, model: Model) -> None:
    model.say(plan(TOTAL, BY_PRODUCT))
    response = await done(excel)
    assert response["message"] == (
        "Done:\n- Do aggregate: 49\n- Do aggregate:\n  Pen: 12\n  Ink: 30\n  Cup: 7"
    )  # fmt: skip
    assert response["multiRoundResult"]["executedBatches"][0]["steps"][0]["result"]["rows"] == [[49]]


async def test_what_was_read_is_told_also_where_another_step_failed(excel: ExcelClient, model: Model) -> None:
    model.say(plan(TOTAL, put("B2", 13), BROKEN))
    response = await done(excel)
    assert response["message"] == "- Do aggregate: 49\nFailed steps: 1. Try them again?"


async def test_a_question_to_the_built_in_analyst_is_answered_in_the_message(analyst: ExcelClient) -> None:
    planned = await analyst.ask("What is the total of Sales?")
    response = await analyst.go_on(requestId=planned["requestId"])
    assert "49" in response["message"]


@pytest.mark.parametrize(
    "said",
    [
        "hello", "what a nice day", "tell me a joke", "bye", "How do I freeze the first row?",
        "how do I sort by Sales?",
        "how to make a chart", "你好", "今天天气不错", "怎么冻结首行？", "如何按Sales排序？",
    ],
)  # fmt: skip
async def test_talk_and_questions_for_the_way_are_conversation(analyst: ExcelClient, said: str) -> None:
    analyst.language = language_of(said)
    response = await analyst.ask(said)
    result = response["multiRoundResult"]
    assert (response["success"], "error" in response) == (True, False)
    assert (result["completed"], result["continueNeeded"]) == (True, False)
    assert "executionPlan" not in response
    assert language_of(response["message"]) == language_of(said)
    assert response["version"] == 1


async def test_what_is_about_the_workbook_and_not_understood_is_no_conversation(analyst: ExcelClient) -> None:
    response = await analyst.ask("frobnicate the Sales")
    assert response["success"] is False


@pytest.mark.parametrize(("began", "later"), [("zh", "en"), ("en", "zh")])
async def test_all_texts_of_a_response_are_in_the_language_of_the_request_that_began_it(
    excel: ExcelClient, model: Model, began: str, later: str
) -> None:
    excel.language = began
    model.say(plan(put("B2", 13), put("B3", 31), BROKEN), plan(BROKEN), plan(BROKEN))
    planned = await excel.ask()
    excel.language = later
    first = await excel.go_on(requestId=planned["requestId"])
    result = first["multiRoundResult"]
    failed = result["executedBatches"][0]["steps"][2]["error"]
    again = await excel.go_on(requestId=planned["requestId"])
    texts = [first["message"], result["error"], failed, again["error"]]
    assert {language_of(text.replace("Nope", "").replace("rename_sheet", "")) for text in texts} == {began}, texts
