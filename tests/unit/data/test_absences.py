"""Cells that say that there is no value are missing, and counted with what they say."""

from __future__ import annotations

from datetime import date
from typing import Any

import polars as pl
import pytest

from tablewright.data.files.columns import profile_cells, profile_texts
from tablewright.domain.table_facts import Irregularity


@pytest.mark.parametrize("kind", [pl.String, None])
def test_what_pandas_takes_for_missing_and_what_a_column_of_numbers_does(kind: type[pl.String] | None) -> None:
    cells = ["5", "N/A", "-", "7", "N/A", None, " ", "8"]
    facts = (profile_texts("c", pl.Series(cells, dtype=kind)) if kind else profile_cells("c", cells)).facts
    assert facts.missing == 5
    assert facts.irregular == (Irregularity(kind="absent", cells=3, examples=("N/A", "-")),)


@pytest.mark.parametrize("cells", [[1, "n/a", 2.5, None], [date(2024, 1, 5), "n/a", date(2024, 1, 6), None]])
def test_in_typed_cells(cells: list[Any]) -> None:
    assert profile_cells("c", cells).facts.irregular == (Irregularity(kind="absent", cells=1, examples=("n/a",)),)


def test_empty_cells_say_nothing() -> None:
    assert profile_texts("c", pl.Series(["1", None, "", "2"], dtype=pl.String)).facts.irregular == ()
