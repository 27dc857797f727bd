"""Cell values: numbers, texts, booleans, errors, and dates as Excel counts them."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from tablewright.domain.table import Cell

_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?")
_QUOTED = re.compile(r'"[^"]*"|\\.|\[(?:[A-Z]\w*|\$[^\]]*|[<>=][^\]]*)\]|_.|\*.')
_DATE_BUILT_IN = frozenset({14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 30, 36, 45, 46, 47, 50, 57})
_DAY_S = 86_400
DAYS_TO_1904 = 1462
"""How much smaller a day's serial number is in a workbook that uses the 1904 date system."""
_START = datetime(1899, 12, 30)  # noqa: DTZ001  # a cell knows no time zone


@dataclass(frozen=True, slots=True)
class CellData:
    """The content of a cell.

    `value` is a constant or a formula's last result; `formula` starts with `=`. `error` means that the value is one of
    Excel's errors; `from_1904`, that the workbook uses the 1904 date system. The others are the style number and
    whether a number is displayed as a date.
    """

    value: Cell = None
    formula: str | None = None
    style: int = 0
    error: bool = False
    date: bool = False
    from_1904: bool = False

    @property
    def content(self) -> Cell:
        """The content as the formula bar shows it: the formula, else the value; dates as ISO 8601 text."""
        return self.formula if self.formula is not None else self.shown

    @property
    def shown(self) -> Cell:
        """The value; dates as ISO 8601 text."""
        return self.value if self.serial is None else iso(self.serial)

    @property
    def serial(self) -> float | None:
        """The serial number of a date in the 1900 system; None for anything else."""
        if not self.date or not isinstance(self.value, int | float) or isinstance(self.value, bool):
            return None
        return self.value + DAYS_TO_1904 if self.from_1904 and self.value >= 1 else self.value

    @property
    def empty(self) -> bool:
        return self.value is None and self.formula is None


EMPTY = CellData()


def number(text: str) -> int | float:
    """Parse a number as XML writes it; whole numbers become int. Errors: `ValueError`."""
    try:
        return int(text)
    except ValueError:
        found = float(text)
        return int(found) if found.is_integer() and abs(found) < 2**53 else found


def number_text(value: int | float) -> str:  # noqa: PYI041  # a whole number is written without a point
    """Format a number for XML. Errors: `ValueError` for a number that Excel cannot represent."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError("not a finite number")
        return repr(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    return str(value) if abs(value) < 2**53 else repr(float(value))


def is_date_format(code: str, built_in: int = 0) -> bool:
    """Whether a number format displays dates or times."""
    if built_in in _DATE_BUILT_IN:
        return True
    plain = _QUOTED.sub("", code.split(";", maxsplit=1)[0])
    return bool(re.search(r"[ymdhs年月日]", plain, re.IGNORECASE)) and not re.search(
        r"[0#?]", plain.replace("0", "", 1)
    )


def iso(serial: float) -> str | float:
    """Convert a serial number of the 1900 system to ISO 8601 text; a number that is no date stays a number."""
    if not 0 <= serial < 2_958_466:
        return serial
    seconds = round(serial * _DAY_S)
    if seconds < _DAY_S and serial < 1:
        return (_START + timedelta(seconds=seconds)).time().isoformat()
    day = _START + timedelta(seconds=seconds)
    if serial < 61:
        day += timedelta(days=1)
    return day.date().isoformat() if seconds % _DAY_S == 0 else day.isoformat(sep=" ")


def serial(text: str) -> float | None:
    """Return the serial number of an ISO 8601 date, or None if the text is not one."""
    match = _DATE.fullmatch(text.strip())
    if match is None:
        return None
    year, month, day, *clock = (int(part or 0) for part in match.groups())
    try:
        days = (date(year, month, day) - date(1899, 12, 30)).days
        moment = time(clock[0], clock[1], clock[2])
    except ValueError:
        return None
    if days < 61:
        return None
    seconds = moment.hour * 3600 + moment.minute * 60 + moment.second
    return days + seconds / _DAY_S if seconds else days
