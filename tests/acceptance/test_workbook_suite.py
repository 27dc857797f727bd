"""A suite whose answers are workbooks."""

from __future__ import annotations

import json

import openpyxl
import pytest
from tests.support.commands import Commands
from tests.support.workbooks import write_xlsx

from tablewright.domain.table import Cell


@pytest.mark.requirement("eval-changes-workbooks")
async def test_a_suite_of_changes_leaves_a_changed_workbook_for_each_case(commands: Commands) -> None:
    suite = commands.folder / "suite"
    suite.mkdir()
    rows: list[list[Cell]] = [["region", "amount"], ["East", 5], ["West", 30], ["North", 12]]
    write_xlsx(suite / "sales.xlsx", {"Sales": rows})
    case = {
        "id": "sorted", "lang": "en", "files": ["sales.xlsx"], "check": {"kind": "workbook"},
        "prompt": "Sort the rows by amount from high to low and add a column tax = amount * 0.5",
    }  # fmt: skip
    (suite / "suite.jsonl").write_text(json.dumps(case) + "\n", encoding="utf-8")
    out = commands.folder / "results.jsonl"
    said = await commands.run("eval", str(suite), "--out", str(out))
    assert said.code == 0, said.err
    result = json.loads(out.read_text(encoding="utf-8"))
    assert not result["declined"], result
    sheet = openpyxl.load_workbook(result["files"][0], data_only=True)["Sales"]
    assert [list(row) for row in sheet.iter_rows(values_only=True)] == [
        ["region", "amount", "tax"], ["West", 30, 15], ["North", 12, 6], ["East", 5, 2.5],
    ]  # fmt: skip
    assert openpyxl.load_workbook(suite / "sales.xlsx")["Sales"]["B2"].value == 5
