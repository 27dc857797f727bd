"""What is said of a difference between groups."""

from __future__ import annotations

from typing import Any

from tablewright.analyst.reporting.themes.differences import findings

APART: dict[str, Any] = {
    "group": "vent", "column": "heat", "p": 1e-9, "explained": 0.4, "rows": 90, "apart": "N", "count": 40,
    "middle": "median", "value": 18.0, "others": 24.0,
}  # fmt: skip


def said(*names: str) -> str:
    middles = [[name, 18.0 if name == "N" else 24.0] for name in names]
    (found,) = findings({"tests": 1, "differences": [{**APART, "middles": middles}], "shares": []}, "d-1", "en")
    return found.text


def test_of_two_groups_both_are_named() -> None:
    assert '"heat" differs by "vent": a median of 18 for N, of 24 for Y (-25%)' in said("Y", "N")


def test_of_more_groups_one_is_set_against_the_others() -> None:
    assert "most of all for N: a median of 18, of the others 24 (-25%)" in said("Y", "N", "Z")
