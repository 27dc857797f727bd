"""Facts of a column from its cells."""

from __future__ import annotations

from datetime import date, datetime, time
from typing import Any

import polars as pl
import pytest

from tablewright.data.files import tallies
from tablewright.data.files.columns import ColumnProfile, profile_cells, profile_texts


def texts(*cells: str | None, **given: Any) -> ColumnProfile:
    return profile_texts("c", pl.Series(list(cells), dtype=pl.String), **given)


def test_statistics_of_a_messy_column_are_of_the_numbers_it_says() -> None:
    facts = texts("1,234", "-", "12", "1,234", None, "N/A").facts
    assert (facts.kind, facts.notation) == ("integer", "thousands")
    assert (facts.minimum, facts.maximum) == (12, 1234)
    assert facts.mean == pytest.approx(826.6666667)
    assert (facts.missing, facts.missing_texts, facts.distinct) == (3, ("-",), 2)


def test_percents_count_as_written() -> None:
    facts = texts("12.5%", "30%").facts
    assert (facts.kind, facts.notation, facts.unit) == ("number", "percent", "%")
    assert (facts.minimum, facts.maximum, facts.mean) == (12.5, 30, 21.25)


def test_samples_are_the_first_distinct_values_as_written() -> None:
    assert texts("1,000", "1,000", "2", "x" * 300).facts.samples == ("1,000", "2", "x" * 200)


def test_a_dash_is_a_value_among_words_and_missing_among_numbers() -> None:
    among_words, among_numbers = texts("-", "无", "有").facts, texts("3", "无", "5").facts
    assert (among_words.kind, among_words.missing, among_words.distinct) == ("text", 0, 3)
    assert (among_numbers.kind, among_numbers.missing, among_numbers.missing_texts) == ("integer", 1, ("无",))


def test_blanks_are_missing_among_words_too() -> None:
    facts = texts("a", "  ", "b").facts
    assert (facts.kind, facts.missing, facts.missing_texts) == ("text", 1, ("  ",))


def test_digits_led_by_zeros_are_words_to_be_loaded_as_such() -> None:
    found = texts("00123", "04567")
    assert (found.facts.kind, found.as_text) == ("text", True)
    assert found.values is not None
    assert found.values.values == ("00123", "04567")


def test_short_digits_led_by_a_zero_are_numbers() -> None:
    assert texts("01", "02", "12").facts.kind == "integer"


def test_whole_numbers_that_would_lose_digits_are_words() -> None:
    assert texts("123456789012345678901", "5").as_text
    assert texts("110101199001010017", "5").as_text
    assert texts("110101199001010", "5").facts.kind == "integer"


def test_numbers_among_words_make_a_mixed_column_with_statistics_of_the_numbers() -> None:
    found = texts("1", "2", "3", "n. a. yet")
    assert (found.facts.kind, found.facts.minimum, found.facts.maximum) == ("mixed", 1, 3)
    assert found.values is not None


def test_few_numbers_among_words_are_words() -> None:
    assert texts("1", "alpha", "beta").facts.kind == "text"


def test_dates_have_their_format_and_iso_ends() -> None:
    facts = texts("2021年2月3日", "2021年12月30日", "—").facts
    assert (facts.kind, facts.notation, facts.date_format) == ("date", "date_text", "%Y年%m月%d日")
    assert (facts.minimum, facts.maximum, facts.missing) == ("2021-02-03", "2021-12-30", 1)


def test_eight_digits_that_are_all_dates_are_dates() -> None:
    assert texts("20210203", "20211231").facts.date_format == "%Y%m%d"
    assert texts("20210203", "20219931").facts.kind == "integer"


def test_moments_and_times_are_told_apart() -> None:
    moment, hour = texts("2021-02-03 10:00:00").facts, texts("10:30", "09:05").facts
    assert (moment.kind, moment.minimum) == ("datetime", "2021-02-03T10:00:00")
    assert (hour.kind, hour.minimum, hour.maximum) == ("time", "09:05:00", "10:30:00")


def test_truth_values_are_boolean_and_yes_and_no_are_words() -> None:
    assert (texts("True", "FALSE", None).facts.kind, texts("yes", "no").facts.kind) == ("boolean", "text")


def test_a_column_without_values_is_empty() -> None:
    facts = texts(None, "", "NA").facts
    assert (facts.kind, facts.missing, facts.distinct, facts.minimum) == ("empty", 3, 0, None)


def test_where_pandas_does_not_make_numbers_of_texts_they_need_cleaning() -> None:
    facts = texts("1", "2", inferred=False).facts
    assert (facts.kind, facts.notation) == ("integer", "thousands")
    assert texts("NA", "b", inferred=False).facts.missing == 0
    assert texts("true", "false", inferred=False).facts.kind == "text"


def test_distinct_values_come_with_their_counts_the_most_frequent_first() -> None:
    found = texts("b", "a", "a", "c", "a", "c").values
    assert found is not None
    assert (found.values, found.counts, found.complete) == (("a", "c", "b"), (3, 2, 1), True)


def test_very_long_texts_are_left_out_of_the_values() -> None:
    found = texts("short", "x" * 300).values
    assert found is not None
    assert (found.values, found.complete) == (("short",), False)


def test_beyond_the_limit_the_most_frequent_values_are_kept() -> None:
    counted = tallies.tally(pl.Series(["a", "b", "b", "c", "c", "c"]))
    found = tallies.distinct_values(counted, limit=2)
    assert (found.values, found.counts, found.complete) == (("c", "b"), (3, 2), False)


def test_millions_of_different_texts_are_counted_right() -> None:
    rows = [f"id-{number}" for number in range(250_000)] + ["often"] * 50
    facts_and_values = texts(*rows)
    found = facts_and_values.values
    assert facts_and_values.facts.distinct == 250_001
    assert found is not None
    assert (found.values[0], found.counts[0], len(found.values), found.complete) == ("often", 50, 10_000, False)


@pytest.mark.parametrize(
    ("cells", "kind", "low", "high"),
    [
        ([1.0, 2.0, None], "integer", 1, 2),
        ([1.5, 2.0], "number", 1.5, 2),
        ([True, False], "boolean", None, None),
        ([date(2021, 1, 2), date(2021, 1, 1)], "date", "2021-01-01", "2021-01-02"),
        ([datetime(2021, 1, 1, 5)], "datetime", "2021-01-01T05:00:00", "2021-01-01T05:00:00"),  # noqa: DTZ001
        ([datetime(2021, 1, 1), date(2021, 1, 2)], "date", "2021-01-01", "2021-01-02"),  # noqa: DTZ001
        ([time(1, 2)], "time", None, None),
        ([1.0, date(2021, 1, 1)], "mixed", None, None),
        ([1.5, "1,234"], "number", 1.5, 1234),
        (["x", 1.0], "mixed", 1, 1),
    ],
)
def test_typed_cells_keep_their_type(cells: list[Any], kind: str, low: Any, high: Any) -> None:
    facts = profile_cells("c", cells).facts
    assert (facts.kind, facts.minimum, facts.maximum) == (kind, low, high)


def test_a_dash_among_real_dates_is_missing() -> None:
    facts = profile_cells("c", [date(2021, 1, 1), "-", None]).facts
    assert (facts.kind, facts.missing, facts.missing_texts) == ("date", 2, ("-",))


def test_of_equally_frequent_texts_the_first_are_kept() -> None:
    rows = ["often", *(f"id-{number}" for number in range(250_000)), "often"]
    found = texts(*rows).values
    assert found is not None
    assert found.values == ("often", *(f"id-{number}" for number in range(9_999)))
    pairs = pl.Series([f"id-{number // 2}" for number in range(500_000)])
    assert tallies.distinct_values(tallies.tally(pairs), limit=3).values == ("id-0", "id-1", "id-2")


def test_months_written_with_a_point_are_dates_and_are_loaded_as_text() -> None:
    found = texts("1980.05", "1990.10", None, "1990.02", "1978.04", "1987.12")
    assert (found.facts.kind, found.facts.date_format, found.as_text) == ("date", "%Y.%m", True)
    assert (found.facts.minimum, found.facts.maximum) == ("1978-04-01", "1990-10-01")


@pytest.mark.parametrize(
    "cells", [("1980.05", "1990.10", "1990.02", "1978.04"), ("1980.05", "1990.10", "1990.02", "1978.04", "1987.13")]
)
def test_numbers_that_may_be_mere_numbers_are_no_months(cells: tuple[str, ...]) -> None:
    assert texts(*cells).facts.kind == "number"
