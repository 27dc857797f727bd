"""Workbooks that count their days from 1904 show, find and keep the dates that Excel shows."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import xlsxwriter
from tests.support.workbooks import InlineWorker

from tablewright.data.files.xlsx_head import read_head
from tablewright.domain.codec import from_python
from tablewright.domain.operations import AnyOperation
from tablewright.workbook.package.editor import PackageEditor
from tablewright.workbook.package.opener import opened

DAYS = [datetime(2020, 5, 4), datetime(2021, 1, 2)]  # noqa: DTZ001  # a cell knows no time zone


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source.xlsx"
    with xlsxwriter.Workbook(path, {"date_1904": True}) as book:
        sheet, look = book.add_worksheet("Days"), book.add_format({"num_format": "yyyy-mm-dd"})
        sheet.write("A1", "Day")
        for row, day in enumerate(DAYS, 1):
            sheet.write_datetime(row, 0, day, look)
    return path


async def _edited(source: Path, step: dict[str, Any]) -> list[Any]:
    target = source.with_name("target.xlsx")
    await PackageEditor(InlineWorker()).apply(source, target, from_python(tuple[AnyOperation, ...], [step]))
    return [row[0] for row in openpyxl.load_workbook(target)["Days"].iter_rows(min_row=2)]


def test_a_date_is_shown_as_excel_shows_it(source: Path) -> None:
    with opened(source, "source.xlsx") as found:
        assert [found.book.sheet().read(row, 1).shown for row in (2, 3)] == ["2020-05-04", "2021-01-02"]


async def test_a_date_is_compared_as_excel_shows_it(source: Path) -> None:
    test = {"column": "Day", "op": ">=", "value": "2021-01-01"}
    cells = await _edited(source, {"function": "highlight_cells", "where": {"tests": [test]}})
    assert [bool(cell.fill.fill_type) for cell in cells] == [False, True]


async def test_a_date_whose_text_is_replaced_stays_in_its_year(source: Path) -> None:
    cells = await _edited(source, {"function": "find_replace", "find": "-05-", "replace": "-06-"})
    assert [cell.value for cell in cells] == [datetime(2020, 6, 4), DAYS[1]]  # noqa: DTZ001  # as above


async def test_a_date_in_a_rule_is_the_day_that_excel_takes_it_for(source: Path) -> None:
    rule = {"function": "conditional_format", "range": "A2:A3", "kind": "rule", "op": ">=", "value": "2021-01-02"}
    await _edited(source, rule)
    rules = openpyxl.load_workbook(source.with_name("target.xlsx"))["Days"].conditional_formatting
    written = [found.formula for area in rules for found in area.rules]
    assert written == [[str((DAYS[1] - datetime(1904, 1, 1)).days)]]  # noqa: DTZ001  # as above


def test_the_head_of_a_large_sheet_has_the_dates_that_excel_shows(source: Path) -> None:
    assert read_head(source, "xl/worksheets/sheet1.xml", 5).rows[1:] == [[day] for day in DAYS]


async def test_dates_over_several_measures_are_named_as_excel_shows_them(source: Path) -> None:
    measures = [{"aggregation": "count"}, {"aggregation": "max", "column": "Day"}]
    step = {"function": "summarize", "groups": ["Day"], "across": "Day", "measures": measures, "target_sheet": "Sum"}
    await _edited(source, step)
    header = [cell.value for cell in openpyxl.load_workbook(source.with_name("target.xlsx"))["Sum"][1]]
    assert [title.split()[0] for title in header[1:]] == ["2020-05-04", "2020-05-04", "2021-01-02", "2021-01-02"]
