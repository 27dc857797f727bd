"""A wish is split into what is done one after another."""

from __future__ import annotations

import pytest

from tablewright.analyst.operating.splitting import clauses


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("put the sum of Jan in H1 and the mean of Feb in H2", ["put the sum of Jan in H1", "put the mean of Feb in H2"]),
        ("在B3填“张三”，C3填“财务”", ["在B3填“张三”", "在C3填“财务”"]),
        ("count the people per team and put it on a sheet called Teams", ["count the people per team and put it on a sheet called Teams"]),
        ("把数量列的列宽设为12，行高全部设为20", ["把数量列的列宽设为12", "行高全部设为20"]),
        ("增加一列总价，用面积乘以单价再除以10000", ["增加一列总价，用面积乘以单价再除以10000"]),
        ("筛选出三室且在售的房源", ["筛选出三室且在售的房源"]),
        ("make the late rows bold and the open ones grey", ["make the late rows bold", "make the open ones grey"]),
        ("format Start as yyyy-mm and Budget and Spent with a separator", ["format Start as yyyy-mm", "format Budget and Spent with a separator"]),
        ("put the grand total in B8", ["put the grand total in B8"]),
        ("在最后加合计行，对面积求和", ["在最后加合计行，对面积求和"]),
        ("做透视表：行为城市，列为户型，统计面积", ["做透视表：行为城市，列为户型，统计面积"]),
        ("给面积加数据条，单价前3名标绿色", ["给面积加数据条", "单价前3名标绿色"]),
        ("sort by date then amount descending", ["sort by date then amount descending"]),
    ],
)  # fmt: skip
def test_every_cell_that_is_written_has_a_part_of_its_own(text: str, parts: list[str]) -> None:
    assert clauses(text) == parts
