"""What a constant says of times."""

from __future__ import annotations

import pytest

from tablewright.analyst.date_constants import seconds_of


@pytest.mark.parametrize(
    ("text", "seconds"), [("7:30", 27_000), (" 07:30:15 ", 27_015), ("0:00", 0), ("730", None), ("2024-01-01", None)]
)
def test_a_time_of_day_is_read_as_seconds(text: str, seconds: int | None) -> None:
    assert seconds_of(text) == seconds
