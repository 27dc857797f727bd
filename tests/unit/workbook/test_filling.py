"""A formula copied down a column comes to the same as its copies written one by one."""

from __future__ import annotations

import pytest

from tablewright.workbook.areas import MOST_ROWS, AreaShift
from tablewright.workbook.formulas import copies_down, translated
from tablewright.workbook.package.fills import fill_formula
from tablewright.workbook.package.journal import Journal
from tablewright.workbook.package.rows import SheetRows
from tablewright.workbook.package.shared import Shared
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.package.strings import SharedStrings
from tablewright.workbook.package.styles import Styles

HEAD = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="A1:B9"/>'
COLUMNS = b'<cols><col min="3" max="3" style="4"/></cols>'
ROWS = (
    b'<row r="1" spans="1:2"><c r="A1"><v>1</v></c><c r="B1" s="2"><v>5</v></c></row>'
    b'<row r="2"><c r="A2"><v>1</v></c><c r="B2" s="2"/></row>'
    b'<row r="3" s="3" customFormat="1"><c r="A3"><v>1</v></c></row>'
    b'<row r="5" ht="20"><c r="A5"><v>1</v></c><c r="C5" s="7"><v>9</v></c></row>'
    b'<row r="6"/>'
    b'<row r="7"><c r="A7"><v>1</v></c><c r="D7"><v>4</v></c><c r="AA7"><v>4</v></c></row>'
    b'<row r="8"><c r="D8"><v>1</v></c></row>'
    b'<row r="9"><c r="A9"><v>1</v></c><extLst><ext uri="x"/></extLst></row>'
    b'<row r="10"><c r="A10"><v>1</v></c></row>'
)
FORMULAS = (
    "=A1*2", "=$A$1+A1", "=SUM(A$1:A1)&\"A1 100%\"", "='my A1'!b1<>C:C", "=IF(A1<B1,3:3,$2:$2)",
    "=TEXTJOIN(\"&\",1,A1)",
    f"=A{MOST_ROWS - 3}", "=1+1",
)  # fmt: skip


def sheet(listed: int) -> WorkbookSheet:
    shared = Shared(
        workbook="b.xlsx", strings=SharedStrings(b""), styles=Styles(None), journal=Journal(listed)
    )  # fmt: skip
    return WorkbookSheet(shared, "S", "s.xml", HEAD + COLUMNS + b"<sheetData>" + ROWS + b"</sheetData></worksheet>")


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("styled", [True, False])
@pytest.mark.parametrize("listed", [0, 4, 100])
def test_copies_at_once_are_the_copies_one_by_one(formula: str, styled: bool, listed: int) -> None:
    at_once, single = sheet(listed), sheet(listed)
    styles = {row: row % 3 for row in range(1, 11)} if styled else None
    fill_formula(at_once, 3, range(1, 11), formula, styles)
    for row in range(1, 11):
        single.write(row, 3, translated(formula, row - 1, 0), None if styles is None else styles[row])
    assert [at_once.read(row, 3) for row in range(1, 11)] == [single.read(row, 3) for row in range(1, 11)]
    for row in range(1, 11):
        at_once.rows.row(row), single.rows.row(row)
    assert at_once.pieces().joined() == single.pieces().joined()
    assert at_once.shared.formulas_changed
    journals = at_once.shared.journal, single.shared.journal
    assert journals[0].cells_changed == journals[1].cells_changed
    assert journals[0].changes == journals[1].changes


def test_what_changes_nothing_is_no_change() -> None:
    filled = sheet(4)
    fill_formula(filled, 3, range(1, 3), "=A1")
    filled.shared.journal = Journal(4)
    fill_formula(filled, 3, range(1, 3), "=A1")
    assert not filled.shared.journal.changes


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_copy_has_each_free_row_number_raised(formula: str) -> None:
    texts, numbers = copies_down(formula)
    for down in (1, 3):
        filled = "".join(
            text + (str(number + down) if number is not None else "")
            for text, number in zip(texts, [*numbers, None], strict=True)
        )
        assert filled == translated(formula, down, 0)


@pytest.mark.parametrize(
    "shift", [AreaShift(sheet="S", axis="column", at=2, count=3), AreaShift(sheet="S", axis="column", at=3, count=-1)]
)
def test_columns_move_in_rows_as_they_are_written(shift: AreaShift) -> None:
    rows, parsed = SheetRows(ROWS), SheetRows(ROWS)
    for number in parsed.numbers:
        parsed.row(number)
    parsed.shift(shift)
    rows.shift(shift)
    for number in rows.numbers:
        rows.row(number), parsed.row(number)
    assert b"".join(rows.pieces()) == b"".join(parsed.pieces())
    assert b'r="AD7"' in b"".join(rows.pieces()) or shift.count < 0


def test_copies_between_formulas_that_stand_there_already_are_a_change() -> None:
    filled, ends = sheet(0), (2, 10)
    for row in ends:
        filled.write(row, 3, translated("=A2*2", row - 2, 0))
    filled.shared.journal, filled.shared.formulas_changed = Journal(0), False
    fill_formula(filled, 3, range(2, 11), "=A2*2")
    assert filled.shared.formulas_changed
    assert filled.shared.journal.cells_changed == 7
    assert [change.range for change in filled.shared.journal.changes] == ["C3:C9"]


def test_a_name_beyond_the_last_column_stays_in_every_copy() -> None:
    filled = sheet(0)
    fill_formula(filled, 3, range(1, 11), "=A1*YTD2024")
    assert [filled.read(row, 3).formula for row in (1, 2, 10)] == ["=A1*YTD2024", "=A2*YTD2024", "=A10*YTD2024"]


def test_a_row_whose_cells_are_out_of_order_gets_no_cell_twice() -> None:
    odd = ROWS.replace(b'<c r="A5"><v>1</v></c><c r="C5" s="7"><v>9</v></c>', b'<c r="C5"/><c r="A5"><v>1</v></c>')
    assert odd != ROWS
    rows = SheetRows(odd)
    assert not rows.insert(5, 3, b'<c r="C5"><f>1</f></c>')
    assert rows.insert(7, 3, b'<c r="C7"><f>1</f></c>')
