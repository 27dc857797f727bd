"""How much of a result is told."""

from __future__ import annotations

import pytest

from tablewright.domain.table import Table
from tablewright.tools.base import ResponseFormat
from tablewright.tools.shaping import Cap, shaped_table, shaped_text

TABLE = Table(columns=("a", "b|c"), rows=tuple((n, f"x{n}") for n in range(200)), total_rows=5_000)


@pytest.mark.parametrize(("form", "rows"), [("brief", 5), ("standard", 20), ("full", 100)])
def test_a_table_is_told_by_its_shape_and_its_first_rows(form: ResponseFormat, rows: int) -> None:
    told = shaped_table(TABLE, form, "en", Cap(rows=100)).splitlines()
    assert told[0] == "5000 rows × 2 columns"
    assert told[2] == "| a | b\\|c |"
    assert len(told) == 4 + rows + 1
    assert told[-1] == f"… ({5000 - rows} more rows)"


@pytest.mark.parametrize(("form", "chars"), [("brief", 500), ("standard", 4_000), ("full", 10_000)])
def test_a_text_is_told_by_its_beginning(form: ResponseFormat, chars: int) -> None:
    told = shaped_text("y" * 50_000, form, "en", Cap(chars=10_000))
    assert told.count("y") == chars
    assert told.endswith(f"… ({50_000 - chars} more characters)")


def test_what_is_short_is_told_whole() -> None:
    assert shaped_text("all of it", "brief", "en", Cap()) == "all of it"
    whole = Table(columns=("a",), rows=((None,), ("two\nlines",)), total_rows=2)
    assert shaped_table(whole, "brief", "zh", Cap()) == "2 行 × 1 列\n\n| a |\n| --- |\n|  |\n| two lines |"


def test_wide_rows_are_cut_to_the_characters_of_the_tool() -> None:
    wide = Table(columns=("a",), rows=tuple(("z" * 10_000,) for _ in range(100)), total_rows=100)
    told = shaped_table(wide, "full", "en", Cap(chars=2_000))
    assert len(told) < 2_100
    assert told.endswith("more rows)")


def test_a_table_without_columns_is_its_shape() -> None:
    assert shaped_table(Table(columns=(), rows=(), total_rows=0), "full", "en", Cap()) == "0 rows × 0 columns"
