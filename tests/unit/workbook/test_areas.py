"""Cells and areas in A1 style, and where they are after rows or columns were inserted or deleted."""

from __future__ import annotations

import pytest

from tablewright.workbook.areas import (
    MOST_COLUMNS,
    MOST_ROWS,
    Area,
    AreaShift,
    areas_of,
    cell_place,
    column_number,
    letters,
    parse_area,
    runs_of,
)


def test_letters_and_numbers_of_columns_answer_each_other() -> None:
    assert [letters(number) for number in (1, 26, 27, 702, 703, MOST_COLUMNS)] == ["A", "Z", "AA", "ZZ", "AAA", "XFD"]
    assert all(column_number(letters(number)) == number for number in range(1, 1000))


@pytest.mark.parametrize(
    ("text", "sheet", "area"),
    [
        ("B2:D10", None, Area(2, 2, 10, 4)),
        ("$d$10:b2", None, Area(2, 2, 10, 4)),
        ("C7", None, Area(7, 3, 7, 3)),
        ("B:C", None, Area(1, 2, MOST_ROWS, 3)),
        ("3:5", None, Area(3, 1, 5, MOST_COLUMNS)),
        ("'It''s mine'!A1", "It's mine", Area(1, 1, 1, 1)),
        ("数据!A1:A3", "数据", Area(1, 1, 3, 1)),
    ],
)
def test_a_range_is_read_with_the_sheet_that_it_names(text: str, sheet: str | None, area: Area) -> None:
    assert parse_area(text) == (sheet, area)


@pytest.mark.parametrize("text", [" ", "B2:", "2B", "A1:B2:C3", "Total", "A1 B2"])
def test_what_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=text):
        parse_area(text)
    with pytest.raises(ValueError, match=text):
        cell_place(text)


@pytest.mark.parametrize("text", ["B2:D10", "C7", "B:C", "3:5"])
def test_an_area_is_written_as_it_is_read(text: str) -> None:
    assert parse_area(text)[1].text == text
    assert parse_area(parse_area(text)[1].fixed) == parse_area(text)


def test_areas_in_a_list_are_separated_by_blanks() -> None:
    assert areas_of("A1 B2:C3") == [Area(1, 1, 1, 1), Area(2, 2, 3, 3)]


def test_areas_are_cut_where_they_meet_and_joined_around_both() -> None:
    one, other = Area(1, 1, 4, 4), Area(3, 2, 9, 3)
    assert one.cut(other) == Area(3, 2, 4, 3)
    assert one.joined(other) == Area(1, 1, 9, 4)
    assert one.cut(Area(5, 1, 6, 4)) is None
    assert Area(2, 2, 3, 3).within(one)
    assert not other.within(one)


@pytest.mark.parametrize(
    ("count", "before", "after"),
    [(2, (1, 3), (1, 3)), (2, (4, 6), (4, 8)), (2, (5, 6), (7, 8)), (-2, (5, 6), None), (-2, (4, 9), (4, 7)),
        (-2, (6, 9), (5, 7))],
)  # fmt: skip
def test_spans_follow_rows_inserted_before_the_fifth_or_deleted_from_there(
    count: int, before: tuple[int, int], after: tuple[int, int] | None
) -> None:
    shift = AreaShift(sheet="Data", axis="row", at=5, count=count)
    assert shift.span(*before) == after


def test_whole_columns_stay_whole_and_what_leaves_the_sheet_is_gone() -> None:
    inserted = AreaShift(sheet="Data", axis="row", at=5, count=3)
    assert inserted.area(Area(1, 2, MOST_ROWS, 2)) == Area(1, 2, MOST_ROWS, 2)
    assert inserted.place(MOST_ROWS) is None
    assert [AreaShift(sheet="Data", axis="row", at=5, count=-2).place(row) for row in (4, 5, 6, 7)] == [
        4,
        None,
        None,
        5,
    ]


def test_consecutive_numbers_are_runs() -> None:
    assert runs_of([1, 2, 3, 7, 9, 10]) == [(1, 3), (7, 7), (9, 10)]
    assert runs_of([]) == []
