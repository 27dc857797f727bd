"""A wish is split into what is done one after another."""

from __future__ import annotations

import pytest

from tablewright.analyst.operating.splitting import clauses


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("put the sum of Jan in H1 and the mean of Feb in H2",
            ["put the sum of Jan in H1", "put the mean of Feb in H2"]),
        ("在B3填“张三”，C3填“财务”", ["在B3填“张三”", "在C3填“财务”"]),
        ("count the people per team and put it on a sheet called Teams",
            ["count the people per team and put it on a sheet called Teams"]),
        ("把数量列的列宽设为12，行高全部设为20", ["把数量列的列宽设为12", "行高全部设为20"]),
        ("增加一列总价，用面积乘以单价再除以10000", ["增加一列总价，用面积乘以单价再除以10000"]),
        ("筛选出三室且在售的房源", ["筛选出三室且在售的房源"]),
        ("make the late rows bold and the open ones grey", ["make the late rows bold", "make the open ones grey"]),
        ("format Start as yyyy-mm and Budget and Spent with a separator",
            ["format Start as yyyy-mm", "format Budget and Spent with a separator"]),
        ("put the grand total in B8", ["put the grand total in B8"]),
        ("在最后加合计行，对面积求和", ["在最后加合计行，对面积求和"]),
        ("做透视表：行为城市，列为户型，统计面积", ["做透视表：行为城市，列为户型，统计面积"]),
        ("给面积加数据条，单价前3名标绿色", ["给面积加数据条", "单价前3名标绿色"]),
        ("sort by date then amount descending", ["sort by date then amount descending"]),
    ],
)  # fmt: skip
def test_every_cell_that_is_written_has_a_part_of_its_own(text: str, parts: list[str]) -> None:
    assert clauses(text) == parts


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("add a column Gap = Need - Stock, only rows where Gap > 0", "keep only rows where Gap > 0"),
        ("add a column Gap = Need - Stock, filtered to Gap above 5", "filter rows with Gap above 5"),
        ("add a column Gap = Need - Stock, sorted by Gap descending", "sort by Gap descending"),
        ("add a column Gap = Need - Stock, largest first", "sort it descending"),
        ("add a column Gap = Need - Stock, top 5 in green", "highlight the top 5 in green"),
        ("add a column Gap = Need - Stock, without the closed orders", "delete the closed orders"),
        ("add a column Gap = Need - Stock and a bar chart of Gap by Site", "create a bar chart of Gap by Site"),
        ("add a column Gap = Need - Stock, with a total at the bottom", "add a total row at the bottom"),
        ("新增一列缺口=需求-现有，只保留缺口大于0的行", "只保留缺口大于0的行"),
        ("新增一列缺口=需求-现有，缺口大于0的标红", "高亮缺口大于0的标红"),
        ("新增一列缺口=需求-现有，缺口小于0的行不要", "删除缺口小于0的行"),
        ("新增一列缺口=需求-现有，缺口大的排前面", "按缺口降序排序"),
        ("加一列缺口（需求-现有），复制缺口大于0的行到新工作表", "把缺口大于0的行复制到新工作表"),
    ],
)
def test_what_follows_a_new_column_is_a_part_with_a_verb_in_front(text: str, last: str) -> None:
    assert clauses(text)[1:] == [last]


@pytest.mark.parametrize(
    "text",
    [
        "add a column Fee = Need * 0.1, only for open orders",
        "新增一列等级=需求-现有，大于0的显示“缺货”，否则显示“充足”",
        "add a column Gap = Need - Stock, in whole numbers",
        "新增一列缺口=需求-现有，保留两位小数",
    ],
)
def test_what_says_more_of_a_new_column_stays_with_it(text: str) -> None:
    assert clauses(text) == [text]
