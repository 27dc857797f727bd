"""Channels of different owners, and the gate in front of them."""

from __future__ import annotations

from pathlib import Path

import httpx2
import pytest
from asgi_lifespan import LifespanManager
from tests.support.excel_bench import SHEET, ExcelClient, Model, plan, planning_parts, put
from tests.support.parts import FakeParts

from tablewright.api.access import Access
from tablewright.api.app import create_api
from tablewright.domain.ids import SystemClock
from tablewright.service.api_keys import ApiKeys


@pytest.mark.requirement("excel-channels-of-owners-apart")
async def test_two_owners_may_call_different_workbooks_the_same(parts: FakeParts, tmp_path: Path) -> None:
    keys, model = ApiKeys(tmp_path), Model()
    api = create_api(planning_parts(parts, model).opening(), Access(keyless=False, read_key=keys.scope_of))
    anna, ben = (
        {"authorization": f"Bearer {keys.create(name, SystemClock(), owner=name)}"} for name in ("anna", "ben")
    )
    body = {"operation": "x", "channelId": "c1", "context": {"spreadsheet_data": {"sheets": [SHEET]}}}
    url = "/api/v1/excel/operations"
    async with LifespanManager(api) as running:
        transport = httpx2.ASGITransport(app=running.app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://tables.example") as http:
            assert (await http.post(url, json=body)).status_code == 401
            model.say(plan(put("B2", 13)), plan(put("B2", 14)))
            hers = (await http.post(url, json=body, headers=anna)).json()
            his = (await http.post(url, json=body, headers=ben)).json()
            assert hers["workbookId"] != his["workbookId"]
            go_on = {**body, "continueMultiRound": True}
            stolen = await http.post(url, json={**go_on, "requestId": hers["requestId"]}, headers=ben)
            assert stolen.status_code == 404
            done = (await http.post(url, json=go_on, headers=anna)).json()
            assert done["changes"][0]["cells"][0]["after"] == 13
            undo = {"channelId": "c1", "requestId": done["requestId"]}
            assert (await http.post("/api/v1/excel/rollback", json=undo, headers=ben)).status_code == 404
            assert (await http.post("/api/v1/excel/rollback", json=undo, headers=anna)).status_code == 200


async def test_a_page_from_elsewhere_reaches_no_channel(client: httpx2.AsyncClient) -> None:
    for path in ("operations", "rollback", "redo"):
        got = await client.post(f"/api/v1/excel/{path}", json={}, headers={"origin": "http://evil.example"})
        assert (got.status_code, got.json()["error"]["code"]) == (403, "forbidden")
        form = await client.post(f"/api/v1/excel/{path}", data={"operation": "x"})
        assert form.status_code == 422


async def test_a_channels_id_names_its_workbook_natively_too(excel: ExcelClient, model: Model) -> None:
    model.say(plan())
    made = await excel.ask()
    got = await excel.http.get("/api/v1/workbooks/c1")
    assert (got.status_code, got.json()["id"]) == (200, made["workbookId"])
