"""When a schedule is due: a small language of times, and what comes next of it in a time zone.

A day whose clock goes forward has no time in the gap: what would be due there is due at its end. A day whose clock goes
back has an hour twice: a time of day is due once, the first time; what is due every so many minutes, or every hour, is
due in both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import islice
from zoneinfo import ZoneInfo, available_timezones

from cronsim import CronSim, CronSimError

from tablewright.errors import InvalidInput

DAYS = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
WHEN_CHARS = 200
MOST_AT_ONCE = 20_000
"""How many times are looked through for the last one that was missed."""
MINUTES = (5, 10, 15, 20, 30)
HOURS = (2, 3, 4, 6, 8, 12)
_TIME = r"(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)"
_OF_DAYS = re.compile(rf"every (?P<days>(?:{'|'.join(DAYS)})(?:, ?(?:{'|'.join(DAYS)}))*) (?:at )?{_TIME}")
_DAILY = re.compile(rf"every (?P<kind>day|weekday) (?:at )?{_TIME}")
_OF_MONTH = re.compile(rf"every month on (?P<dates>last|(?:[12]?\d|3[01])(?:, ?(?:[12]?\d|3[01]))*) (?:at )?{_TIME}")
_MINUTES = re.compile(r"every (?P<count>\d+) minutes")
_HOURS = re.compile(r"every (?:(?P<count>\d+) hours|hour)(?: at :(?P<minute>[0-5]\d))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recurrence:
    """The times of a schedule: a cron expression in a time zone."""

    cron: str
    zone: ZoneInfo

    def after(self, moment: datetime) -> datetime | None:
        """Return the first time after `moment`, in UTC; None if there is none within 50 years."""
        return next(self._times(moment), None)

    def next(self, moment: datetime, count: int) -> tuple[datetime, ...]:
        """Return up to `count` times after `moment`, in UTC."""
        return tuple(islice(self._times(moment), count))

    def last_until(self, moment: datetime, *, since: datetime) -> datetime | None:
        """Return the last time from `since` to `moment`, both included, in UTC."""
        last: datetime | None = None
        before = datetime.fromtimestamp(since.timestamp() - 1, UTC)
        for time in islice(self._times(before), MOST_AT_ONCE):
            if time > moment:
                break
            last = time
        return last

    def _times(self, moment: datetime) -> Iterator[datetime]:
        return (time.astimezone(UTC) for time in CronSim(self.cron, moment.astimezone(self.zone)))


def recurrence(when: str, time_zone: str) -> Recurrence:
    """Read a schedule. Raises `InvalidInput` naming `when` or `time_zone`."""
    if time_zone not in _zones():
        raise InvalidInput("schedule_zone", field="time_zone", name=time_zone[:100])
    cron = _cron(" ".join(when.lower().split())) if len(when) <= WHEN_CHARS else None
    try:
        if cron is None:
            raise CronSimError(when)
        found = Recurrence(cron=cron, zone=ZoneInfo(time_zone))
        CronSim(cron, datetime(2000, 1, 1, tzinfo=UTC))
    except (CronSimError, ValueError) as error:
        raise InvalidInput("schedule_when", field="when", words=when[:WHEN_CHARS]) from error
    return found


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones()) - {"localtime"}


def _cron(when: str) -> str | None:
    """Return the cron expression that the words mean, or None."""
    if when.startswith("cron "):
        fields = when.removeprefix("cron ").split()
        return " ".join(fields) if len(fields) == 5 else None
    if found := _DAILY.fullmatch(when):
        return f"{_clock(found)} * * {'1-5' if found['kind'] == 'weekday' else '*'}"
    if found := _OF_DAYS.fullmatch(when):
        numbers = sorted({DAYS.index(day.strip()) for day in found["days"].split(",")})
        return f"{_clock(found)} * * {','.join(map(str, numbers))}"
    if found := _OF_MONTH.fullmatch(when):
        dates = "L" if found["dates"] == "last" else found["dates"].replace(" ", "")
        return f"{_clock(found)} {dates} * *"
    return _interval(when)


def _interval(when: str) -> str | None:
    if found := _MINUTES.fullmatch(when):
        return f"*/{found['count']} * * * *" if int(found["count"]) in MINUTES else None
    found = _HOURS.fullmatch(when)
    if found is None:
        return None
    minute, count = int(found["minute"] or 0), int(found["count"] or 1)
    if count == 1:
        return f"{minute} * * * *"
    return f"{minute} {','.join(map(str, range(0, 24, count)))} * * *" if count in HOURS else None


def _clock(found: re.Match[str]) -> str:
    return f"{int(found['minute'])} {int(found['hour'])}"
