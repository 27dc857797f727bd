"""Columns of whole numbers have the facts that their texts have, without being read as texts."""

from __future__ import annotations

from unittest.mock import patch

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablewright.data.files import columns
from tablewright.data.files.columns import ColumnProfile, profile_texts
from tablewright.data.files.integers import has_mark, integer_facts, integer_or_mark, plain_integers

PLAIN = st.one_of(st.integers(1 - 10**14, 10**15 - 1), st.integers(-3, 3), st.sampled_from([20210203, 20211231])).map(
    str
)
ODD = st.sampled_from(["", " 1", "007", "00", "-0", "-01", "+1", "1.0", "NA", "nan", "1e3", "-", "9" * 16, "２"])


def profile_as_texts(cells: pl.Series) -> ColumnProfile:
    """Return the profile as it is without the short way."""
    with patch.object(columns, "integer_facts", return_value=None):
        return profile_texts("c", cells)


@settings(deadline=None)
@given(st.lists(st.one_of(PLAIN, PLAIN, st.none(), ODD), max_size=12))
def test_a_column_of_whole_numbers_has_the_facts_of_its_texts(texts: list[str | None]) -> None:
    cells = pl.Series(texts, dtype=pl.String)
    assert profile_texts("c", cells) == profile_as_texts(cells)


@settings(deadline=None)
@given(st.lists(st.one_of(PLAIN, st.none()), min_size=1, max_size=12))
def test_numbers_that_were_read_as_such_have_the_facts_of_their_texts(texts: list[str | None]) -> None:
    cells = pl.Series(texts, dtype=pl.String)
    numbers = cells.to_frame("n").select(integer_or_mark("n")).to_series()
    assert numbers.cast(pl.String).to_list() == texts
    assert profile_texts("c", numbers) == profile_as_texts(cells)


@pytest.mark.parametrize("text", ["007", "-0", "+1", " 1", "1.0", "", "NA", "1234567890123456"])
def test_a_text_that_says_more_than_its_number_is_marked(text: str) -> None:
    cells = pl.Series("n", ["1", None, text])
    assert plain_integers(cells) is None
    assert has_mark(cells.to_frame().select(integer_or_mark("n")).to_series())


def test_the_first_distinct_numbers_are_found_however_late_they_come() -> None:
    cells = pl.Series(["7"] * 3000 + ["8", "9", "7"])
    assert profile_texts("c", cells) == profile_as_texts(cells)
    assert profile_texts("c", cells).facts.samples == ("7", "8", "9")


def test_sums_that_floats_do_not_hold_are_left_to_the_texts() -> None:
    assert integer_facts("c", pl.Series([10**15 - 1] * 10), samples=5) is None
