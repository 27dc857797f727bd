"""Workbooks whose formulas were never computed, as libraries write them."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

import httpx2
import openpyxl
import pytest
from tests.support.commands import Commands
from tests.support.mcp_bench import Heard, over_stdio, parameters
from tests.support.patience import PATIENCE_S

ROWS = [("North", 10, 2), ("South", 5, 4), ("North", 3, 7), ("East", 2.5, 4)]


def written() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.create_sheet("Sales", 0)
    sheet.append(["Region", "Price", "Quantity", "Amount"])
    for number, (region, price, quantity) in enumerate(ROWS, 2):
        sheet.append([region, price, quantity, f"=B{number}*C{number}"])
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


@pytest.mark.requirement("files-formulas-computed")
async def test_their_values_are_read_and_the_file_stays_as_it_was_sent(commands: Commands) -> None:
    sent = written()
    async with (
        commands.serving() as (url, _process),
        httpx2.AsyncClient(base_url=f"{url}/api/v1", timeout=PATIENCE_S) as http,
    ):
        made = (await http.post("/conversations", json={"language": "en"})).json()["id"]
        upload = await http.post("/files", params={"conversation_id": made}, files={"file": ("sales.xlsx", sent)})
        file_id = upload.json()["id"]
        assert (await http.get(f"/files/{file_id}/download")).content == sent
        assert [row[3] for row in (await http.get(f"/files/{file_id}/preview")).json()["rows"]] == [20, 20, 21, 10]
        asked = await http.post(f"/conversations/{made}/messages", json={"text": "What is the total amount by region?"})
        run_id = asked.json()["run_id"]
        await http.get(f"/runs/{run_id}/events")
        answer = (await http.get(f"/runs/{run_id}")).json()["answer"]
        assert dict(answer["result"]["rows"]) == {"North": 41, "South": 20, "East": 10}
        script = (await http.get(f"/runs/{run_id}/export.py")).text
        assert "The formulas of sales.xlsx have no stored values" in script
        notebook = (await http.get(f"/runs/{run_id}/export.ipynb")).text
        assert "The formulas of sales.xlsx have no stored values" in notebook


@pytest.mark.requirement("files-formulas-computed")
async def test_their_values_are_previewed_over_mcp(tmp_path: Path) -> None:
    path = tmp_path / "sales.xlsx"
    sent = written()
    path.write_bytes(sent)
    async with asyncio.timeout(PATIENCE_S), over_stdio(parameters(tmp_path), Heard()) as session:
        shown = await session.call_tool("get_preview_data", {"path_or_url": str(path)})
    assert shown.structured_content is not None
    assert [row["Amount"] for row in shown.structured_content["sample"]] == [20, 20, 21, 10]
    assert path.read_bytes() == sent
