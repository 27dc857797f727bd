"""Dates as texts write them."""

from __future__ import annotations

from datetime import date, datetime

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.data.files.dates import digit_dates, written_dates


@pytest.mark.parametrize(
    ("texts", "form", "kind", "first"),
    [
        (["2021-02-03", "2021-2-4"], "%Y-%m-%d", "date", "2021-02-03 00:00:00"),
        (["2021/2/3"], "%Y/%m/%d", "date", "2021-02-03 00:00:00"),
        (["2021年2月3日", "2021年12月30日"], "%Y年%m月%d日", "date", "2021-02-03 00:00:00"),
        (["2021年2月", "2021年02月"], "%Y年%m月", "date", "2021-02-01 00:00:00"),
        (["2021-02", "2021-3"], "%Y-%m", "date", "2021-02-01 00:00:00"),
        (["January 5, 2021", "May 6, 2021"], "%B %d, %Y", "date", "2021-01-05 00:00:00"),
        (["5 Jan 2021"], "%d %b %Y", "date", "2021-01-05 00:00:00"),
        (["Jan-21"], "%b-%y", "date", "2021-01-01 00:00:00"),
        (["Feb 2020"], "%b %Y", "date", "2020-02-01 00:00:00"),
        (["Monday, March 1, 2021"], "%A, %B %d, %Y", "date", "2021-03-01 00:00:00"),
        (["01/02/2021", "13/02/2021"], "%d/%m/%Y", "date", "2021-02-01 00:00:00"),
        (["02/01/2021", "02/13/2021"], "%m/%d/%Y", "date", "2021-02-01 00:00:00"),
        (["2021-02-03 10:00"], "%Y-%m-%d %H:%M", "datetime", "2021-02-03 10:00:00"),
        (["2021-02-03T10:00:00.25Z"], "%Y-%m-%dT%H:%M:%S.%f%z", "datetime", "2021-02-03 10:00:00.250000"),
        (["2021-02-03 10:00:00+08:00"], "%Y-%m-%d %H:%M:%S%z", "datetime", "2021-02-03 02:00:00"),
        (["10:30", "9:05"], "%H:%M", "time", "10:30:00"),
        (["3:05 PM"], "%I:%M %p", "time", "15:05:00"),
    ],
)
def test_one_format_is_found_for_a_whole_column(texts: list[str], form: str, kind: str, first: str) -> None:
    found = written_dates(pl.Series(texts))
    assert found is not None
    assert (found.format, found.kind, str(found.values[0])) == (form, kind, first)


@pytest.mark.parametrize(
    "texts", [["2021-02-30"], ["2021年2月", "2021年2月3日"], ["3-2"], ["May"], ["2021"], ["1.5.2"], ["13/13/2021"]]
)
def test_what_does_not_fit_one_format_is_no_date(texts: list[str]) -> None:
    assert written_dates(pl.Series(texts)) is None


def test_a_sorted_column_tells_day_from_month() -> None:
    found = written_dates(pl.Series(["11/10/2021", "12/10/2021", "01/11/2021", "02/11/2021"]))
    assert found is not None
    assert found.format == "%d/%m/%Y"


def test_where_nothing_tells_the_month_comes_first() -> None:
    found = written_dates(pl.Series(["01/02/2021", "01/03/2021"]))
    assert found is not None
    assert found.format == "%m/%d/%Y"


def test_digits_are_dates_only_when_every_one_is() -> None:
    dates, numbers = digit_dates(pl.Series(["20210203", "20211231"])), digit_dates(pl.Series(["20210203", "20211331"]))
    assert dates is not None
    assert dates.format == "%Y%m%d"
    assert numbers is None


@given(
    st.lists(st.dates(min_value=date(1900, 1, 1), max_value=date(2099, 12, 31)), min_size=1, max_size=20),
    st.sampled_from(["%Y-%m-%d", "%Y/%m/%d", "%Y年%m月%d日", "%d %B %Y", "%b %d, %Y"]),
)
def test_written_dates_are_read_back(days: list[date], form: str) -> None:
    found = written_dates(pl.Series([day.strftime(form) for day in days]))
    assert found is not None
    assert [moment.date() for moment in found.values.to_list()] == days


FIRST, LAST = datetime(1900, 1, 1), datetime(2099, 12, 31)  # noqa: DTZ001  # as a file has them


@given(st.lists(st.datetimes(FIRST, LAST), min_size=1, max_size=9))
def test_iso_moments_are_read_back(moments: list[datetime]) -> None:
    whole = [moment.replace(microsecond=0) for moment in moments]
    found = written_dates(pl.Series([moment.isoformat() for moment in whole]))
    assert found is not None
    assert found.values.to_list() == whole
