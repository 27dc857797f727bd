from __future__ import annotations

import pytest

from tablewright.analyst.plan import Join, Part, Plan, Source
from tablewright.analyst.reading.whole_join import joined_whole
from tablewright.domain.dataset import ColumnFacts, DatasetFacts, ReadOptions
from tablewright.domain.table import Table


def table(name: str, *columns: str) -> DatasetFacts:
    return DatasetFacts(
        id=name,
        name=name,
        file_name=f"{name}.csv",
        path=f"/data/shared/{name}.csv",
        read=ReadOptions(kind="csv"),
        rows=3,
        columns=tuple(ColumnFacts(name=column, kind="text") for column in columns),
        sample=Table(columns=columns, rows=(), total_rows=3),
        profile_ref="",
    )


ORDERS, MANAGERS = table("orders", "Order", "City", "Amount"), table("managers", "City", "Manager")


def joined(left: str, right: str, how: str = "inner") -> Plan:
    sides = {"left": Source(dataset_id=left), "right": Source(dataset_id=right)}
    join = Join(**sides, on=(("City", "City"),), how=how)  # type: ignore[arg-type]  # one of its words
    return Plan(parts=(Part(relation=join),))


@pytest.mark.parametrize(
    ("said", "plan"),
    [
        ("join the two tables on City", joined("orders", "managers")),
        ("Merge managers with orders", joined("managers", "orders")),
        ("Please combine both files into one by the column city.", joined("orders", "managers")),
        ("left join orders with managers on City", joined("orders", "managers", "left")),
        ("把两个表按City合并", joined("orders", "managers")),
        ("把managers和orders按 City 列关联起来", joined("managers", "orders")),
        ("按City合并两个表", joined("orders", "managers")),
    ],
)
def test_two_tables_are_put_together_by_the_column_that_is_named_or_that_both_have(said: str, plan: Plan) -> None:
    assert joined_whole(said, (ORDERS, MANAGERS)) == plan


@pytest.mark.parametrize(
    "said",
    [
        "join the two tables on Mood",
        "join orders and customers on City",
        "join orders and managers on City, total Amount by Manager",
        "join the two tables on City and keep only Beijing",
        "total Amount by Manager",
        "按经理汇总金额",
    ],
)
def test_what_asks_for_more_or_names_what_is_not_there_is_left_to_others(said: str) -> None:
    assert joined_whole(said, (ORDERS, MANAGERS)) is None


def test_without_one_common_column_nothing_is_guessed() -> None:
    assert joined_whole("join the two tables", (ORDERS, table("other", "Order", "City"))) is None
    assert joined_whole("join the two tables", (ORDERS,)) is None
