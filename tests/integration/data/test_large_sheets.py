"""Sheets whose XML is read as a stream, and only as far as needed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from python_calamine import CalamineWorkbook
from tests.integration.data.conftest import Writer

from tablewright.data.files import previewer, profiler, xlsx_head
from tablewright.data.files.sheets import read_grid
from tablewright.data.files.xlsx_head import SheetMember, large_sheet, read_head
from tablewright.domain.codec import from_json
from tablewright.domain.table import Table

Build = Callable[[Writer], Path]


def write(book: Any) -> None:
    book.add_worksheet("other").write(0, 0, "nothing")
    sheet = book.add_worksheet("大表")
    dated = book.add_format({"num_format": "yyyy-mm-dd"})
    bold = book.add_format({"bold": True})
    sheet.write(0, 0, "Title")
    sheet.write_row(2, 0, ["id", "city", "when", "ok", "v"])
    for number in range(300):
        sheet.write_row(3 + number, 0, [number, f"城市{number % 7}"])
        sheet.write_datetime(3 + number, 2, date(2021, 1, 1 + number % 28), dated)
        sheet.write_boolean(3 + number, 3, number % 2 == 0)
        sheet.write_number(3 + number, 4, number * 1.5)
    sheet.write_rich_string(3, 1, "城", bold, "市0")


def test_the_rows_are_those_that_the_whole_reader_finds(workbook: Build) -> None:
    path = workbook(write)
    sheet = large_sheet(path, "大表", limit_bytes=0)
    assert sheet == SheetMember(name="大表", member="xl/worksheets/sheet2.xml")
    head = read_head(path, sheet.member, 50)
    whole = read_grid(CalamineWorkbook.from_path(path).get_sheet_by_name("大表")).rows[:50]
    plain = [[cell.date() if hasattr(cell, "date") else cell for cell in row] for row in head.rows]
    assert plain == whole
    assert head.total == 303


def test_a_sheet_is_found_by_place_and_small_ones_are_not_streamed(workbook: Build) -> None:
    path = workbook(write)
    by_place = large_sheet(path, 1, limit_bytes=0)
    assert by_place is not None
    assert by_place.name == "大表"
    assert large_sheet(path, "大表") is None
    assert large_sheet(path, 7, limit_bytes=0) is None


def test_the_preview_of_a_large_sheet_is_that_of_a_small_one(workbook: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    path = workbook(write)
    small = from_json(Table, previewer.preview(path, name="b.xlsx", sheet="大表", rows=3))
    monkeypatch.setattr(previewer, "STREAMED_BYTES", 0)
    assert from_json(Table, previewer.preview(path, name="b.xlsx", sheet="大表", rows=3)) == small
    assert (small.total_rows, small.rows[0]) == (300, (0, "城市0", "2021-01-01", True, 0))


def test_the_facts_of_a_very_large_sheet_come_from_its_first_rows(
    workbook: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = workbook(write)
    monkeypatch.setattr(profiler, "LARGE_SHEET_BYTES", 4000)
    monkeypatch.setattr(profiler, "SAMPLED_ROWS", 103)
    facts = profiler.profile_file(path, "b.xlsx").datasets[-1].facts
    assert (facts.rows, facts.exact, facts.read.last_row) == (300, False, None)
    assert facts.columns[0].maximum == 99


def test_rows_are_counted_where_a_sheet_does_not_say_how_many_it_has(
    workbook: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = workbook(write)
    monkeypatch.setattr(xlsx_head, "_DIMENSION", "nowhere")
    assert read_head(path, "xl/worksheets/sheet2.xml", 5).total == 302
