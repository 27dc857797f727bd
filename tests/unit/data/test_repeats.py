"""Rows that say again what an earlier row says are counted: in all columns, or but for the one that numbers them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
import pytest

from tablewright.data.files.columns import profile_cells, profile_texts
from tablewright.data.files.repeats import repeated_rows
from tablewright.domain.table_facts import RepeatedRows

CLAIMS = [
    ("R-01", "Ann", "taxi", "12.50"),
    ("R-02", "Bo", "hotel", "80"),
    ("R-03", "Ann", "taxi", "9"),
    ("R-04", "Cy", "meal", "31"),
    ("R-05", "Bo", "hotel", "80"),
    ("R-06", "Cy", "meal", "30"),
]


def repeated(rows: Sequence[Sequence[Any]], *, typed: bool = False) -> RepeatedRows | None:
    columns: list[Any] = [list(column) for column in zip(*rows, strict=True)]
    if typed:
        facts = [profile_cells(str(place), column).facts for place, column in enumerate(columns)]
    else:
        columns = [pl.Series(column, dtype=pl.String) for column in columns]
        facts = [profile_texts(str(place), column).facts for place, column in enumerate(columns)]
    return repeated_rows(columns, facts, len(rows))


@pytest.mark.parametrize("typed", [False, True])
def test_rows_that_differ_in_their_number_alone_are_repeats(typed: bool) -> None:
    assert repeated(CLAIMS, typed=typed) == RepeatedRows(rows=1, besides="0")


def test_without_a_number_whole_rows_are_compared() -> None:
    rows = [row[1:] for row in CLAIMS]
    assert repeated(rows) == RepeatedRows(rows=1)


def test_a_name_of_its_own_is_no_number() -> None:
    names = ["ash", "elm", "fir", "oak", "yew", "box"]
    assert repeated([(name, *row[1:]) for name, row in zip(names, CLAIMS, strict=True)]) is None


def test_rows_of_two_columns_are_alike_by_chance() -> None:
    assert repeated([row[:3] for row in CLAIMS]) is None


def test_a_table_in_which_many_rows_are_alike_is_like_that() -> None:
    assert repeated([*CLAIMS, ("R-07", *CLAIMS[0][1:]), ("R-08", *CLAIMS[3][1:])]) is None


def test_without_repeats_there_is_nothing_to_tell() -> None:
    assert repeated([*CLAIMS[:4], CLAIMS[5]]) is None
