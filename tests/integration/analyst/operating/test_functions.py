"""Functions that a few words reach, in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.integration.analyst.operating.books import book
from tests.integration.analyst.operating.checking import plan_of


@pytest.mark.parametrize(
    ("name", "say", "function"),
    [
        ("people", "unmerge A1:D1", "unmerge_cells"),
        ("sales", "取消合并A1:D1", "unmerge_cells"),
        ("orders", "delete sheet Products", "delete_sheet"),
        ("sales", "把产品表移到最前面", "move_sheet"),
        ("orders", "fill down I2:I8", "fill_down"),
        ("sales", "把I2向下填充到I8", "fill_down"),
        ("orders", "set the chart title to Sales", "set_chart_title"),
        ("sales", "把图表标题改为销售", "set_chart_title"),
        ("orders", "set the y axis title to USD", "set_chart_axes"),
        ("sales", "y轴标题设为元", "set_chart_axes"),
        ("orders", "move the legend to the bottom", "set_chart_style"),
        ("sales", "图例放到底部", "set_chart_style"),
        ("sales", "描述一下金额列", "describe"),
        ("sales", "数量和金额的相关性", "correlation"),
        ("orders", "what are the top 3 products by revenue?", "identify_top"),
        ("orders", "total cost by region?", "aggregate"),
        ("orders", "set row 1 height to 30", "set_row_height"),
        ("sales", "拆分日期列，用-分隔成年、月、日", "split_column"),
        ("sales", "把A列复制到J列", "run_python"),
        ("orders", "find outliers in cost", "find_outliers"),
    ],
)
async def test_a_few_words_reach_a_function(name: str, say: str, function: str, tmp_path: Path) -> None:
    plan = await plan_of(book(tmp_path, name), say)
    assert [step["function"] for step in plan["execution_plan"]] == [function], plan
