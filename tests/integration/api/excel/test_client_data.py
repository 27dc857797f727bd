"""The workbook of record and what a client sends of it."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from tests.support.excel_bench import VALUES, AnyTables, ExcelClient, Model, plan, put
from tests.support.parts import FakeParts
from tests.support.workbooks import write_xlsx

from tablewright.domain.table import Cell


async def cells(excel: ExcelClient, workbook: str, sheet: str = "Sheet1") -> dict[str, Any]:
    got = await excel.http.get(f"/api/v1/workbooks/{workbook}/sheets/{sheet}/cells")
    assert got.status_code == 200, got.text
    return {cell["ref"]: cell["formula"] or cell["value"] for cell in got.json()["cells"]}


def edited(sheet: dict[str, Any], **values: Any) -> list[dict[str, Any]]:
    """Return the sheet as the client sends it after editing cells by their place in `data`."""
    copy = deepcopy(sheet)
    for place, value in values.items():
        row, column = (int(part) for part in place[1:].split("_"))
        copy["data"][row][column] = value
    return [copy]


@pytest.fixture
async def workbook(excel: ExcelClient, model: Model) -> str:
    """Return the workbook made of what the client sent first: its values and formulas."""
    model.say(plan())
    made = str((await excel.ask())["workbookId"])
    excel.sheets = [VALUES]
    model.say(plan())
    assert (await excel.ask())["version"] == 1
    return made


@pytest.mark.requirement("excel-unchanged-values-keep-formulas")
async def test_values_that_a_client_has_not_changed_never_replace_formulas(
    excel: ExcelClient, model: Model, workbook: str
) -> None:
    model.say(plan())
    excel.sheets = edited(VALUES, r1_1=20, r1_2=40)  # the client's own grid has computed C2 as well
    response = await excel.ask()
    assert response["version"] == 2
    now = await cells(excel, workbook)
    assert (now["B2"], now["C2"], now["C3"]) == (20, "=B2*2", "=B3*2")


async def test_a_value_written_over_a_formula_by_hand_is_taken(excel: ExcelClient, model: Model, workbook: str) -> None:
    model.say(plan())
    excel.sheets = edited(VALUES, r1_2=99)
    await excel.ask()
    assert (await cells(excel, workbook))["C2"] == 99


async def test_the_first_cell_is_the_top_left_of_the_range(excel: ExcelClient, model: Model, workbook: str) -> None:
    part = {"name": "Sheet1", "range": "B2:B3", "data": [[12], [31]]}
    model.say(plan())
    excel.sheets = [part]
    await excel.ask()
    assert (await cells(excel, workbook))["B3"] == 31


async def test_a_cell_emptied_and_a_row_added_are_taken(excel: ExcelClient, model: Model, workbook: str) -> None:
    sheet = edited(VALUES, r3_0=None)[0]
    sheet["data"].append(["Bag", 3, "=B5*2"])
    sheet["range"] = "A1:C5"
    model.say(plan())
    excel.sheets = [sheet]
    await excel.ask()
    now = await cells(excel, workbook)
    assert "A4" not in now
    assert (now["A5"], now["B5"], now["C5"]) == ("Bag", 3, "=B5*2")


async def test_a_new_sheet_is_added(excel: ExcelClient, model: Model, workbook: str) -> None:
    model.say(plan())
    excel.sheets = [VALUES, {"name": "Notes", "data": [["by hand"]]}]
    await excel.ask()
    assert await cells(excel, workbook, "Notes") == {"A1": "by hand"}


@pytest.mark.requirement("excel-stale-client-undoes-nothing")
async def test_a_client_that_has_not_refreshed_undoes_nothing(excel: ExcelClient, model: Model, workbook: str) -> None:
    model.say(plan(put("B2", 13)), plan())
    planned = await excel.ask()
    await excel.go_on(requestId=planned["requestId"])
    response = await excel.ask("and now?")  # still with the old B2
    assert response["version"] == 2
    assert (await cells(excel, workbook))["B2"] == 13


async def test_a_client_that_has_refreshed_edits_nothing_by_it(excel: ExcelClient, model: Model, workbook: str) -> None:
    model.say(plan(put("B2", 13)), plan())
    planned = await excel.ask()
    await excel.go_on(requestId=planned["requestId"])
    excel.sheets = edited(VALUES, r1_1=13, r1_2=26)
    assert (await excel.ask("and now?"))["version"] == 2


async def test_what_others_changed_meanwhile_stays(excel: ExcelClient, model: Model, workbook: str) -> None:
    put_b3 = {"function": "set_values", "sheet": "Sheet1", "range": "B3", "values": [[500]]}
    wrote = await excel.http.post(
        f"/api/v1/workbooks/{workbook}/edits", json={"operations": [put_b3], "base_version": 1}
    )
    assert wrote.status_code < 300, wrote.text
    model.say(plan())
    excel.sheets = edited(VALUES, r3_1=8)
    await excel.ask()
    now = await cells(excel, workbook)
    assert (now["B3"], now["B4"], now["C3"]) == (500, 8, "=B3*2")


async def test_a_clients_own_edit_is_no_reason_to_plan_anew(excel: ExcelClient, model: Model, workbook: str) -> None:
    model.say(plan(put("B2", 13)))
    planned = await excel.ask()
    excel.sheets = edited(VALUES, r3_1=8)
    done = await excel.go_on(requestId=planned["requestId"])
    assert "executedBatches" in done["multiRoundResult"]
    now = await cells(excel, workbook)
    assert (now["B2"], now["B4"]) == (13, 8)


@pytest.mark.requirement("excel-second-writer-replans")
async def test_where_another_wrote_meanwhile_the_plan_is_made_anew_and_asked_about(
    excel: ExcelClient, model: Model, workbook: str
) -> None:
    model.say(plan(put("B2", 13)), plan(put("B2", 14)))
    planned = await excel.ask()
    put_b3 = {"function": "set_values", "sheet": "Sheet1", "range": "B3", "values": [[500]]}
    await excel.http.post(f"/api/v1/workbooks/{workbook}/edits", json={"operations": [put_b3], "base_version": 1})
    again = await excel.go_on(requestId=planned["requestId"])
    assert again["executionPlan"][0]["parameters"]["values"] == [[14]]
    assert again["requestId"] != planned["requestId"]
    assert again["warnings"]
    await excel.go_on(requestId=again["requestId"])
    now = await cells(excel, workbook)
    assert (now["B2"], now["B3"]) == (14, 500)


@pytest.mark.requirement("excel-edit-of-moved-cells-refused")
async def test_an_edit_by_a_client_that_does_not_know_that_rows_have_moved_is_refused(
    excel: ExcelClient, model: Model, workbook: str
) -> None:
    model.say(plan(("sort_rows", {"sheet": "Sheet1", "by": [{"column": "Sales", "descending": True}]})), plan())
    planned = await excel.ask()
    await excel.go_on(requestId=planned["requestId"])  # now Ink, Pen, Cup
    excel.sheets = edited(VALUES, r1_1=13)  # still sees the pens in row 2
    response = await excel.ask("and now?")
    assert "B2" in response["warnings"][0]
    assert (await cells(excel, workbook))["B2"] == 30


async def test_an_edit_after_a_refresh_is_taken_where_rows_have_moved(
    excel: ExcelClient, model: Model, workbook: str
) -> None:
    model.say(plan(("sort_rows", {"sheet": "Sheet1", "by": [{"column": "Sales", "descending": True}]})), plan())
    planned = await excel.ask()
    await excel.go_on(requestId=planned["requestId"])
    ink, pen = ["Ink", 31, 62], ["Pen", 12, 24]
    excel.sheets = edited(
        VALUES,
        **{f"r{row}_{column}": value for row, cells_ in ((1, ink), (2, pen)) for column, value in enumerate(cells_)},
    )
    response = await excel.ask("and now?")
    assert "warnings" not in response
    assert (await cells(excel, workbook))["B2"] == 31


async def test_a_cell_that_a_round_wrote_may_be_written_again_by_hand(
    excel: ExcelClient, model: Model, workbook: str
) -> None:
    model.say(plan(put("B2", 13)), plan())
    planned = await excel.ask()
    await excel.go_on(requestId=planned["requestId"])
    excel.sheets = edited(VALUES, r1_1=14, r1_2=28)
    await excel.ask("and now?")
    now = await cells(excel, workbook)
    assert (now["B2"], now["C2"]) == (14, "=B2*2")


async def test_two_clients_of_a_channel_are_told_apart(excel: ExcelClient, model: Model, workbook: str) -> None:
    model.say(plan(), plan(), plan())
    await excel.ask(uid="other")
    excel.sheets = edited(VALUES, r1_1=20)
    await excel.ask()
    excel.sheets = edited(VALUES, r3_1=8)  # the other client still has 12 in B2
    await excel.ask(uid="other")
    now = await cells(excel, workbook)
    assert (now["B2"], now["B4"]) == (20, 8)


async def test_an_uploaded_file_is_the_channels_workbook(excel: ExcelClient, model: Model, tmp_path: Path) -> None:
    rows: list[list[Cell]] = [["Product", "Sales", "Double"], ["Pen", 12, "=B2*2"], ["Ink", 30, "=B3*2"]]
    content = write_xlsx(tmp_path / "sales.xlsx", {"Sheet1": rows}).read_bytes()
    sent = await excel.http.post(
        "/api/v1/files", params={"channel_id": "uploaded"}, files={"file": ("sales.xlsx", content)}
    )
    assert sent.status_code == 201, sent.text
    model.say(plan(put("B2", 13)), plan())
    excel.channel, excel.sheets = "uploaded", [VALUES]
    planned = await excel.ask()
    assert (planned["workbookId"], planned["version"]) == (sent.json()["id"], 1)
    assert (await excel.go_on(requestId=planned["requestId"]))["version"] == 2
    excel.channel = sent.json()["id"]  # a file's id names its workbook too
    assert (await excel.ask("and now?"))["version"] == 2


async def test_too_many_cells_are_refused_by_their_sheet(excel: ExcelClient) -> None:
    excel.sheets = [{"name": "S", "data": [[1] * 1000] * 201}]
    refused = await excel.post(excel.body())
    assert refused.status_code == 422
    assert refused.json()["error"]["field"] == "context.spreadsheet_data.sheets.0.data"


async def test_an_empty_workbook_can_be_written_into(parts: FakeParts, excel: ExcelClient, model: Model) -> None:
    assert isinstance(parts.tables, AnyTables)
    parts.tables.empty = True
    model.say(plan(put("A1", "Product", "S")))
    excel.sheets = [{"name": "S", "data": []}]
    planned = await excel.ask("write a header")
    done = await excel.go_on(requestId=planned["requestId"])
    assert done["changes"][0]["cells"] == [{"ref": "A1", "before": None, "after": "Product"}]


async def test_what_was_known_of_one_workbook_is_not_held_against_the_next(
    excel: ExcelClient, model: Model, workbook: str, tmp_path: Path
) -> None:
    content = write_xlsx(tmp_path / "next.xlsx", {"Sheet1": [["Other"], [1], [2]]}).read_bytes()
    sent = await excel.http.post("/api/v1/files", params={"channel_id": "c1"}, files={"file": ("next.xlsx", content)})
    model.say(plan())
    excel.sheets = [{"name": "Sheet1", "data": [["Other"], [1], [2]]}]
    response = await excel.ask()
    assert (response["workbookId"], response["version"]) == (sent.json()["id"], 1)
    assert workbook != response["workbookId"]


async def test_errors_come_in_the_language_of_the_request(excel: ExcelClient) -> None:
    excel.language = "zh"
    refused = await excel.post(excel.body(continueMultiRound=True, requestId="nope"))
    assert "计划" in refused.json()["error"]["message"]


async def test_a_text_that_is_no_formula_is_kept_as_text_and_never_written_as_one(
    excel: ExcelClient, model: Model
) -> None:
    model.say(plan(), plan())
    excel.sheets = [{"name": "S", "data": [["=SUM("], ["=A1&1"]]}]
    made = (await excel.ask())["workbookId"]
    assert await cells(excel, made, "S") == {"A1": "=SUM(", "A2": "=A1&1"}
    excel.sheets = [{"name": "S", "data": [["=SUM("], ["=1+"]]}]
    response = await excel.ask()
    assert "A2" in response["warnings"][0]
    assert (await cells(excel, made, "S"))["A2"] == "=A1&1"
