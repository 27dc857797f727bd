"""Columns of digits are read without patterns, to the same numbers."""

from __future__ import annotations

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from tablewright.data.files.numbers import plain_by_pattern, plain_numbers

DIGITS = st.from_regex(r"[+-]?[0-9]{1,17}", fullmatch=True)
ODD = st.sampled_from(
    ["", " 1", "1 ", "1_0", "１", "+", "-", "1.", ".5", "--1", "1e3", "0x1", "\t1", "nan", "inf", "007"]
)


@settings(deadline=None)
@given(st.lists(st.one_of(DIGITS, DIGITS, ODD), max_size=12))
def test_digits_are_the_same_numbers_as_by_pattern(texts: list[str]) -> None:
    given = pl.Series(texts, dtype=pl.String)
    fast, slow = plain_numbers(given), plain_by_pattern(given)
    assert (fast is None) == (slow is None)
    if fast is not None and slow is not None:
        assert (fast.values.to_list(), fast.whole) == (slow.values.to_list(), slow.whole)
