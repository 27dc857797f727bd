"""References within formulas: moved, copied, renamed, made relative."""

from __future__ import annotations

import pytest

from tablewright.workbook.areas import Area, AreaShift, parse_area
from tablewright.workbook.formulas import pattern, references, renamed, shifted, translated

INSERTED = AreaShift(sheet="Data", axis="row", at=4, count=2)
DELETED = AreaShift(sheet="Data", axis="row", at=4, count=-2)
COLUMN = AreaShift(sheet="Data", axis="column", at=2, count=1)


@pytest.mark.parametrize(
    ("formula", "home", "move", "after"),
    [
        ("SUM(F2:F11)+A5", "Data", INSERTED, "SUM(F2:F13)+A7"),
        ("SUM(data!F2:F11)+A5", "Other", INSERTED, "SUM(data!F2:F13)+A5"),
        ("'My Report'!A5&\"A5\"", "Data", INSERTED, "'My Report'!A5&\"A5\""),
        ("LOG10(A5)+$A$4", "Data", INSERTED, "LOG10(A7)+$A$6"),
        ("SUM(B:B,5:7,3:5)", "Data", INSERTED, "SUM(B:B,7:9,3:7)"),
        ("Tbl[[#This Row],[A5]]+[1]Data!A5", "Data", INSERTED, "Tbl[[#This Row],[A5]]+[1]Data!A5"),
        ("A4+A5+A6", "Data", DELETED, "#REF!+#REF!+A4"),
        ("SUM(A1:A5)+SUM(A5:A9)+Data!A4", "Data", DELETED, "SUM(A1:A3)+SUM(A4:A7)+Data!#REF!"),
        ("SUM(A1:C1)+B:B", "Data", COLUMN, "SUM(A1:D1)+C:C"),
        ("1E5+A5", "Data", INSERTED, "1E5+A7"),
        ("A1:INDEX(B5:B9,1)", "Data", INSERTED, "A1:INDEX(B7:B11,1)"),
    ],
)
def test_references_follow_rows_and_columns(formula: str, home: str, move: AreaShift, after: str) -> None:
    assert shifted(formula, home, move) == after


@pytest.mark.parametrize(
    ("formula", "rows", "columns", "after"),
    [
        ("A1+$B$1+C$1+$D1", 2, 1, "B3+$B$1+D$1+$D3"),
        ("A1", -1, 0, "#REF!"),
        ("SUM(X!A:A,1:1)", 3, 2, "SUM(X!C:C,4:4)"),
        ('"A1"&A1', 1, 0, '"A1"&A2'),
    ],
)
def test_copied_formulas_move_what_is_relative(formula: str, rows: int, columns: int, after: str) -> None:
    assert translated(formula, rows, columns) == after


@pytest.mark.parametrize(
    ("formula", "new", "after"),
    [
        ("Data!A1+Data2!A1", "N", "N!A1+Data2!A1"),
        ("DATA!A1", "销售 表", "'销售 表'!A1"),
        ("SUM(Data:Last!A1)", "N", "SUM(N:Last!A1)"),
        ("Data!A1+B1", None, "#REF!+B1"),
        ('"Data!A1"', "N", '"Data!A1"'),
    ],
)
def test_formulas_follow_a_sheets_name(formula: str, new: str | None, after: str) -> None:
    assert renamed(formula, "Data", new) == after


def test_the_same_formula_in_each_row_has_one_pattern() -> None:
    assert pattern("=D2*$E$1", 2, 6) == pattern("=D9*$E$1", 9, 6) == "=R[0]C[-2]*R1C5"


@pytest.mark.parametrize("text", ["", "A", "A0", "B2:", "XFE1", "A1048577", "1:2:3", "hello world"])
def test_what_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        parse_area(text)


def test_ranges_are_read_in_all_their_forms() -> None:
    assert parse_area("'My ''own'' sheet'!$D$10:B2") == ("My 'own' sheet", Area(2, 2, 10, 4))
    assert parse_area("b:B")[1].text == "B:B"
    assert parse_area("3:5")[1].fixed == "$3:$5"


@pytest.mark.parametrize("name", ["YTD2024", "XFE1", "ZZZ10", "Data!YTD2024", "xfz3"])
def test_a_name_that_looks_like_a_cell_beyond_the_last_column_is_no_reference(name: str) -> None:
    formula = f"=A5*{name}"
    assert [found.text for found in references(formula)] == ["A5"]
    assert translated(formula, 1, 1) == f"=B6*{name}"
    assert shifted(formula, "Data", AreaShift(sheet="Data", axis="row", at=2, count=1)) == f"=A6*{name}"


@pytest.mark.parametrize("last", ["XFD1", "$XFD$1", "xfd1", "XEZ1", "WZZ1"])
def test_a_cell_up_to_the_last_column_is_a_reference(last: str) -> None:
    assert [found.text.upper() for found in references(f"={last}+1")] == [last.upper()]
