"""The service, killed in the middle of a confirmed round: the workbook is as before, and the plan can be confirmed
again."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
from tests.support.commands import Commands
from tests.support.excel_bench import ExcelClient, plan, put
from tests.support.fake_openai import FakeOpenAI
from tests.support.patience import PATIENCE_S, found
from tests.support.warm_start import Process
from tests.support.wire import Say

LONG = ("run_python", {"sheet": "Sheet1", "code": "import time\ntime.sleep(3600)\nresult = df", "target": "F1"})
QUICK = [{"step": 1, "function": "set_values", "description": "", "parameters": dict(put("B2", 13)[1])}]
WISH = "Raise the pens"


@pytest.fixture
async def modelled(commands: Commands) -> AsyncIterator[FakeOpenAI]:
    """Return a language model that the service of `commands` uses."""
    async with FakeOpenAI() as model:
        commands.environ = {
            "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": model.base_url,
            "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
            "TABLEWRIGHT_MODEL": "openai:fake",
        }
        yield model


async def run_of(http: httpx2.AsyncClient) -> tuple[str, str]:
    """Return the newest conversation and its newest run, once they are there."""

    async def begun() -> tuple[str, str] | None:
        for conversation in (await http.get("/api/v1/conversations")).json()["items"][:1]:
            said = (await http.get(f"/api/v1/conversations/{conversation['id']}/messages")).json()["items"]
            return (conversation["id"], said[-1]["run_id"]) if said else None
        return None

    return await found(begun)


async def killed_in_its_round(http: httpx2.AsyncClient, process: Process, run_id: str) -> None:
    """Wait until the second step of a round runs, and kill the service."""
    started = 0
    async with asyncio.timeout(PATIENCE_S), http.stream("GET", f"/api/v1/runs/{run_id}/events") as stream:
        async for line in stream.aiter_lines():
            started += line.startswith("data: ") and json.loads(line[6:])["body"]["type"] == "step.started"
            if started == 2:
                break
    process.send_signal(signal.SIGKILL)
    await process.wait()


async def until_asked(http: httpx2.AsyncClient, run_id: str) -> dict[str, Any]:
    """Return what a run asks, with the plan it shows."""
    shown: dict[str, Any] = {}
    async with asyncio.timeout(PATIENCE_S), http.stream("GET", f"/api/v1/runs/{run_id}/events") as stream:
        async for line in stream.aiter_lines():
            body = json.loads(line[6:])["body"] if line.startswith("data: ") else {"type": ""}
            if body["type"] in {"plan.proposed", "warning.raised"}:
                shown[body["type"]] = body
            if body["type"] in {"approval.requested", "run.finished"}:
                return shown | body
    raise AssertionError("the run asks nothing")


async def is_ended(http: httpx2.AsyncClient, run_id: str) -> None:
    run = (await http.get(f"/api/v1/runs/{run_id}")).json()
    assert (run["state"], run["outcome"], run["failure"]["code"]) == ("finished", "failed", "owner_lost")
    assert "Ask the same again" in run["failure"]["message"]


@pytest.mark.requirement("rounds-plan-outlives-a-kill")
async def test_a_plan_being_executed_when_the_service_was_killed_is_confirmed_again(
    commands: Commands, modelled: FakeOpenAI
) -> None:
    modelled.says(Say(text=plan(put("B2", 13), LONG)))
    async with commands.serving() as (url, process), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        excel = ExcelClient(http=http)
        planned = await excel.ask(WISH)
        before = await excel.bytes(planned["workbookId"])
        confirming = asyncio.create_task(excel.go_on(WISH, requestId=planned["requestId"]))
        _, run_id = await run_of(http)
        await killed_in_its_round(http, process, run_id)
        with pytest.raises(httpx2.TransportError):
            await confirming
    async with commands.serving() as (url, _), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        excel = ExcelClient(http=http)
        await is_ended(http, run_id)
        assert await excel.bytes(planned["workbookId"]) == before
        done = await excel.go_on(WISH, requestId=planned["requestId"], editedPlan=QUICK)
        assert done["success"], done
        assert (done["totalRounds"], done["version"], done["multiRoundResult"]["completed"]) == (2, 2, True)
        assert await excel.go_on(WISH, requestId=planned["requestId"]) == done
        assert (await excel.rollback(planned["requestId"])).json()["version"] == 1


@pytest.mark.requirement("rounds-plan-outlives-a-kill")
async def test_asked_the_same_again_the_service_shows_the_plan_it_was_killed_over(
    commands: Commands, modelled: FakeOpenAI
) -> None:
    modelled.says(Say(text=plan(put("B2", 13), LONG)))
    async with commands.serving() as (url, process), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        planned = await ExcelClient(http=http).ask(WISH)
        into, run_id = await run_of(http)
        sent = await http.post(f"/api/v1/runs/{run_id}/requests/{planned['requestId']}", json={"decision": "approve"})
        assert sent.status_code == 200, sent.text
        await killed_in_its_round(http, process, run_id)
    async with commands.serving() as (url, _), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        await is_ended(http, run_id)
        sent = await http.post(f"/api/v1/conversations/{into}/messages", json={"text": WISH, "mode": "edit"})
        assert sent.status_code == 202, sent.text
        again = await until_asked(http, sent.json()["run_id"])
        steps = again["plan.proposed"]["plan"]["steps"]
        assert [step["function"] for step in steps] == ["set_values", "run_python"]
        assert again["warning.raised"]["code"] == "rounds.taken_up"
        url = f"/api/v1/runs/{sent.json()['run_id']}/requests/{again['request_id']}"
        decision = {"decision": "approve", "plan": {"execution_plan": QUICK}}
        assert (await http.post(url, json=decision)).status_code == 200
        await http.get(f"/api/v1/runs/{sent.json()['run_id']}/events")
        ended = (await http.get(f"/api/v1/runs/{sent.json()['run_id']}")).json()
        assert ended["outcome"] == "completed", ended
