"""Rows that add up others are known by their numbers, not by their names."""

from __future__ import annotations

from datetime import date

import pytest

from tablewright.data.files.cells import RawCell, Row
from tablewright.data.files.footers import footing
from tablewright.data.files.totals import Totals, totals

BODY: list[Row] = [["a", "x", 10, 1.5], ["b", "y", 20, 2.25], ["c", "x", 31, 3.0]]
WIDE: list[Row] = [[f"r{at}", "x", 100 + 37 * at, 0.25 * at * at + 3] for at in range(30)]


def sums(rows: list[Row]) -> list[float]:
    return [sum(float(str(row[place])) for row in rows) for place in (2, 3)]


@pytest.mark.parametrize(
    "row",
    [
        ["Total", None, 61, 6.75],
        [None, None, 61, 6.75],
        ["合计", None, 61, None],
        ["Total", None, 61, 2.25],
        ["Total", "", "61", "6.75"],
    ],
)
def test_a_last_row_of_sums_is_a_total_whether_or_not_it_is_called_so(row: Row) -> None:
    assert totals([*BODY, row], 4).rows == (3,)


@pytest.mark.parametrize(
    "row",
    [
        ["Total", None, 15, 2.0],
        ["Total", "x", 61, 99.0],
        [None, None, 60, 6.75],
        [None, "x", 61, None],
        ["d", "x", 61, 6.75],
        ["Total", None, None, None],
    ],
)
def test_a_row_whose_numbers_are_no_sums_or_only_by_accident_is_data(row: Row) -> None:
    assert totals([*BODY, row], 4).rows == ()


def test_a_row_that_is_only_called_total_is_named_as_data() -> None:
    assert totals([*BODY, ["Total", "x", 15, 2.0], ["e", "y", 9, 1.0]], 4) == Totals(named=("Total",))


def test_the_total_of_an_excerpt_is_neither_a_sum_nor_mere_data() -> None:
    assert totals([*BODY, ["Total", None, 400, 90.5]], 4) == Totals()


def test_a_first_row_of_sums_is_a_total() -> None:
    assert totals([["All", None, *sums(WIDE)], *WIDE], 4).rows == (0,)
    assert totals([["Total", None, 61, 6.75], *BODY], 4).rows == (0,)


def test_a_row_that_looks_like_data_is_a_total_if_two_large_sums_agree() -> None:
    assert totals([*WIDE, ["whole firm", "x", *sums(WIDE)]], 4).rows == (30,)
    assert totals([*WIDE, ["whole firm", "x", sums(WIDE)[0], 3.0]], 4).rows == ()


def test_round_numbers_add_up_by_accident() -> None:
    rows: list[Row] = [["a", 1000, 5000], ["b", 2000, 5000], ["c", 3000, 10000]]
    assert totals(rows, 3).rows == ()


def test_subtotals_and_the_grand_total_are_found_at_their_places() -> None:
    north: list[Row] = [["north", f"n{at}", 10 + 7 * at, 1.25 * at + 2] for at in range(4)]
    south: list[Row] = [["south", f"s{at}", 30 + 11 * at, 2.75 * at + 1] for at in range(3)]
    every: list[Row] = [
        *north,
        ["Subtotal", None, *sums(north)],
        *south,
        ["小计", None, *sums(south)],
        ["总计", None, *sums([*north, *south])],
    ]
    assert totals(every, 4).rows == (4, 8, 9)
    found = footing([["area", "shop", "sold", "takings"], *every], 1, 4, ["area", "shop", "sold", "takings"])
    assert (found.last, found.totals, found.inside) == (9, 10, (5, 9))


def test_subtotals_called_so_where_others_have_dates_are_found() -> None:
    rows: list[Row] = [[f"2025-03-{at + 1:02}", "x", 100 + 37 * at, 3 + at] for at in range(9)]
    rows.insert(4, ["小计", None, sum(int(str(row[2])) for row in rows[:4]), None])
    assert totals(rows, 4).rows == (4,)


def test_a_total_is_one_though_its_maker_erred_in_another_column() -> None:
    rows = [*WIDE, ["Total", None, sums(WIDE)[0], 9_999.0]]
    assert totals(rows, 4).rows == (30,)


def test_numbers_alone_are_no_totals_of_each_other() -> None:
    assert totals([[1, 1], [1, 2], [2, 3], [3, 5], [5, 8]], 2).rows == ()


def test_the_last_row_of_a_long_table_is_looked_at() -> None:
    rows: list[Row] = [[f"r{at}", "x", at % 97, 0.5] for at in range(5_000)]
    assert totals([*rows, ["Total", None, *sums(rows)]], 4).rows == (5_000,)
    assert totals([*rows, [None, None, *sums(rows)]], 4).rows == (5_000,)
    assert totals([*rows, ["r", "x", *sums(rows)]], 4).rows == ()


def test_numbers_written_short_are_added_up_in_full() -> None:
    body: list[Row] = [
        ["a", "1.8万"],
        ["b", 7173],
        ["c", "2,100"],
        ["d", "4.56万"],
        ["e", 1000],
        ["f", 2000],
        ["g", "nil"],
    ]
    assert totals([*body, ["合计", 75873]], 2).rows == (7,)
    assert totals([*body, ["合计", "7.59万"]], 2).rows == (7,)
    assert totals([*body, ["合计", 12279.36]], 2).rows == ()


def test_what_calls_a_row_a_total_may_stand_among_dates_but_not_among_numbers() -> None:
    def rows(*firsts: RawCell) -> list[Row]:
        return [[first, "x", 10 * (at % 4 + 1)] for at, first in enumerate(firsts)]

    days = [date(2025, 7, day) for day in range(1, 5)]
    dated = [*rows(*days), ["7月小计", None, 100], *rows(*days), ["8月小计", None, 100], ["总计", None, 200]]
    assert totals(dated, 3).rows == (4, 9, 10)
    assert totals([*rows(1, 2, 3, 4), ["小计", None, 100], *rows(5, 6, 7, 8), ["总计", None, 200]], 3).rows == ()
