"""Rounds on a workbook over HTTP: asked, confirmed with edits, executed, looked at, undone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.support.parts import CsvTables, FakeParts
from tests.support.patience import PATIENCE_S
from tests.support.rounds_bench import plan, setting
from tests.support.workbooks import write_xlsx

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.rounds.agent import Rounds
from tablewright.data.base import FileProfile, OpenLimits
from tablewright.domain.events import EventBody
from tablewright.domain.message import TranscriptEntry
from tablewright.models.scripted import ScriptedModel

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class NoTables(CsvTables):
    """Knows of no tables in workbooks."""

    async def profile(self, path: Path, name: str, limits: OpenLimits | None = None) -> FileProfile:
        return FileProfile(kind="xlsx", datasets=())


@pytest.fixture
def parts(tmp_path: Path) -> FakeParts:
    replies = iter([plan(setting("B2", 4), ("delete_rows", {"row": 3}))])

    async def script(given: AgentInput, context: AgentContext) -> AsyncIterator[EventBody | TranscriptEntry]:
        model = ScriptedModel(lambda _: next(replies))
        async for item in Rounds().run(given, replace(context, model=model)):
            yield item

    return FakeParts(folder=tmp_path, script=script, tables=NoTables())


async def waiting(client: httpx2.AsyncClient, run_id: str) -> dict[str, Any]:
    """Return the request that the run waits for."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            run = (await client.get(f"/api/v1/runs/{run_id}")).json()
            assert run["state"] != "finished", run
            if run["state"] == "waiting":
                (request,) = [one for one in run["requests"] if one["answer"] is None]
                return dict(request)
            await asyncio.sleep(0)


async def test_a_confirmed_plan_changes_the_workbook_and_is_undone(client: httpx2.AsyncClient, tmp_path: Path) -> None:
    sent = write_xlsx(tmp_path / "s.xlsx", {"Sales": [["a", "b"], ["x", 1], ["y", 2]]}).read_bytes()
    into = (await client.post("/api/v1/conversations", json={"title": "t"})).json()["id"]
    files = {"file": ("s.xlsx", sent, XLSX)}
    book = (await client.post("/api/v1/files", params={"conversation_id": into}, files=files)).json()["id"]
    asked = await client.post(f"/api/v1/conversations/{into}/messages", json={"text": "Put it right", "mode": "edit"})
    run_id = asked.json()["run_id"]
    request = await waiting(client, run_id)
    assert (request["kind"], request["subject_kind"]) == ("approval", "operation_plan")
    assert "2. Do delete_rows (delete_rows)" in request["prompt"]
    place = f"/api/v1/runs/{run_id}/requests/{request['id']}"
    wrong = {
        "execution_plan": [{"function": "set_values", "parameters": {"range": "B2", "values": [[5]], "colour": 1}}]
    }
    refused = await client.post(place, json={"decision": "approve", "plan": wrong}, headers={"accept-language": "en"})
    assert refused.status_code == 422
    assert "There is no parameter “colour”" in refused.text
    edited = {"execution_plan": [{"function": "set_values", "parameters": {"range": "B2", "values": [[5]]}}]}
    assert (await client.post(place, json={"decision": "approve", "plan": edited})).status_code == 200
    events = await client.get(f"/api/v1/runs/{run_id}/events")
    for name in ("intent.recognized", "plan.proposed", "workbook.committed", "round.executed", "answer.completed"):
        assert f"event: {name}" in events.text
    answer = (await client.get(f"/api/v1/runs/{run_id}")).json()["answer"]
    (changes,) = answer["changes"]
    assert (changes["sheet"], changes["cells"]) == ("Sales", [{"ref": "B2", "before": 1, "after": 5}])
    cells = (await client.get(f"/api/v1/workbooks/{book}/sheets/Sales/cells", params={"range": "A2:B3"})).json()[
        "cells"
    ]
    assert [cell["value"] for cell in cells] == ["x", 5, "y", 2]
    assert (await client.post(f"/api/v1/workbooks/{book}/undo", json={})).json()["version"] == 1
    assert (await client.get(f"/api/v1/workbooks/{book}/download")).content == sent
