"""Saved plans over HTTP: made, fitted, applied, refused."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest
from tests.support.excel_bench import Model, planning_parts
from tests.support.excel_bench import plan as written
from tests.support.parts import FakeParts

STEPS = [
    {"step": 1, "function": "set_formula", "parameters": {"range": "C2:C4", "formula": "=B2*2"}, "description": "x"},
    {"step": 2, "function": "set_formula", "parameters": {"range": "B5", "formula": "=SUM(B2:B4)"}, "description": "y"},
]
REQUEST = "double it"


@pytest.fixture(autouse=True)
def model(parts: FakeParts) -> Model:
    """Return the model that plans where a test asks for a plan."""
    made = Model()
    planning_parts(parts, made)
    return made


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


async def in_conversation(client: httpx2.AsyncClient, rows: int) -> tuple[str, str]:
    """Return a conversation and the workbook in it."""
    made = await client.post("/api/v1/conversations", json={"title": "t", "language": "en"})
    conversation = str(made.json()["id"])
    text = "\n".join(["city,amount", *(f"c{row},{row}" for row in range(rows))])
    files = {"file": ("b.csv", text.encode(), "text/csv")}
    sent = await client.post(f"/api/v1/files?conversation_id={conversation}", files=files)
    return conversation, str(sent.json()["id"])


@pytest.mark.requirement("plan-file-applied-is-a-run")
async def test_a_plan_that_is_applied_is_a_run_of_the_workbooks_conversation(client: httpx2.AsyncClient) -> None:
    plan = await saved(client)
    conversation, book = await in_conversation(client, 8)
    done = await client.post(f"/api/v1/workbooks/{book}/apply", json={"plan": plan, "base_version": 1})
    assert done.status_code == 200, done.text
    executed = done.json()
    said = (await client.get(f"/api/v1/conversations/{conversation}/messages")).json()["items"]
    assert [message["author"] for message in said] == ["user", "assistant"]
    assert said[0]["text"] == f"Apply the saved plan: {REQUEST}"
    assert {message["run_id"] for message in said} == {executed["run_id"]}
    run = (await client.get(f"/api/v1/runs/{executed['run_id']}")).json()
    assert (run["state"], run["outcome"], run["mode"]) == ("finished", "completed", "edit")
    assert run["answer"]["changes"]
    events = await client.get(f"/api/v1/runs/{executed['run_id']}/events")
    kinds = [line.removeprefix("event: ") for line in events.text.splitlines() if line.startswith("event: ")]
    expected = [
        "run.started", "message.added", "intent.recognized", "warning.raised", "plan.proposed", "step.announced",
        "workbook.committed", "round.executed", "answer.completed", "run.finished",
    ]  # fmt: skip
    assert [kind for kind in dict.fromkeys(kinds) if kind in expected] == expected
    assert "approval.requested" not in kinds
    undone = await client.post(f"/api/v1/workbooks/{conversation}/undo")
    assert undone.json()["version"] == 1


async def test_a_step_of_it_that_fails_ends_the_run_and_asks_nobody(client: httpx2.AsyncClient) -> None:
    plan = await saved(client)
    plan["steps"] = [
        *plan["steps"],
        {"step": 3, "function": "rename_sheet", "parameters": {"sheet": "No", "name": "X"}},
    ]
    _, book = await in_conversation(client, 4)
    done = await client.post(f"/api/v1/workbooks/{book}/apply", json={"plan": plan, "base_version": 1})
    assert [result["status"] for result in done.json()["steps"]] == ["completed", "completed", "failed"]
    run = (await client.get(f"/api/v1/runs/{done.json()['run_id']}")).json()
    assert (run["state"], run["outcome"]) == ("finished", "failed")


async def test_while_a_plan_of_the_conversation_waits_another_is_not_applied(
    client: httpx2.AsyncClient, model: Model
) -> None:
    plan = await saved(client)
    model.say(written(("sort_rows", {"by": [{"column": "amount"}]})))
    conversation, book = await in_conversation(client, 4)
    asked = {"text": "sort by amount descending", "mode": "edit"}
    started = await client.post(f"/api/v1/conversations/{conversation}/messages", json=asked)
    assert started.status_code < 300
    got = await client.post(f"/api/v1/workbooks/{book}/apply", json={"plan": plan, "base_version": 1})
    assert (got.status_code, got.json()["error"]["code"]) == (409, "run_in_progress")


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


async def test_a_preview_lists_the_cells_of_each_step_names_the_step_that_would_fail_and_changes_nothing(
    client: httpx2.AsyncClient,
) -> None:
    book = await uploaded(client, 3)
    steps = [
        *STEPS,
        {"step": 3, "function": "set_formula", "parameters": {"range": "C2", "formula": "none"}, "description": ""},
        {"step": 4, "function": "no_such_function", "parameters": {}, "description": ""},
    ]
    wanted = {"steps": steps, "cells": 2}
    told = (await client.post(f"/api/v1/workbooks/{book}/preview", json=wanted)).json()
    first, second, third, fourth = told["steps"]
    assert (told["base_version"], told["rolled_back"]) == (1, False)
    assert (first["cells_changed"], first["changes"][0]["range"], first["changes"][0]["truncated"]) == (
        3,
        "C2:C4",
        True,
    )
    assert [(cell["ref"], cell["before"], cell["after"]) for cell in first["changes"][0]["cells"]] == [
        ("C2", None, "=B2*2"), ("C3", None, "=B3*2"),
    ]  # fmt: skip
    assert [cell["ref"] for cell in second["changes"][0]["cells"]] == ["B5"]
    assert [(step["step"], step["status"]) for step in (third, fourth)] == [(3, "failed"), (4, "failed")]
    assert third["error"]["code"]
    assert third["changes"] == fourth["changes"] == []
    after = (await client.get(f"/api/v1/workbooks/{book}/versions")).json()["items"]
    assert [version["number"] for version in after] == [1]
    assert (await client.post("/api/v1/workbooks/nobodys/preview", json=wanted)).status_code == 404
    none = await client.post(f"/api/v1/workbooks/{book}/preview", json={"steps": []})
    assert none.status_code == 422
