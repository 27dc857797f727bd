"""Dates without a year are days of the one year that the other dates of their column have."""

from __future__ import annotations

from datetime import datetime

import polars as pl
import pytest

from tablewright.data.files.columns import profile_cells, profile_texts
from tablewright.domain.dataset import CleanFacts, ColumnFacts
from tablewright.domain.table_facts import Irregularity


def column(*texts: str | None) -> ColumnFacts:
    return profile_texts("c", pl.Series(texts, dtype=pl.String)).facts


def clean(*texts: str | None) -> CleanFacts | None:
    return column(*texts).clean


def test_dates_without_a_year_are_days_of_the_year_of_all_others() -> None:
    facts = column("2025-9-1", "2025/9/30", "9月2日", None, "Sep 3", "9/4", "2025-9-5", "9月2日")
    found = facts.clean
    assert found is not None
    assert (found.kind, found.year, found.minimum, found.maximum) == ("date", 2025, "2025-09-01", "2025-09-30")
    assert found.date_formats[:2] == ("%Y-%m-%d", "%Y/%m/%d")
    assert set(found.date_formats[2:]) == {"%m月%d日", "%b %d", "%m/%d"}
    assert facts.irregular == (
        Irregularity(kind="date_notations", cells=1, examples=("%Y-%m-%d", "%Y/%m/%d")),
        Irregularity(kind="yearless", cells=4, examples=("9月2日", "Sep 3", "9/4"), meant="2025"),
    )


@pytest.mark.parametrize(
    ("texts", "form", "maximum"),
    [
        (("1/9/2025", "17/9/2025", "30/9/2025", "5/10"), "%d/%m", "2025-10-05"),
        (("9/1/2025", "9/30/2025", "9/2/2025", "10/5"), "%m/%d", "2025-10-05"),
        (("1 Sep 2025", "4 Sep 2025", "5/10"), "%d/%m", "2025-10-05"),
        (("Sep 1, 2025", "Sep 4, 2025", "10/5"), "%m/%d", "2025-10-05"),
        (("2025-09-01", "2025-09-04", "5-Oct"), "%d-%b", "2025-10-05"),
        (("2025-09-01", "2025-09-04", "5 October"), "%d %B", "2025-10-05"),
        (("2025-09-01", "2025-09-04", "10月5号"), "%m月%d号", "2025-10-05"),
        (("2025-09-01 08:00", "2025-09-04 09:30", "10月5日 17:20"), "%m月%d日 %H:%M", "2025-10-05T17:20:00"),
        (("2025-09-01", "9月4日", "9月30日", "10月5日"), "%m月%d日", "2025-10-05"),
        (("2025-09-01", "Thu 4 Sep 2025", "Sun 5 Oct"), "%a %d %b", "2025-10-05"),
        (("2025-09-01", "2025-09-04", "Sunday, 5 October"), "%A, %d %B", "2025-10-05"),
    ],
)
def test_the_order_of_day_and_month_is_that_of_the_other_dates(texts: tuple[str, ...], form: str, maximum: str) -> None:
    found = clean(*texts)
    assert found is not None
    assert (found.date_formats[-1], found.maximum, found.year) == (form, maximum, 2025)


@pytest.mark.parametrize(
    "texts",
    [
        ("9月1日", "9月2日"),
        ("2025-09-01", "2024-09-03", "9月2日"),
        ("2025-11-01", "2025-12-30", "1月2日"),
        ("2025-01-05", "2025-01-30", "12月30日"),
        ("2025-09-01", "2025-09-02", "13/9"),
        ("2025-09-01", "2025-09-02", "Thu 5 Sep"),
        ("2025-03-01", "2025-02-01", "2月29日"),
        ("2025-09-01", "9/2", "9/3"),
        ("2025-09-01", "1 Sep 2025", "2/9"),
        ("2025-09-01", "2025-09-02", "9/3", "1/2 cup"),
        ("2025-09-01", "2025-09-02", "9/3", "9.5.1"),
    ],
)
def test_what_leaves_the_year_or_the_month_open_stays_a_column_of_words(texts: tuple[str, ...]) -> None:
    assert clean(*texts) is None


@pytest.mark.parametrize(
    "texts", [("1 May", "2 May", "3 May"), ("12-Mar", "13-Mar", "14-Mar"), ("3月5日", "3月6日"), ("05/12", "05/13")]
)
def test_dates_of_no_year_are_words_and_no_numbers_with_a_month_as_their_unit(texts: tuple[str, ...]) -> None:
    facts = column(*texts)
    assert (facts.kind, facts.unit, facts.clean) == ("text", None, None)


def test_texts_without_a_year_complete_the_dates_of_a_workbook() -> None:
    days = [datetime(2025, 7, day) for day in range(2, 6)]  # noqa: DTZ001  # cells have no zone
    facts = profile_cells("c", [*days, "7.6", "7.20", "open"]).facts
    found = facts.clean
    assert found is not None
    assert (found.date_formats, found.year, found.maximum) == (("%Y-%m-%d", "%m.%d"), 2025, "2025-07-20")
    assert facts.irregular == (
        Irregularity(kind="marks", cells=1, examples=("open",)),
        Irregularity(kind="yearless", cells=2, examples=("7.6", "7.20"), meant="2025"),
    )


def test_numbers_that_may_be_day_or_month_complete_no_dates_of_a_workbook() -> None:
    days = [datetime(2025, 7, day) for day in range(2, 6)]  # noqa: DTZ001  # cells have no zone
    assert profile_cells("c", [*days, "7.6", "7.8"]).facts.clean is None
