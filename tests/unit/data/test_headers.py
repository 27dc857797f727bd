"""Where a table's header is."""

from __future__ import annotations

import pytest

from tablewright.data.files.cells import Row, classify
from tablewright.data.files.headers import find_layout

BODY: list[Row] = [["x", 1, 2], ["y", 3, 4], ["z", 5, 6]]


def header_of(rows: list[Row], **given: object) -> tuple[tuple[int, ...], int]:
    layout = find_layout(rows, **given)  # type: ignore[arg-type]  # the keywords of the function under test
    return layout.header_rows, layout.first_row


def test_words_above_numbers_are_the_header() -> None:
    assert header_of([["name", "a", "b"], *BODY]) == ((0,), 1)


def test_titles_and_notes_above_the_header_are_left_out() -> None:
    assert header_of([["Report 2021", None, None], ["unit: t", None, None], ["name", "a", "b"], *BODY]) == ((2,), 3)


def test_numbers_above_numbers_are_data() -> None:
    assert header_of([["w", 7, 8], *BODY]) == ((), 0)


def test_a_value_that_comes_again_below_is_no_name() -> None:
    assert header_of([["u", "v"], ["u", "w"], ["t", "v"], ["u", "v"]]) == ((), 0)


def test_a_text_shaped_like_those_below_is_no_name() -> None:
    assert header_of([["A-01"], ["A-02"], ["A-03"], ["A-04"]]) == ((), 0)


def test_years_name_columns() -> None:
    assert header_of([["item", 2019.0, 2020.0], ["x", 1.5, 2.5], ["y", 3.5, 4.5]]) == ((0,), 1)


def test_counting_up_names_columns_unless_it_goes_on() -> None:
    assert header_of([["item", "1", "2", "3"], ["x", "7", "9", "2"], ["y", "5", "5", "5"]]) == ((0,), 1)
    assert header_of([["1", "2", "3"], ["2", "3", "4"], ["3", "4", "5"]]) == ((), 0)


def test_words_alone_count_as_a_header() -> None:
    assert header_of([["name", "city"], ["Ann", "Rome"], ["Bob", "Oslo"]]) == ((0,), 1)


def test_an_open_corner_belongs_to_the_header() -> None:
    assert header_of([[None, "Revenue"], ["north", 5], ["south", 6]]) == ((0,), 1)


def test_groups_over_merged_cells_are_header_rows() -> None:
    rows: list[Row] = [
        ["region", "Q1", None, "Q2", None],
        [None, "in", "out", "in", "out"],
        ["n", 1, 2, 3, 4],
        ["s", 5, 6, 7, 8],
    ]
    assert header_of(rows, spans={0: [(1, 2), (3, 4)]}) == ((0, 1), 2)


def test_groups_of_a_text_file_show_by_their_gaps() -> None:
    rows: list[Row] = [["", "2023", "", "2024", ""], ["region", "in", "out", "in", "out"], ["n", "1", "2", "3", "4"]]
    assert header_of(rows) == ((0, 1), 2)


def test_a_merged_title_beside_a_lone_cell_is_no_group() -> None:
    rows: list[Row] = [["branch 7", "from March to May", None, None], ["no", "name", "unit", "count"], [1, "x", "t", 5]]
    assert header_of(rows, spans={0: [(1, 3)]}) == ((1,), 2)


def test_a_row_of_units_belongs_to_the_header() -> None:
    assert header_of([["item", "amount", "weight"], [None, "(万元)", "(kg)"], ["x", 1, 2], ["y", 3, 4]]) == ((0, 1), 2)


def test_a_header_over_mostly_empty_columns_is_seen() -> None:
    rows: list[Row] = [["name", "mail", "phone", "street"], ["a", None, None, None], ["b", None, None, None]]
    assert header_of(rows, width=4) == ((0,), 1)


def test_a_header_that_comes_again_does_not_count_against_itself() -> None:
    names = ["#", "who", "since"]
    assert header_of([names, ["1", "ann", "5 May 1901"], ["2", "bob", "6 May 1902"], names]) == ((0,), 1)


def test_sparse_rows_before_the_first_full_one_are_data_where_there_is_no_header() -> None:
    rows: list[Row] = [["a", None, 1], ["b", None, None], ["c", 5, 6], ["d", 7, 8], ["e", 7, 8]]
    assert header_of(rows, width=3) == ((), 0)


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("1,234", "number"),
        ("12%", "number"),
        ("-", "empty"),
        ("2021-02-03", "moment"),
        ("10:30", "moment"),
        ("TRUE", "truth"),
        ("abc", "text"),
        ("2021年2月", "moment"),
        (True, "truth"),
        (3, "number"),
        (None, "empty"),
    ],
)
def test_a_cell_is_told_from_itself(cell: object, told: str) -> None:
    assert classify(cell) == told  # type: ignore[arg-type]  # the table of cases is of objects


def test_what_a_form_says_of_itself_names_no_columns() -> None:
    rows: list[Row] = [
        ["Work done", None, None, None],
        ["Office: North", None, "Date: 1 July 2024", None],
        ["name", "a", "b", "c"],
        *([*row, 7] for row in BODY),
    ]
    assert header_of(rows, spans={0: [(0, 3)], 1: [(0, 1), (2, 3)]}) == ((2,), 3)
