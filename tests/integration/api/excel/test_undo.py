"""Undo and redo by channel, exact to the byte."""

from __future__ import annotations

import pytest
from tests.support.excel_bench import ExcelClient, Model, plan, put

BROKEN = ("rename_sheet", {"sheet": "Nope", "name": "X"})


async def executed(excel: ExcelClient, model: Model, cell: str, value: object) -> dict[str, str]:
    model.say(plan(put(cell, value)))
    planned = await excel.ask()
    done = await excel.go_on(requestId=planned["requestId"])
    assert done["success"], done
    return {"plan": planned["requestId"], "round": done["requestId"], "workbook": done["workbookId"]}


@pytest.mark.requirement("excel-undo-exact")
@pytest.mark.parametrize("by", ["plan", "round"])
async def test_undo_restores_the_bytes_and_redo_those_after(excel: ExcelClient, model: Model, by: str) -> None:
    model.say(plan())
    workbook = (await excel.ask())["workbookId"]
    before = await excel.bytes(workbook)
    ids = await executed(excel, model, "B2", 13)
    after = await excel.bytes(workbook)
    undone = await excel.rollback(ids[by])
    assert undone.status_code == 200, undone.text
    assert await excel.bytes(workbook) == before
    body = undone.json()
    assert body.keys() == {"success", "requestId", "version", "dataScope", "spreadsheet_data"}
    assert (body["success"], body["requestId"], body["version"], body["dataScope"]) == (True, ids[by], 1, "workbook")
    sheet = body["spreadsheet_data"]["sheets"][0]
    assert (sheet["name"], sheet["range"], sheet["data"][1]) == ("Sheet1", "A1:C4", ["Pen", 12, 24])
    redone = await excel.redo()
    assert redone.status_code == 200, redone.text
    assert await excel.bytes(workbook) == after
    assert redone.json()["spreadsheet_data"]["sheets"][0]["data"][1] == ["Pen", 13, 26]


async def test_undo_of_a_round_undoes_those_after_it(excel: ExcelClient, model: Model) -> None:
    first = await executed(excel, model, "B2", 13)
    await executed(excel, model, "B3", 31)
    body = (await excel.rollback(first["round"])).json()
    assert body["version"] == 1
    assert [row[1] for row in body["spreadsheet_data"]["sheets"][0]["data"]] == ["Sales", 12, 30, 7]


async def test_the_id_of_a_plan_undoes_all_its_rounds(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13), put("B3", 31), BROKEN), plan(put("B4", 8)))
    planned = await excel.ask()
    await excel.go_on(requestId=planned["requestId"])
    assert (await excel.rollback(planned["requestId"])).json()["version"] == 1


async def test_redo_is_gone_once_a_new_round_has_executed(excel: ExcelClient, model: Model) -> None:
    ids = await executed(excel, model, "B2", 13)
    await excel.rollback(ids["round"])
    excel.sheets = []
    await executed(excel, model, "B3", 31)
    gone = await excel.redo()
    assert (gone.status_code, gone.json()["error"]["code"]) == (409, "conflict")


async def test_what_the_channel_never_did_cannot_be_undone(excel: ExcelClient, model: Model) -> None:
    await executed(excel, model, "B2", 13)
    unknown = await excel.rollback("nope")
    assert (unknown.status_code, unknown.json()["error"]["field"]) == (404, "requestId")
    excel.channel = "other"
    missing = await excel.rollback("nope")
    assert (missing.status_code, missing.json()["error"]["field"]) == (404, "channelId")


async def test_a_plan_made_before_an_undo_is_made_anew(excel: ExcelClient, model: Model) -> None:
    ids = await executed(excel, model, "B2", 13)
    model.say(plan(put("B3", 31)), plan(put("B3", 32)))
    planned = await excel.ask()
    await excel.rollback(ids["round"])
    again = await excel.go_on(requestId=planned["requestId"])
    assert again["executionPlan"][0]["parameters"]["values"] == [[32]]
    assert again["warnings"]
    assert (await excel.go_on(requestId=again["requestId"]))["changes"][0]["cells"][0]["after"] == 32
