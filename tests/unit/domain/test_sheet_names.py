"""Sheets of two workbooks that are the same by name."""

from __future__ import annotations

import pytest

from tablewright.domain.sheet_names import counterparts


@pytest.mark.parametrize(
    ("names", "known", "expected"),
    [
        (["Data", "Prices"], ["prices", "data"], {"Data": "data", "Prices": "prices"}),
        (["Data"], ["Data ", "Prices"], {"Data": "Data "}),
        (["Data", "Data "], ["Data ", "Prices"], {"Data ": "Data "}),
        (["Data", "Data "], ["Data ", "Data"], {"Data": "Data", "Data ": "Data "}),
        ([" Data", "Data "], ["Data"], {}),
        (["Data"], ["Data ", " Data"], {}),
        (["Data"], [], {}),
    ],
)
def test_two_sheets_are_never_one_and_the_same(names: list[str], known: list[str], expected: dict[str, str]) -> None:
    assert counterparts(names, known) == expected
