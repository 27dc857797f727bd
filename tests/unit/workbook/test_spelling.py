"""Sheets whose XML is spelled as few programs spell it: cells are found, read and moved all the same."""

from __future__ import annotations

import pytest

from tablewright.errors import FileUnreadable
from tablewright.workbook.areas import AreaShift
from tablewright.workbook.package.journal import Journal
from tablewright.workbook.package.shared import Shared
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.package.strings import SharedStrings
from tablewright.workbook.package.styles import Styles

HEAD = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'


def sheet(rows: bytes, strings: bytes = b"") -> WorkbookSheet:
    shared = Shared(workbook="b.xlsx", strings=SharedStrings(strings), styles=Styles(None), journal=Journal(0))
    return WorkbookSheet(shared, "S", "s.xml", HEAD + b"<sheetData>" + rows + b"</sheetData></worksheet>")


@pytest.mark.parametrize("space", [b"\n", b"\r\n", b"\t", b"  "])
def test_a_cell_whose_name_stands_on_another_line_moves_too(space: bytes) -> None:
    moved = sheet(b'<row r="1"><c r="A1"><v>1</v></c><c' + space + b'r="C1"><v>3</v></c></row>')
    moved.rows.shift(AreaShift(sheet="S", axis="column", at=2, count=1))
    assert [moved.read(1, column).value for column in (1, 2, 3, 4)] == [1, None, None, 3]


def test_a_text_in_a_section_is_read_and_is_not_taken_for_cells() -> None:
    text = b'<![CDATA[<c r="B1"> & more]]>'
    item = b't="inlineStr"><is><t>' + text + b"</t></is></c>"
    read = sheet(b'<row r="1"><!-- <c r="B1"/> --><c r="A1" ' + item + b'<c r="C1"><v>3</v></c></row>')
    assert read.read(1, 1).value == '<c r="B1"> & more'
    read.rows.shift(AreaShift(sheet="S", axis="column", at=2, count=1))
    assert [read.read(1, column).value for column in (1, 2, 3, 4)] == ['<c r="B1"> & more', None, None, 3]
    shared = sheet(b'<row r="1"><c r="A1" t="s"><v>0</v></c></row>', b"<sst><si><t>" + text + b"</t></si></sst>")
    assert shared.read(1, 1).value == '<c r="B1"> & more'


def test_an_empty_cell_without_a_name_counts_as_one() -> None:
    assert sheet(b'<row r="1"><c/><c><v>2</v></c></row>').read(1, 2).value == 2


@pytest.mark.parametrize(
    "rows", [b"<row r='1'><c r='B1'><v>1</v></c></row>", b"<row r=\"1\"><c r='B1'><v>1</v></c></row>"]
)
def test_attributes_in_single_quotes_make_a_file_unusual(rows: bytes) -> None:
    with pytest.raises(FileUnreadable) as refused:
        sheet(rows)
    assert refused.value.detail == "workbook_unusual"


def test_a_sheet_named_in_single_quotes_in_a_formula_is_usual() -> None:
    formula = b"IF(A1='my sheet'!B1,1,2)"
    assert sheet(b'<row r="1"><c r="B1"><f>' + formula + b"</f></c></row>").read(1, 2).formula == "=" + formula.decode()
