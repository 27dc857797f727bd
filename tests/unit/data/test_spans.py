"""Spans of time that are written in several units count as numbers in one, where it is plain what they mean."""

from __future__ import annotations

import polars as pl
import pytest

from tablewright.data.files.columns import profile_cells, profile_texts
from tablewright.domain.dataset import CleanFacts, ColumnFacts
from tablewright.domain.table_facts import Irregularity


def column(name: str, *texts: str | None) -> ColumnFacts:
    return profile_texts(name, pl.Series(texts, dtype=pl.String)).facts


def clean(name: str, *texts: str | None) -> CleanFacts | None:
    return column(name, *texts).clean


def test_spans_in_several_units_count_in_minutes() -> None:
    facts = column("Length", "1h 35m", "95 min", "2h", "45分钟", "1小时30分", "1.5小时", "0:45", None, "2h", "tbd")
    found = facts.clean
    assert found is not None
    assert (found.kind, found.notation, found.unit, found.distinct) == ("integer", "unit", "min", 4)
    assert (found.minimum, found.maximum) == (45, 120)
    assert found.mean == pytest.approx((95 + 95 + 120 + 45 + 90 + 90 + 45 + 120) / 8)
    assert set(found.units) == {"min", "分钟", "分", "m"}
    assert facts.irregular == (
        Irregularity(kind="marks", cells=1, examples=("tbd",)),
        Irregularity(kind="spans", cells=6, examples=("1h 35m", "2h", "1小时30分", "1.5小时", "0:45")),
    )


@pytest.mark.parametrize(
    ("name", "texts", "unit", "ends"),
    [
        ("时长", ("120分钟", "3小时", "1:30", "0"), "分钟", (0, 180)),
        ("Downtime", ("3 days", "12 hours", "2d 12h", "1 week"), "days", (0.5, 7)),
        ("请假", ("3天", "12小时", "1天"), "天", (0.5, 3)),
        ("Latency", ("250 ms", "1.2 s", "90 ms"), "ms", (90, 1200)),
        ("Call", ("90s", "45s", "1m 30s", "30s"), "s", (30, 90)),
        ("Call", ("2m 30s", "1m", "45 s"), "min", (0.75, 2.5)),
        ("Duration (min)", ("45", "1h 30m", "60"), "min", (45, 90)),
        ("用时(小时)", ("1.5", "30分钟", "45分钟", "90分钟"), "小时", (0.5, 1.5)),
        ("Cook time", ("5 min", "10m", "1 hour and 5 minutes", "20 mins."), "min", (5, 65)),
        ("Time (mm:ss)", ("58:14", "43:30", "60:00"), "min", (43.5, 60)),
        ("Time left (mm:ss)", ("07:30", "05:15"), "min", (5.25, 7.5)),
        ("Talk time (h:mm)", ("7:30", "8:05"), "min", (450, 485)),
        ("Call length", ("45:30", "1:02:30", "12:00"), "min", (12, 62.5)),
        ("Duration (hours)", ("7:30", "8:00"), "h", (7.5, 8)),
        ("Duration (min)", ("7:30", "8:00"), "min", (7.5, 8)),
        ("工时", ("7:30", "8:00"), "分钟", (450, 480)),
        ("Age", ("18m", "4y", "2岁", "8个月", "1y 6m", "3 yrs old"), "years", (8 / 12, 4)),
        ("年龄", ("2岁", "8个月", "1岁6个月"), "岁", (8 / 12, 2)),
        ("年龄(岁)", ("56", "42", "8个月", "70"), "岁", (8 / 12, 70)),
        ("Warranty", ("12 months", "2 years", "1 year"), "years", (1, 2)),
        ("Age", ("3w", "8 months", "2y"), "years", (21 / 365.25, 2)),
    ],
)
def test_the_unit_is_what_most_cells_or_the_name_of_the_column_speak_of(
    name: str, texts: tuple[str, ...], unit: str, ends: tuple[float, float]
) -> None:
    found = clean(name, *texts)
    assert found is not None
    assert found.spans is not None
    assert found.unit == unit
    assert (found.minimum, found.maximum) == pytest.approx(ends)


def test_days_beside_months_count_as_in_an_average_year() -> None:
    beside, alone = clean("Age", "10d", "8 months", "2y"), clean("Age", "8 months", "2y", "1y")
    assert beside is not None
    assert beside.spans is not None
    assert beside.spans.average
    assert alone is not None
    assert alone.spans is not None
    assert not alone.spans.average


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("Product", ("5m", "2h", "M8 5m")),
        ("Model", ("5m", "2h", "3d")),
        ("尺码", ("12m", "18m", "2y")),
        ("x", ("5m", "2h")),
        ("x", ("5m", "2d", "1d")),
        ("x", ("5m", "2h", "1y")),
        ("Drawing", ("2D", "3D", "5M", "2H")),
        ("Tenor", ("3M", "6M", "1Y")),
        ("Start", ("12:30", "1h", "9:15 am")),
        ("Score", ("3:1", "2:0", "10:2")),
        ("Scale", ("1:200", "1:50", "1:1000")),
        ("Cable", ("5m", "10 ft", "2m")),
        ("Speed", ("5m/s", "3 m/s", "2h")),
        ("x", ("45", "1h 30m", "60", "90")),
        ("x", ("30m 1h", "2h", "3h")),
        ("x", ("1h-2h", "30m", "3h")),
        ("x", ("2023年", "3个月", "5个月")),
        ("x", ("8时30分", "9时15分")),
        ("时长", ("3小时", "45分钟", "半小时")),
        ("Length", ("2 hours", "45 min", "half an hour")),
    ],
)
def test_what_may_be_something_else_stays_words(name: str, texts: tuple[str, ...]) -> None:
    found = clean(name, *texts)
    assert found is None or found.spans is None


def test_clocks_of_two_and_three_numbers_within_a_day_stay_as_they_are() -> None:
    assert clean("Gun", "08:15", "12:30:10", "23:59") is None


def test_clocks_beyond_the_hours_of_a_day_last_and_are_no_times() -> None:
    found = clean("Gun", "56:44", "1:02:53", "0:33:30", "51:10", "DNF", "48:00", "49:30")
    assert found is not None
    assert (found.unit, found.marks, found.minimum) == ("min", ("DNF",), 33.5)


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("Start", ("12:30", "3:05", "7:45")),
        ("Start (hh:mm)", ("12:30", "03:05")),
        ("Time", ("08:00:00", "12:30:00")),
        ("Opening hours", ("9:00", "17:30")),
        ("duration", ("0:45", "1:30")),
    ],
)
def test_times_of_the_day_stay_times(name: str, texts: tuple[str, ...]) -> None:
    facts = column(name, *texts)
    assert (facts.kind, facts.clean) == ("time", None)


@pytest.mark.parametrize(
    ("texts", "unit"),
    [(("5m", "10m", "2m"), "m"), (("45 min", "60 minutes", "30 mins"), "min"), (("2天", "3天"), "天")],
)
def test_one_unit_is_no_span_in_several(texts: tuple[str, ...], unit: str) -> None:
    facts = column("x", *texts)
    found = facts.clean
    assert (facts.unit if found is None else found.unit) == unit
    assert found is None or found.spans is None


def test_numbers_of_a_workbook_stand_beside_spans_if_the_name_has_their_unit() -> None:
    facts = profile_cells("年龄(岁)", [56.0, 42.0, "8个月", None, 70.0]).facts
    assert facts.clean is not None
    assert (facts.clean.unit, facts.clean.minimum) == ("岁", 8 / 12)
    assert facts.irregular == (Irregularity(kind="spans", cells=1, examples=("8个月",)),)
