"""The rule by which columns are named."""

from __future__ import annotations

from datetime import date, datetime

from hypothesis import given
from hypothesis import strategies as st

from tablewright.data.column_naming import cell_text, column_names, distinct_names, pandas_names


def test_blanks_and_line_breaks_leave_a_name() -> None:
    assert column_names([[" Total\nsales ", "\ufeffid", "a\u3000 b"]], 3) == ("Total sales", "id", "a b")


def test_a_line_break_between_chinese_characters_leaves_no_blank() -> None:
    assert column_names([["销售\n金额", "利润 \n 率"]], 2) == ("销售金额", "利润率")


def test_an_empty_name_is_its_place() -> None:
    assert column_names([["a", None, ""]], 3) == ("a", "column_2", "column_3")


def test_equal_names_are_told_apart_as_pandas_does() -> None:
    assert column_names([["a", "a", "b", "a"]], 4) == ("a", "a.1", "b", "a.2")


def test_a_told_apart_name_never_takes_one_that_stands_elsewhere() -> None:
    assert distinct_names(["a", "a", "a.1"]) == ("a", "a.2", "a.1")


def test_upper_header_rows_reach_to_the_right_and_are_joined() -> None:
    header: list[list[str | None]] = [["", "2023", None, "2024", None], ["地区", "Q1", "Q2", "Q1", "Q2"]]
    assert column_names(header, 5) == ("地区", "2023 / Q1", "2023 / Q2", "2024 / Q1", "2024 / Q2")


def test_a_name_merged_over_two_header_rows_is_said_once() -> None:
    assert column_names([["id", "id"], ["id", "x"]], 2) == ("id", "id / x")


def test_without_a_header_every_column_is_its_place() -> None:
    assert column_names([], 2) == ("column_1", "column_2")


def test_numbers_and_dates_become_text() -> None:
    assert column_names([[2021.0, 1.5, date(2021, 2, 3), datetime(2021, 2, 3)]], 4) == (  # noqa: DTZ001
        "2021",
        "1.5",
        "2021-02-03",
        "2021-02-03.1",
    )


def test_pandas_keeps_numbers_as_names_and_numbers_empty_ones_from_zero() -> None:
    assert pandas_names([None, "a", 2021.0, "a"]) == ("Unnamed: 0", "a", 2021, "a.1")


def test_true_and_whole_floats_are_written_plainly() -> None:
    assert (cell_text(True), cell_text(3.0), cell_text(3.25), cell_text(None)) == ("True", "3", "3.25", "")


@given(st.lists(st.one_of(st.none(), st.text(max_size=8), st.floats(allow_nan=False)), min_size=1, max_size=12))
def test_names_are_always_there_and_differ(header: list[str | float | None]) -> None:
    names = column_names([header], len(header))
    assert len(set(names)) == len(header)
    assert all(names)
