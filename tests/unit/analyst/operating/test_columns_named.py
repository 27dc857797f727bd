"""Columns are recognised in the ways in which people name them."""

from __future__ import annotations

import pytest

from tablewright.analyst.operating.columns_named import abbreviated_columns, leveled_columns, under_any_header

_LEVELS = ("门店", "一季度 / 预算", "一季度 / 实际", "二季度 / 预算", "二季度 / 实际")


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("比较一季度预算和实际", ["一季度 / 实际", "一季度 / 预算"]),
        ("一季度和二季度的实际", ["一季度 / 实际", "二季度 / 实际"]),
        ("一季度预算，二季度实际", ["一季度 / 预算", "二季度 / 实际"]),
        ("实际大于100", []),
    ],
)
def test_an_upper_header_said_before_holds_for_the_lower_ones_after_it(text: str, columns: list[str]) -> None:
    assert sorted(name for _, name in leveled_columns(text, _LEVELS)) == sorted(columns)


def test_a_lower_header_alone_stands_for_the_first_column_under_it() -> None:
    assert [name for _, _, name in under_any_header("实际大于100", _LEVELS)] == ["一季度 / 实际"]
    assert under_any_header("一季度实际大于100", _LEVELS) == []


def test_an_abbreviated_header_is_named_by_the_word_written_out() -> None:
    names = ("Task", "Est. Hours", "Actual Hours")
    assert [name for _, name in abbreviated_columns("estimated vs actual hours", names)] == ["Est. Hours"]
    assert abbreviated_columns("the best hours", names) == []
