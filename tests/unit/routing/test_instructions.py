from __future__ import annotations

import pytest

from tablewright.routing.instructions import changes_table


@pytest.mark.parametrize(
    "said",
    [
        "sort by amount descending",
        "Please sort the rows by date, then remove the column notes",
        "add a column margin = revenue - cost",
        "add a column with the total of price and tax",
        "remove duplicates",
        "keep only 2024 rows",
        "filter rows where amount > 100",
        "fill missing amount with 0",
        "rename column amount to total",
        "split name into first and last",
        "删除状态为取消的行",
        "按金额降序排序",
        "去重",
        "只保留2024年的行",
        "新增一列单价=金额/数量",
        "保留金额大于100的行",
    ],
)
def test_what_changes_the_table_itself_is_told(said: str) -> None:
    assert changes_table(said)


@pytest.mark.parametrize(
    "said",
    [
        "top 10 by amount",
        "total amount by city",
        "totals by month",
        "each product's average price",
        "sorted list of cities by total amount",
        "sort the cities by total amount",
        "join the two tables on id",
        "pivot amount by city and month",
        "how many orders were cancelled?",
        "各城市的总金额",
        "金额最高的10行",
        "按城市汇总金额并按降序排序",
        "把两个表按 id 合并",
    ],
)
def test_what_asks_for_another_table_is_told_apart(said: str) -> None:
    assert not changes_table(said)
