from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.domain.formula_text import guarded, guarded_cells, is_formula_text
from tablewright.domain.table import Table
from tablewright.mcp_server import results
from tablewright.sandbox.worker import formula_text as worker

SUITE = Path(__file__).parents[2] / "suites" / "formula_cells.json"
CELLS: list[dict[str, Any]] = json.loads(SUITE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CELLS, ids=[ascii(case["cell"]) for case in CELLS])
def test_a_cell_is_guarded_where_a_spreadsheet_would_compute_it(case: dict[str, Any]) -> None:
    assert is_formula_text(case["cell"]) is case["guarded"]
    assert worker.is_formula_text(case["cell"]) is case["guarded"]


@given(st.text(alphabet="=+-@\t\r\n '\"0159.,:%eE$¥a\uff1d\uff0b\uff0d\uff20\u200b", max_size=8))
def test_the_worker_has_the_same_rule(text: str) -> None:
    assert worker.is_formula_text(text) is is_formula_text(text)


@given(st.text(max_size=8))
def test_a_guarded_cell_is_not_guarded_again(text: str) -> None:
    once = guarded([text])
    assert guarded(once.cells).changed == 0


def test_only_texts_are_changed_and_the_change_is_counted() -> None:
    row = guarded(["=a", -5, None, "-5", True, "b"])
    assert (row.cells, row.changed) == (("'=a", -5, None, "-5", True, "b"), 1)


async def test_tables_over_mcp_are_guarded_with_their_headers() -> None:
    table = Table(columns=("=a", "n"), rows=(("@x", -1), ("-5", 2)), total_rows=2)
    written = b"".join([piece async for piece in results._csv(table)])
    assert written == b"'=a,n\r\n'@x,-1\r\n-5,2\r\n"


@pytest.mark.parametrize("count", [0, 1, 12_345])
def test_what_the_sandbox_says_of_guarded_cells_is_read_back(count: int) -> None:
    assert guarded_cells(f"a\n{worker.changed_text(count)}result.csv: {worker.changed_text(1)}") == count + 1
    assert guarded_cells("tw.guard: an apostrophe before all") == 0
