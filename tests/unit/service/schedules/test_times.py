"""When schedules are due, in time zones whose clocks go forward and back."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.errors import InvalidInput
from tablewright.service.schedules.times import recurrence

BERLIN = "Europe/Berlin"


def at(words: str) -> datetime:
    return datetime.fromisoformat(words).replace(tzinfo=UTC)


def times(when: str, zone: str, after: str, count: int) -> list[str]:
    """Return times on the clocks of the zone."""
    found = recurrence(when, zone)
    return [time.astimezone(found.zone).isoformat()[:22] for time in found.next(at(after), count)]


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ("every monday 08:00", ["2026-03-02T08:00", "2026-03-09T08:00"]),
        ("Every Friday, monday at 8:05", ["2026-03-02T08:05", "2026-03-06T08:05"]),
        ("every day 17:30", ["2026-03-01T17:30", "2026-03-02T17:30"]),
        ("every weekday 09:00", ["2026-03-02T09:00", "2026-03-03T09:00"]),
        ("every month on 1, 15 06:00", ["2026-03-01T06:00", "2026-03-15T06:00"]),
        ("every month on last 23:59", ["2026-03-31T23:59", "2026-04-30T23:59"]),
        ("every month on 31 00:00", ["2026-03-31T00:00", "2026-05-31T00:00"]),
        ("every 15 minutes", ["2026-03-01T00:15", "2026-03-01T00:30"]),
        ("every hour", ["2026-03-01T01:00", "2026-03-01T02:00"]),
        ("every 6 hours at :30", ["2026-03-01T00:30", "2026-03-01T06:30"]),
        ("cron 0 8 * * 1", ["2026-03-02T08:00", "2026-03-09T08:00"]),
        ("cron 0 0 29 2 *", ["2028-02-29T00:00", "2032-02-29T00:00"]),
    ],
)
def test_words_and_cron_mean_times(when: str, expected: list[str]) -> None:
    assert [time[:16] for time in times(when, "UTC", "2026-03-01T00:00", 2)] == expected


@pytest.mark.parametrize(
    "when",
    ["", "monday", "every monday", "every monday 24:00", "every 7 minutes", "every 0 minutes", "every 5 hours",
     "every month on 32 08:00", "every month on 0 08:00", "cron 0 8 * *", "cron 0 8 * * 1 2026", "cron 99 * * * *",
     "cron 0 0 30 2 *", "every day 8", "jeden Montag 08:00", "every monday 08:00 " * 50, "cron @reboot"],
)  # fmt: skip
def test_what_is_no_schedule_is_refused_by_name(when: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        recurrence(when, "UTC")
    assert refused.value.field == "when"


@pytest.mark.parametrize("zone", ["", "Mars/Base", "../../etc/passwd", "localtime", "CEST+5"])
def test_what_is_no_time_zone_is_refused_by_name(zone: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        recurrence("every day 08:00", zone)
    assert refused.value.field == "time_zone"


def test_a_time_that_the_clock_skips_is_due_at_the_end_of_the_gap() -> None:
    assert times("every day 02:30", BERLIN, "2026-03-28T00:00", 3) == [
        "2026-03-28T02:30:00+01",
        "2026-03-29T03:00:00+02",
        "2026-03-30T02:30:00+02",
    ]


def test_a_gap_at_midnight_moves_to_its_end() -> None:
    assert times("every day 00:00", "America/Santiago", "2026-09-05T12:00", 2) == [
        "2026-09-06T01:00:00-03",
        "2026-09-07T00:00:00-03",
    ]


def test_a_time_that_the_clock_has_twice_is_due_once() -> None:
    assert times("every day 02:30", BERLIN, "2026-10-24T12:00", 2) == [
        "2026-10-25T02:30:00+02",
        "2026-10-26T02:30:00+01",
    ]
    assert times("every 2 hours", BERLIN, "2026-10-24T22:00", 3) == [
        "2026-10-25T02:00:00+02",
        "2026-10-25T04:00:00+01",
        "2026-10-25T06:00:00+01",
    ]


def test_minutes_and_hours_go_on_through_the_doubled_hour() -> None:
    found = recurrence("every 30 minutes", BERLIN).next(at("2026-10-24T23:00"), 8)
    assert {later - earlier for earlier, later in itertools.pairwise(found)} == {timedelta(minutes=30)}


def test_the_clock_of_the_zone_counts_through_summer_and_winter() -> None:
    assert times("every monday 08:00", BERLIN, "2026-03-23T12:00", 1) == ["2026-03-30T08:00:00+02"]
    assert times("every monday 08:00", "Asia/Shanghai", "2026-03-23T12:00", 1) == ["2026-03-30T08:00:00+08"]


def test_of_missed_times_the_last_is_found_and_none_that_was_before() -> None:
    found = recurrence("every day 08:00", "UTC")
    now = at("2026-03-10T09:00")
    assert found.last_until(now, since=at("2026-03-01T08:00")) == at("2026-03-10T08:00")
    assert found.last_until(now, since=at("2026-03-10T08:00")) == at("2026-03-10T08:00")
    assert found.last_until(now, since=at("2026-03-10T08:01")) is None
    assert found.last_until(at("2026-03-10T08:00"), since=at("2026-03-10T08:00")) == at("2026-03-10T08:00")


@given(
    when=st.sampled_from(["every day 02:30", "every 30 minutes", "every hour", "every month on last 01:15"]),
    zone=st.sampled_from([BERLIN, "America/Santiago", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"]),
    minutes=st.integers(0, 2 * 365 * 24 * 60),
)
def test_times_grow_and_the_next_is_the_same_from_anywhere_before(when: str, zone: str, minutes: int) -> None:
    found = recurrence(when, zone)
    moment = at("2026-01-01T00:00") + timedelta(minutes=minutes)
    first, second = found.next(moment, 2)
    assert moment < first < second
    assert found.after(first) == second
    assert found.after(first - timedelta(seconds=1)) == first
    assert found.last_until(second - timedelta(seconds=1), since=first) == first
