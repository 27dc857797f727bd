"""Requests that come together, and runs that end otherwise."""

from __future__ import annotations

import asyncio

import httpx2
from tests.support.excel_bench import ExcelClient, Model, plan, put
from tests.support.patience import PATIENCE_S, found

from tablewright.models.base import TextPiece
from tablewright.models.scripted import Delay, Reply


async def running(http: httpx2.AsyncClient) -> str:
    """Return the id of the first run of the newest conversation, once it is there."""

    async def begun() -> str | None:
        for conversation in (await http.get("/api/v1/conversations")).json()["items"][:1]:
            for said in (await http.get(f"/api/v1/conversations/{conversation['id']}/messages")).json()["items"]:
                return str(said["run_id"])
        return None

    return await found(begun)


async def test_a_plan_confirmed_twice_at_once_is_executed_once(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13)))
    planned = await excel.ask()
    body = excel.body(continueMultiRound=True, requestId=planned["requestId"])
    both = await asyncio.gather(excel.post(body), excel.post(body), excel.post(body))
    done = [one.json() for one in both if one.status_code == 200]
    assert {one.status_code for one in both} <= {200, 409}
    assert {one["requestId"] for one in done} == {done[0]["requestId"]}
    assert (await excel.go_on(requestId=planned["requestId"]))["version"] == 2


async def test_the_first_requests_of_a_channel_at_once_make_one_workbook(excel: ExcelClient, model: Model) -> None:
    model.say(plan(), plan(), plan())
    both = await asyncio.gather(*(excel.post(excel.body()) for _ in range(3)))
    workbooks = {one.json()["workbookId"] for one in both if one.status_code == 200}
    assert len(workbooks) == 1
    assert len((await excel.http.get("/api/v1/files")).json()["items"]) == 1


async def test_a_run_that_is_stopped_is_told_as_such(excel: ExcelClient, model: Model) -> None:
    model.say(Reply(parts=(Delay(seconds=60), TextPiece(text=plan()))))
    excel.language = "zh"
    asking = asyncio.create_task(excel.ask())
    await excel.http.post(f"/api/v1/runs/{await running(excel.http)}/cancel")
    async with asyncio.timeout(PATIENCE_S):
        response = await asking
    assert not response["success"]
    assert "停止" in response["error"]


async def test_a_plan_rejected_natively_cannot_be_confirmed_any_more(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13)))
    planned = await excel.ask()
    url = f"/api/v1/runs/{await running(excel.http)}/requests/{planned['requestId']}"
    assert (await excel.http.post(url, json={"decision": "reject"})).status_code == 200
    await excel.http.get(f"{url.partition('/requests')[0]}/events")
    stale = await excel.post(excel.body(continueMultiRound=True, requestId=planned["requestId"]))
    assert (stale.status_code, stale.json()["error"]["code"]) == (409, "conflict")


async def test_a_plan_confirmed_natively_is_answered_here_with_what_came_of_it(
    excel: ExcelClient, model: Model
) -> None:
    model.say(plan(put("B2", 13)))
    planned = await excel.ask()
    run_id = await running(excel.http)
    await excel.http.post(f"/api/v1/runs/{run_id}/requests/{planned['requestId']}", json={"decision": "approve"})
    await excel.http.get(f"/api/v1/runs/{run_id}/events")
    again = await excel.go_on(requestId=planned["requestId"])
    assert again["multiRoundResult"]["executedBatches"][0]["steps"][0]["status"] == "completed"
