"""Numbers as texts write them."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.data.files.numbers import Numbers, plain_numbers, written_numbers


def read(*texts: str, decimal: str | None = None) -> Numbers | None:
    series = pl.Series(list(texts))
    return plain_numbers(series, decimal=decimal) or written_numbers(series, decimal=decimal)


@pytest.mark.parametrize(
    ("texts", "values", "notation", "unit"),
    [
        (["1", " 2 ", "+3"], [1, 2, 3], "plain", None),
        (["1.5", "2e3", "-.5"], [1.5, 2000, -0.5], "plain", None),
        (["1,234", "12", "1,234,567.5"], [1234, 12, 1234567.5], "thousands", None),
        (["1 234", "5"], [1234, 5], "thousands", None),
        (["(1,234)", "5"], [-1234, 5], "thousands", None),
        (["−5", "1,000"], [-5, 1000], "thousands", None),
        (["12.3%", "7 %", "0"], [12.3, 7, 0], "percent", "%"),
        (["12％", "3％"], [12, 3], "percent", "%"),
        (["¥1,200", "￥30"], [1200, 30], "currency", "¥"),
        (["$3.50", "-$2", "$-1", "($4)"], [3.5, -2, -1, -4], "currency", "$"),
        (["USD 5", "USD 1,000"], [5, 1000], "currency", "USD"),
        (["5元", "1,200元"], [5, 1200], "currency", "元"),
        (["12 km", "1,300 km"], [12, 1300], "unit", "km"),
        (["1.2万", "3万"], [1.2, 3], "unit", "万"),
        (["2021年", "2020年"], [2021, 2020], "unit", "年"),
    ],
)
def test_a_notation_is_recognised_with_its_unit(
    texts: list[str], values: list[float], notation: str, unit: str | None
) -> None:
    found = read(*texts)
    assert found is not None
    assert (found.values.to_list(), found.notation, found.unit) == (values, notation, unit)


@pytest.mark.parametrize(
    "texts",
    [
        ["1st", "2nd"],
        ["A1", "A2"],
        ["10:30", "11:00"],
        ["3-2", "1-0"],
        ["1,23", "4"],
        ["1.2.3", "1.2.4"],
        ["5 km", "5 mi"],
        ["$5", "€5"],
        ["5%", "5"],
        ["00 Targeting", "01 Targeting"],
        ["1.2万", "3亿"],
        ["(5", "6"],
    ],
)
def test_what_is_no_number_in_one_notation_is_none(texts: list[str]) -> None:
    assert read(*texts) is None


def test_decimal_commas_are_read_where_the_file_writes_them() -> None:
    plain, grouped = read("1,5", "2", decimal=","), read("1.234,5", "2,5", decimal=",")
    assert plain is not None
    assert grouped is not None
    assert (plain.values.to_list(), plain.notation) == ([1.5, 2], "plain")
    assert (grouped.values.to_list(), grouped.notation) == ([1234.5, 2.5], "thousands")


def test_whole_numbers_are_told_from_those_with_a_fraction() -> None:
    whole, fraction = read("1,000", "2"), read("1,000.5", "2")
    assert whole is not None
    assert fraction is not None
    assert (whole.whole, fraction.whole) == (True, False)


@given(st.lists(st.integers(min_value=-(10**12), max_value=10**12), min_size=1, max_size=30))
def test_grouping_in_thousands_loses_nothing(numbers: list[int]) -> None:
    found = read(*[f"{number:,}" for number in numbers])
    assert found is not None
    assert found.values.to_list() == numbers
    assert found.whole


@given(st.lists(st.floats(min_value=-1e9, max_value=1e9).map(lambda number: round(number, 2)), min_size=1, max_size=30))
def test_currency_and_percent_give_the_number_as_written(numbers: list[float]) -> None:
    for texts in ([f"${number:,.2f}" for number in numbers], [f"{number:.2f}%" for number in numbers]):
        found = read(*texts)
        assert found is not None
        assert found.values.to_list() == pytest.approx(numbers)
