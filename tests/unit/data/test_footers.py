"""Totals and notes below a table."""

from __future__ import annotations

import pytest

from tablewright.data.files.cells import Row
from tablewright.data.files.footers import footing


def ends(rows: list[Row], first: int, width: int, header: Row) -> tuple[int, int | None]:
    found = footing(rows, first, width, header)
    assert found.inside == ()
    return found.last, found.totals


HEADER: Row = ["city", "sold", "price"]
BODY: list[Row] = [["a", 10, 1.5], ["b", 20, 2.5], ["c", 30, 3.0]]


@pytest.mark.parametrize("label", ["Total", "合计", "总 计", "Grand total", "TOTAL:", "sum"])
def test_a_row_that_sums_those_above_is_left_out(label: str) -> None:
    assert ends([HEADER, *BODY, [label, 60, 7.0]], 1, 3, HEADER) == (3, 4)


def test_sums_written_in_a_notation_count_too() -> None:
    rows: list[Row] = [HEADER, ["a", "1,000", "¥5"], ["b", "2,500", "¥6"], ["Total", "3,500", "¥11"]]
    assert ends(rows, 1, 3, HEADER) == (2, 3)


def test_a_row_called_total_that_sums_nothing_is_data() -> None:
    assert ends([HEADER, *BODY, ["Total", 99, 50]], 1, 3, HEADER) == (4, None)


def test_a_row_that_happens_to_sum_but_is_not_called_so_is_data() -> None:
    assert ends([HEADER, *BODY, ["d", 60, 7.0]], 1, 3, HEADER) == (4, None)


@pytest.mark.parametrize("note", ["注：数据未经审计", "Source: the ministry", "* provisional", "x" * 80])
def test_notes_at_the_bottom_are_left_out(note: str) -> None:
    assert ends([HEADER, *BODY, [note, None, None]], 1, 3, HEADER) == (3, None)


def test_the_header_once_more_at_the_bottom_is_left_out() -> None:
    assert ends([HEADER, *BODY, ["city", "sold", "pri\nce"]], 1, 3, HEADER) == (3, None)


def test_a_note_below_the_totals_hides_neither() -> None:
    rows: list[Row] = [HEADER, *BODY, ["合计", 60, 7.0], ["注：含税", None, None]]
    assert ends(rows, 1, 3, HEADER) == (3, 4)


WIDE: Row = ["day", "who", "room", "hours"]
MONTHS: list[Row] = [
    ["APRIL", None, None, None], ["1 April", "choir", "hall", 2], ["2 April", "yoga", "hall", 3],
    ["April total", None, None, 5], [None, None, None, None], ["MAY", None, None, None],
    ["1 May", "choir", "hall", 4], ["3 May", "yoga", "barn", 1], ["May total", None, None, 5],
]  # fmt: skip


def test_rows_that_only_head_those_below_are_left_out_and_are_no_totals() -> None:
    found = footing([WIDE, *MONTHS], 1, 4, WIDE)
    assert found.headings == (1, 6)
    assert (found.inside, found.totals, found.last) == ((4,), 9, 8)


@pytest.mark.parametrize(
    "rows",
    [
        [["Ann", None, None, None], ["Bob", "yoga", "hall", 3], ["Cay", "choir", "hall", 4]],
        [["Ann", None, None, None], ["Bob", None, None, None], ["Cay", "choir", "hall", 4]],
        [["a", None, None, None], ["b", 1, 2, 3], ["a", None, None, None], ["c", 1, 2, 3], ["d", 1, 2, 3]],
        [["a", None, None, None], [None, 1, 2, 3], ["b", None, None, None], [None, 4, 5, 6], [None, 7, 8, 9]],
        [[2023, None, None, None], ["b", 1, 2, 3], [2024, None, None, None], ["c", 1, 2, 3], ["d", 1, 2, 3]],
    ],
)  # fmt: skip
def test_a_row_that_lacks_cells_is_data(rows: list[Row]) -> None:
    assert footing([WIDE, *rows], 1, 4, WIDE).headings == ()


def test_short_remarks_below_an_empty_row_are_left_out() -> None:
    rows: list[Row] = [WIDE, ["1 May", "choir", "hall", 4], ["3 May", "yoga", "barn", 1], [None] * 4,
                       ["DNF = did not finish", None, None, None], ["Hours as written", None, None, None]]  # fmt: skip
    assert footing(rows, 1, 4, WIDE).last == 2
    assert footing([*rows[:3], *rows[4:]], 1, 4, WIDE).last == 4
