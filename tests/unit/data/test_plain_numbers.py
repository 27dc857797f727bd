"""Columns of plain numbers are read without patterns, to the same numbers."""

from __future__ import annotations

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from tablewright.data.files.numbers import Numbers, plain_by_pattern, plain_numbers

DIGITS = st.from_regex(r"[+-]?[0-9]{1,17}", fullmatch=True)
ODD = st.sampled_from(
    ["", " 1", "1 ", "1_0", "１", "+", "-", "1.", ".5", "--1", "1e3", "0x1", "\t1", "nan", "inf", "007"]
)
POINTS = st.from_regex(r"[+-]?[0-9]{0,12}\.?[0-9]{0,9}([eE][+-]?[0-9]{1,3})?", fullmatch=True)


def described(numbers: Numbers | None) -> tuple[list[float], bool, bool] | None:
    return None if numbers is None else (numbers.values.to_list(), numbers.whole, numbers.zero_led)


@settings(deadline=None)
@given(st.lists(st.one_of(DIGITS, DIGITS, ODD), max_size=12))
def test_digits_are_the_same_numbers_as_by_pattern(texts: list[str]) -> None:
    given = pl.Series(texts, dtype=pl.String)
    assert described(plain_numbers(given)) == described(plain_by_pattern(given))


@settings(deadline=None)
@given(st.lists(st.one_of(POINTS, POINTS, DIGITS, ODD), max_size=12))
def test_numbers_with_a_point_are_the_same_as_by_pattern(texts: list[str]) -> None:
    given = pl.Series(texts, dtype=pl.String)
    assert described(plain_numbers(given)) == described(plain_by_pattern(given))


@settings(deadline=None)
@given(st.text("0123456789+-.eE_infa \t", max_size=6))
def test_one_text_is_a_number_only_where_the_pattern_says_so(text: str) -> None:
    given = pl.Series([text])
    assert described(plain_numbers(given)) == described(plain_by_pattern(given))
