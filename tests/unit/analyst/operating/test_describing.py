"""How steps are described to a person."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st
from tests.support.operation_parameters import parameters_of

from tablewright.analyst.operating.describing import described
from tablewright.analyst.operating.op import Op
from tablewright.domain.operations import operations
from tablewright.domain.operations.aliases import ALIASES
from tablewright.domain.operations.decoding import decode


@pytest.mark.parametrize(
    ("function", "given", "english", "chinese"),
    [
        ("insert_rows", {"row": 4, "count": 2}, "Insert 2 rows before row 4", "在第 4 行前插入 2 行"),
        ("insert_rows", {"row": 4}, "Insert a row before row 4", "在第 4 行前插入一行"),
        ("delete_rows", {"row": 3, "count": 1}, "Delete row 3", "删除第 3 行"),
        ("delete_rows", {"row": 3, "count": 3}, "Delete rows 3–5", "删除第 3–5 行"),
        (
            "set_tab_color",
            {"sheet": "Data", "color": "green"},
            "Colour the tab: Data → green",
            "标签颜色：Data → green",
        ),
        ("set_tab_color", {"sheet": "Data", "color": "FF0000"}, "Colour the tab: Data → red", "标签颜色：Data → 红色"),
        ("set_font", {"range": "A1", "color": "1F3864"}, "Set the font of A1: dark blue", "设置 A1 的字体：深蓝色"),
        (
            "set_page_setup",
            {"orientation": "landscape", "pages_wide": 1, "repeat_rows": "1:1"},
            "Set up the pages: Data, landscape, 1 page wide, rows 1:1 on every page",
            "页面设置：Data，横向，1 页宽，每页重复第 1:1 行",
        ),
        (
            "protect_sheet",
            {"sheet": "Data", "unlocked": ["Notes"]},
            "Protect the sheet: Data, but for Notes",
            "保护工作表：Data，可编辑 Notes",
        ),
        (
            "protect_sheet",
            {"sheet": "Data", "protected": False},
            "End the protection of the sheet: Data",
            "取消保护工作表：Data",
        ),
        (
            "move_columns",
            {"columns": ["B", "C"], "after": "A"},
            "Move columns: B, C after A",
            "移动列：B、C 移到 A 之后",
        ),
        ("move_columns", {"columns": ["B"], "before": "A"}, "Move columns: B before A", "移动列：B 移到 A 之前"),
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


@pytest.mark.parametrize(
    ("function", "given", "english"),
    [
        ("sort_rows", {"by": [{"column": "Sales"}]}, "Sort by Sales ascending"),
        ("sort_rows", {"by": [{"column": "Size", "order": ["S", "M"]}]}, "Sort by Size in the order S, M"),
        ("filter_rows", {"where": {"tests": [{"column": "Sales", "op": ">", "value": 5}]}},
         "Show only rows where Sales > 5"),
        ("create_chart", {"values": ["Sales"]}, "Create a column chart of Sales"),
        ("create_bar_chart", {"values": ["Sales"], "sheet": "Data"}, "Create a bar chart of Sales"),
        ("fly_away", {"speed": 3}, "fly_away"),
        ("sort_rows", {"by": "Sales"}, "sort_rows"),
    ],
)  # fmt: skip
def test_a_step_is_described_with_what_its_operation_takes_for_granted(
    function: str, given: dict[str, Any], english: str
) -> None:
    assert described(Op(function=function, parameters=given), "en") == english


@settings(max_examples=300, deadline=None)
@drawn(data=st.data())
def test_any_step_is_described_whichever_of_its_optional_parameters_it_has(data: st.DataObject) -> None:
    function = data.draw(st.sampled_from(sorted(operations())))
    parameters = data.draw(parameters_of(function))
    assert not decode(function, parameters)[1]
    for language in ("en", "zh"):
        said = described(Op(function=function, parameters=parameters), language)
        assert said.strip()
        assert "None" not in said
        assert "{" not in said


@pytest.mark.parametrize("function", sorted({*operations(), *ALIASES}))
def test_a_step_without_any_parameter_is_described(function: str) -> None:
    assert described(Op(function=function, parameters={}), "zh").strip()
