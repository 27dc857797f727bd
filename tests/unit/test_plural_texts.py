"""One of something is no plural in English."""

from __future__ import annotations

import pytest

from tablewright.texts.catalogue import text

CODES = (
    "answer.left_headings", "answer.left_totals", "answer.charts", "answer.columns", "answer.missing",
    "operating.top", "operating.rows_inserted", "operating.columns_inserted", "operating.many_cells", "offer.chart",
    "agent.cells_guarded", "cli_guarded", "cli_plan", "cells_not_recalculated", "workflow_files_missing",
)  # fmt: skip


@pytest.mark.parametrize("code", CODES)
def test_a_number_agrees_with_its_word(code: str) -> None:
    one, two = (text(code, "en", count=count, name="a", names="a") for count in (1, 2))
    assert one.replace("1", "2") != two
    words = one[one.index("1") :].split()
    assert not words[1].strip("):.,").endswith("s")


def test_rows_of_a_database_agree() -> None:
    said = text("database_rows_bounded", "en", table="t", rows=1)
    assert said == "t: only the first 1 row was read; figures are about it."
