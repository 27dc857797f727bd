"""The rounds of a workbook over real HTTP: the built-in analyst, a language model, clients that leave."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
from openpyxl import load_workbook
from tests.support.commands import Commands
from tests.support.excel_bench import ExcelClient, plan, put, read_frames
from tests.support.fake_openai import FakeOpenAI
from tests.support.patience import PATIENCE_S, found
from tests.support.scripted_http import Hold
from tests.support.wire import Say, Think

SALES = {"name": "Sheet1", "range": "A1:B7", "data": [
    ["Product", "Sales"], ["Pen", 12], ["Ink", 30], ["Cup", 7], ["Bag", 55], ["Mug", 41], ["Hat", 3],
]}  # fmt: skip
WISHES = {
    "en": "Create a sales chart and highlight the top 3 products",
    "zh": "创建销售图表并高亮前3个产品",
}


@pytest.fixture
async def served(commands: Commands) -> AsyncIterator[httpx2.AsyncClient]:
    """Return a client of the service as it is without any setting."""
    async with commands.serving() as (url, _), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        yield http


@pytest.mark.requirement("excel-whole-example")
@pytest.mark.parametrize("language", ["en", "zh"])
async def test_the_whole_example_is_planned_executed_and_undone(
    served: httpx2.AsyncClient, language: str, tmp_path: Path
) -> None:
    excel = ExcelClient(http=served, channel=language, language=language, sheets=[SALES])
    planned = await excel.ask(WISHES[language], messageId="m1", uid="u1")
    functions = [step["function"] for step in planned["executionPlan"]]
    assert "create_chart" in functions
    assert "highlight_cells" in functions
    assert planned["multiRoundResult"]["continueNeeded"]
    before = await excel.bytes(planned["workbookId"])
    body = excel.body(WISHES[language], continueMultiRound=True, previousRounds=1, requestId=planned["requestId"])
    frames = await excel.frames(body)
    assert [name for name, _ in frames] == ["START", "NODE_START", "PROCESSING", "RESULT", "NODE_END", "COMPLETE"]
    done = dict(frames)["RESULT"]
    assert (done["success"], done["totalRounds"], done["isContinuation"]) == (True, 2, True)
    result = done["multiRoundResult"]
    assert (result["completed"], result["continueNeeded"], result["dataScope"]) == (True, False, "chart")
    assert {step["status"] for step in result["executedBatches"][0]["steps"]} == {"completed"}
    (tmp_path / "done.xlsx").write_bytes(await excel.bytes(planned["workbookId"]))
    sheet = load_workbook(tmp_path / "done.xlsx")["Sheet1"]
    assert len(sheet._charts) == 1
    filled = {row[0].value for row in sheet.iter_rows(2, 7) if row[1].fill.fill_type or row[0].fill.fill_type}
    assert filled == {"Ink", "Bag", "Mug"}
    undone = await excel.rollback(done["requestId"])
    assert undone.status_code == 200
    assert await excel.bytes(planned["workbookId"]) == before


async def test_talk_needs_no_workbook_and_a_wish_says_that_it_does(served: httpx2.AsyncClient) -> None:
    excel = ExcelClient(http=served, sheets=[], language="zh")
    talk = await excel.ask("你好")
    assert (talk["success"], talk["multiRoundResult"]["completed"]) == (True, True)
    assert "executionPlan" not in talk
    wish = await excel.ask("按销售额降序排序")
    assert (wish["success"], wish["multiRoundResult"]["continueNeeded"]) == (False, False)
    assert "工作簿" in wish["error"]


async def test_talk_beside_a_workbook_is_talk(served: httpx2.AsyncClient) -> None:
    excel = ExcelClient(http=served, sheets=[SALES])
    talk = await excel.ask("What can you do?")
    assert "executionPlan" not in talk
    assert talk["message"]


async def test_a_step_edited_by_the_person_is_executed_as_edited(served: httpx2.AsyncClient) -> None:
    excel = ExcelClient(http=served, sheets=[SALES], language="zh")
    planned = await excel.ask("按Sales降序排序")
    step = planned["executionPlan"][0]
    step["parameters"]["by"][0]["descending"] = False
    done = await excel.go_on("按Sales降序排序", requestId=planned["requestId"], editedPlan=[step])
    assert done["success"], done
    undone = (await excel.rollback(planned["requestId"])).json()
    assert undone["spreadsheet_data"]["sheets"][0]["data"] == SALES["data"]
    redone = (await excel.redo()).json()
    assert [row[1] for row in redone["spreadsheet_data"]["sheets"][0]["data"][1:]] == [3, 7, 12, 30, 41, 55]


async def test_the_functions_are_listed_with_their_schemas_and_other_names(served: httpx2.AsyncClient) -> None:
    listed = (await served.get("/api/v1/excel/functions")).json()["functions"]
    names = {one["name"]: one for one in listed}
    accepted = set(names) | {alias for one in listed for alias in one["aliases"]}
    assert accepted >= {
        "create_chart", "set_chart_title", "create_bar_chart", "identify_top_products", "highlight_cells",
        "format_data",
        "set_values", "set_formula", "sort_rows", "run_python",
    }  # fmt: skip
    assert names["create_chart"]["parameters"]["properties"]["type"]
    assert all(one["description"] and one["parameters"]["type"] == "object" for one in listed)


@pytest.mark.requirement("excel-plans-outlive-the-service")
async def test_a_plan_is_confirmed_after_the_service_was_started_anew(commands: Commands) -> None:
    async with commands.serving() as (url, _), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        planned = await ExcelClient(http=http, sheets=[SALES]).ask("sort by Sales")
    async with commands.serving() as (url, _), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        excel = ExcelClient(http=http, sheets=[SALES])
        done = await excel.go_on("sort by Sales", requestId=planned["requestId"])
        assert done["multiRoundResult"]["completed"]
        assert (await excel.rollback(done["requestId"])).json()["version"] == 1


@pytest.fixture
async def modelled(commands: Commands) -> AsyncIterator[tuple[FakeOpenAI, httpx2.AsyncClient]]:
    """Return a language model and a client of a service that uses it."""
    async with FakeOpenAI() as model:
        commands.environ = {
            "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": model.base_url,
            "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
            "TABLEWRIGHT_MODEL": "openai:fake",
        }
        async with commands.serving() as (url, _), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
            yield model, http


@pytest.mark.requirement("excel-goes-on-without-its-client")
async def test_a_client_that_leaves_stops_nothing_and_another_request_meanwhile_is_told(
    modelled: tuple[FakeOpenAI, httpx2.AsyncClient],
) -> None:
    model, http = modelled
    excel = ExcelClient(http=http, sheets=[SALES])
    released = asyncio.Event()
    model.says(Think(text="Let me see."), Hold(until=released), Say(text=plan(put("B2", 13))))
    events = {"accept": "text/event-stream"}
    async with http.stream("POST", "/api/v1/excel/operations", json=excel.body(), headers=events) as stream:
        lines = stream.aiter_lines()
        async with asyncio.timeout(PATIENCE_S):
            while "MESSAGE_THINK" not in await anext(lines):
                pass
    second = await excel.post(excel.body("and?"))
    assert (second.status_code, second.json()["error"]["code"]) == (409, "run_in_progress")
    released.set()

    async def confirmed() -> httpx2.Response | None:
        got = await excel.post(excel.body(continueMultiRound=True))
        return None if got.status_code == 409 else got

    done = (await found(confirmed)).json()
    assert done["multiRoundResult"]["executedBatches"][0]["steps"][0]["status"] == "completed"


async def test_thinking_comes_piece_by_piece_before_the_result(
    modelled: tuple[FakeOpenAI, httpx2.AsyncClient],
) -> None:
    model, http = modelled
    excel = ExcelClient(http=http, sheets=[SALES])
    model.says(
        Think(text="First "), Think(text="the pens."), Say(text=f"Here it is:\n```json\n{plan(put('B2', 13))}\n```")
    )
    frames = read_frames((await excel.post(excel.body(), headers={"accept": "text/event-stream"})).text)
    names = [name for name, _ in frames]
    assert names.index("MESSAGE_THINK") < names.index("RESULT")
    assert "".join(data["param"] for name, data in frames if name == "MESSAGE_THINK") == "First the pens."
    assert dict(frames)["RESULT"]["executionPlan"][0]["function"] == "set_values"


async def test_a_model_that_refuses_is_a_result_that_says_so(modelled: tuple[FakeOpenAI, httpx2.AsyncClient]) -> None:
    model, http = modelled
    excel = ExcelClient(http=http, sheets=[SALES], language="zh")
    model.fails(401, "no such key")
    frames = read_frames((await excel.post(excel.body("排序"), headers={"accept": "text/event-stream"})).text)
    result = dict(frames)["RESULT"]
    assert not result["success"]
    assert result["error"].startswith("服务调用失败: ")
    assert json.loads(json.dumps(result["multiRoundResult"]))["completed"] is False
