"""Numbers and dates between cells and what they show."""

from __future__ import annotations

import pytest

from tablewright.workbook.values import is_date_format, iso, number, number_text, serial


@pytest.mark.parametrize(
    ("day", "text"), [(45_292, "2024-01-01"), (45_292.5, "2024-01-01 12:00:00"), (61, "1900-03-01"), (1, "1900-01-01")]
)
def test_serial_numbers_show_as_iso_dates(day: float, text: str) -> None:
    assert iso(day) == text


@pytest.mark.parametrize(
    ("text", "day"), [("2024-01-01", 45_292), ("2024-1-1 06:00", 45_292.25), ("2024-13-01", None), ("01/02/2024", None)]
)
def test_iso_dates_are_read_as_serial_numbers(text: str, day: float | None) -> None:
    assert serial(text) == day


@pytest.mark.parametrize("code", ["yyyy-mm-dd", "d-mmm-yy", "[h]:mm:ss", 'yyyy"年"m"月"d"日"', "mm:ss"])
def test_formats_of_dates_and_times_are_known(code: str) -> None:
    assert is_date_format(code)


@pytest.mark.parametrize(
    "code", ["General", "#,##0.00", '0.00"days"', "[Red]0", "0%", "@", "_(* #,##0_)", "[$¥-804]#,##0"]
)
def test_formats_of_numbers_are_no_dates(code: str) -> None:
    assert not is_date_format(code)


def test_numbers_keep_their_kind() -> None:
    assert number("3") == 3
    assert isinstance(number("3.0"), int)
    assert number("1e-3") == 0.001
    assert number_text(3.0) == "3"
    assert number_text(0.1) == "0.1"
    with pytest.raises(ValueError, match="finite"):
        number_text(float("nan"))
