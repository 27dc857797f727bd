"""Saved plans over HTTP: made, fitted, applied, refused."""

from __future__ import annotations

from typing import Any

import httpx2

STEPS = [
    {"step": 1, "function": "set_formula", "parameters": {"range": "C2:C4", "formula": "=B2*2"}, "description": "x"},
    {"step": 2, "function": "set_formula", "parameters": {"range": "B5", "formula": "=SUM(B2:B4)"}, "description": "y"},
]
REQUEST = "double it"


async def uploaded(client: httpx2.AsyncClient, rows: int, header: str = "amount", name: str = "a.csv") -> str:
    text = "\n".join([f"city,{header}", *(f"c{row},{row}" for row in range(rows))])
    sent = await client.post("/api/v1/files", files={"file": (name, text.encode(), "text/csv")})
    assert sent.status_code == 201, sent.text
    return str(sent.json()["id"])


async def saved(client: httpx2.AsyncClient) -> dict[str, Any]:
    book = await uploaded(client, 3)
    wanted = {"steps": STEPS, "version": 1, "request": REQUEST}
    made = await client.post(f"/api/v1/workbooks/{book}/plan-file", json=wanted)
    assert made.status_code == 200, made.text
    plan: dict[str, Any] = made.json()
    return plan


async def test_a_plan_is_fitted_to_a_longer_table_and_applied_as_one_round_and_version(
    client: httpx2.AsyncClient,
) -> None:
    plan = await saved(client)
    assert (plan["format"], plan["request"]) == (1, REQUEST)
    assert [column["header"] for column in plan["sheets"][0]["tables"][0]["columns"]] == ["city", "amount"]
    other = await uploaded(client, 8, name="other.csv")
    fitted = (await client.post(f"/api/v1/workbooks/{other}/fit", json={"plan": plan})).json()
    assert fitted["differences"] == []
    assert fitted["problems"] == [[], []]
    assert [step["parameters"]["range"] for step in fitted["steps"]] == ["C2:C9", "B10"]
    assert fitted["losses"], "csv becomes xlsx, which is said before"
    base = fitted["base_version"]
    done = await client.post(f"/api/v1/workbooks/{other}/apply", json={"plan": plan, "base_version": base})
    assert done.status_code == 200, done.text
    executed = done.json()
    assert (executed["version"], executed["number"], executed["rolled_back"]) == (base + 1, 2, False)
    assert [result["status"] for result in executed["steps"]] == ["completed", "completed"]
    cells = {cell["ref"]: cell["after"] for cell in executed["changes"][0]["cells"]}
    assert cells["C9"] == "=B9*2"
    assert cells["B10"] == "=SUM(B2:B9)"
    again = await client.post(f"/api/v1/workbooks/{other}/apply", json={"plan": plan, "base_version": base})
    assert again.status_code == 409
    assert again.json()["error"]["code"] == "workbook_changed"


async def test_another_shape_is_refused_in_the_callers_language(client: httpx2.AsyncClient) -> None:
    plan = await saved(client)
    other = await uploaded(client, 3, header="turnover")
    fitted = (await client.post(f"/api/v1/workbooks/{other}/fit", json={"plan": plan})).json()
    assert [notice["code"] for notice in fitted["differences"]] == ["plan_column_differs"]
    refused = await client.post(
        f"/api/v1/workbooks/{other}/apply",
        json={"plan": plan, "base_version": 1},
        headers={"accept-language": "zh"},
    )
    assert refused.status_code == 422
    error = refused.json()["error"]
    assert error["code"] == "workbook_differs"
    assert "turnover" in error["message"]
    assert "amount" in error["message"]
    assert "结构" in error["message"]


async def test_steps_that_the_workbook_does_not_allow_are_told_before(client: httpx2.AsyncClient) -> None:
    plan = await saved(client)
    plan["steps"][0]["parameters"]["formula"] = "no formula"
    plan["steps"][1]["function"] = "no_such_function"
    other = await uploaded(client, 3)
    fitted = (await client.post(f"/api/v1/workbooks/{other}/fit", json={"plan": plan})).json()
    assert all(fitted["problems"])


async def test_what_is_no_plan_and_what_is_not_the_callers_is_refused(client: httpx2.AsyncClient) -> None:
    plan = await saved(client)
    other = await uploaded(client, 3)
    later = await client.post(f"/api/v1/workbooks/{other}/fit", json={"plan": {**plan, "format": 2}})
    assert later.status_code == 422
    assert "format" in later.json()["error"]["field"]
    empty = await client.post(f"/api/v1/workbooks/{other}/fit", json={"plan": {**plan, "steps": []}})
    assert empty.status_code == 422
    assert (await client.post("/api/v1/workbooks/nobodys/fit", json={"plan": plan})).status_code == 404
    nothing = await client.post(f"/api/v1/workbooks/{other}/plan-file", json={"steps": STEPS, "version": 99})
    assert nothing.status_code == 404
