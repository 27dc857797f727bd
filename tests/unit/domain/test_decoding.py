"""Steps as they are written: other names are accepted, and what does not fit is said per parameter."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.domain.operations import AnyOperation, operations
from tablewright.domain.operations.aliases import ALIASES, function_of
from tablewright.domain.operations.charts import CreateChart, SetChartTitle
from tablewright.domain.operations.decoding import decode
from tablewright.domain.operations.formats import HighlightCells, SetFill, SetFont, SetNumberFormat
from tablewright.domain.operations.structure import InsertRows
from tablewright.texts.errors import error_text


@pytest.mark.parametrize(
    ("function", "parameters", "operation"),
    [
        ("create_chart", {"type": "bar", "data_range": "A1:B10"}, CreateChart(type="bar", data_range="A1:B10")),
        ("create_chart", {"chart_type": "pie", "range": "A1:B3"}, CreateChart(type="pie", data_range="A1:B3")),
        ("create_bar_chart", {"data_range": "A1:B10"}, CreateChart(type="bar", data_range="A1:B10")),
        ("set_chart_title", {"title": "Sales"}, SetChartTitle(title="Sales")),
        ("highlight_cells", {"range": "A2:A4"}, HighlightCells(range="A2:A4")),
        ("highlight_cells", {"cells": "A2", "fill_color": "red"}, HighlightCells(range="A2", color="red")),
        ("format_data", {"range": "B:B", "format": "currency"}, SetNumberFormat(range="B:B", format="#,##0.00")),
        ("format_data", {"range": "B:B", "number_format": "0.0"}, SetNumberFormat(range="B:B", format="0.0")),
        ("format_data", {"range": "A1:C1", "bold": True}, SetFont(range="A1:C1", bold=True)),
        ("format_data", {"range": "A1:C1", "background": "yellow"}, SetFill(range="A1:C1", color="yellow")),
        ("insert_rows", {"row": "3", "function": "delete_rows"}, InsertRows(row=3)),
    ],
)
def test_a_step_is_read_under_each_name_of_its_operation(
    function: str, parameters: dict[str, Any], operation: AnyOperation
) -> None:
    assert decode(function, parameters) == (operation, ())


def test_the_top_products_of_a_metric_are_the_top_rows_of_a_column() -> None:
    step = decode("identify_top_products", {"n": 3, "metric": "sales", "product_column": "product"})
    assert step == decode("identify_top", {"count": 3, "column": "sales", "label": "product"})


def test_every_alias_stands_for_an_operation_and_hides_none() -> None:
    for name in ALIASES:
        assert name not in operations()
        assert function_of(name) in operations()


@pytest.mark.parametrize(
    ("function", "parameters", "said"),
    [
        ("fly", {}, "There is no operation “fly”."),
        ("insert_row", {}, "There is no operation “insert_row”. Did you mean “insert_rows”?"),
        ("insert_rows", {}, "“row” is missing."),
        ("insert_rows", {"row": 2, "colour": 1}, "There is no parameter “colour”."),
        ("insert_rows", {"row": 0}, "“row” does not fit: it must be at least 1"),
        ("create_chart", {"type": "cake"}, "“type” does not fit: it must be one of"),
        ("delete_rows", {"where": {"tests": [{"column": "a", "op": "~"}]}}, "“where.tests.0.op” does not fit"),
        ("set_values", {"range": "A1", "values": [[{}]]}, "does not fit"),
    ],
)
def test_what_does_not_fit_is_said(function: str, parameters: dict[str, Any], said: str) -> None:
    operation, (notice,) = decode(function, parameters)
    assert operation is None
    assert said in error_text(notice.code, "en", notice.params)
    assert "{" not in error_text(notice.code, "zh", notice.params)


def test_each_fault_of_a_step_is_told_once_per_parameter() -> None:
    _, problems = decode("set_values", {"values": "x", "what": 1})
    assert [notice.field for notice in problems] == ["range", "values", "what"]
