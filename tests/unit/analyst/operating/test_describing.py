"""How steps are described to a person."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.analyst.operating.describing import described
from tablewright.analyst.operating.wish import Op


@pytest.mark.parametrize(
    ("function", "given", "english", "chinese"),
    [
        ("insert_rows", {"row": 4, "count": 2}, "Insert 2 rows before row 4", "在第 4 行前插入 2 行"),
        ("insert_rows", {"row": 4}, "Insert a row before row 4", "在第 4 行前插入一行"),
        ("delete_rows", {"row": 3, "count": 1}, "Delete row 3", "删除第 3 行"),
        ("delete_rows", {"row": 3, "count": 3}, "Delete rows 3–5", "删除第 3–5 行"),
        ("insert_columns", {"before": "B", "count": 1}, "Insert a column before B", "在 B 前插入一列"),
        ("set_row_height", {"row": 1, "height": 30}, "Set the height of row 1 → 30", "设置行高：第 1 行 → 30"),
    ],
)
def test_rows_and_columns_are_named_by_their_numbers(
    function: str, given: dict[str, Any], english: str, chinese: str
) -> None:
    op = Op(function=function, parameters={"sheet": "Data", **given})
    assert described(op, "en") == english
    assert described(op, "zh") == chinese


def test_rows_deleted_by_a_condition_are_described_by_it() -> None:
    where = {"tests": [{"column": "Sales", "op": "<", "value": 20_000}], "match": "all"}
    op = Op(function="delete_rows", parameters={"sheet": "Data", "where": where})
    assert described(op, "en") == "Delete rows where Sales < 20000"
