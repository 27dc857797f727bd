"""Tests that every `PlanEvaluator` must pass.

Derive a test class and provide the fixture `evaluator`: one that holds `EXAMPLE` as the rows of the data set that
`facts()` describes (an evaluator over files is given the file `FILE`). They need only pytest with asyncio in automatic
mode.
"""

from __future__ import annotations

import pytest

from tablewright.analyst.evaluating.base import PlanEvaluator
from tablewright.analyst.plan import (
    Aggregate,
    Bucket,
    Col,
    Compare,
    Derive,
    Drawing,
    Filter,
    Lit,
    Measure,
    Named,
    Part,
    Plan,
    Procedure,
    Relation,
    Sort,
    Source,
    Top,
)
from tablewright.domain.chart import Chart
from tablewright.domain.dataset import ColumnFacts, DatasetFacts, ReadOptions
from tablewright.domain.table import Table

FILE = "city,amount,day\nOslo,2.5,2024-01-31\nRome,4,2024-02-01\nOslo,,2024-02-02\nRome,1,\n"
EXAMPLE = (
    ("Oslo", "Rome", "Oslo", "Rome"),
    (2.5, 4.0, None, 1.0),
    ("2024-01-31", "2024-02-01", "2024-02-02", None),
)
"""The columns of the example."""
TABLE = Source(dataset_id="sales")
CITY, AMOUNT = Col(name="city"), Col(name="amount")
TOTALS = Aggregate(
    source=TABLE,
    groups=(Named(name="city", of=CITY),),
    measures=(Measure(name="total", function="sum", of=AMOUNT),),
)


def facts(content: str | None = None) -> DatasetFacts:
    """Return the facts about the example, whose stored content has the hash `content`."""
    return DatasetFacts(
        id="sales",
        name="sales",
        file_name="sales.csv",
        path="/data/shared/sales.csv",
        read=ReadOptions(kind="csv", encoding="utf-8", delimiter=",", quote='"'),
        rows=4,
        columns=(
            ColumnFacts(name="city", kind="text"),
            ColumnFacts(name="amount", kind="number", missing=1),
            ColumnFacts(name="day", kind="date", notation="date_text", date_format="%Y-%m-%d", missing=1),
        ),
        sample=Table(columns=("city", "amount", "day"), rows=(), total_rows=4),
        profile_ref="0" * 64,
        content=content,
    )


def plan(*relations: Relation, drawing: Drawing | None = None, decimals: int | None = None) -> Plan:
    """Return a plan with a part for each relation."""
    return Plan(parts=tuple(Part(relation=one, drawing=drawing, decimals=decimals) for one in relations))


class PlanEvaluatorConformance:
    """Behaviour of `PlanEvaluator`."""

    @pytest.fixture
    def dataset(self) -> DatasetFacts:
        """The facts about the example."""
        return facts()

    async def test_each_plan_gives_its_tables_in_order(self, evaluator: PlanEvaluator, dataset: DatasetFacts) -> None:
        first = plan(TOTALS, Aggregate(source=TABLE, groups=(), measures=(Measure(name="rows", function="count"),)))
        second = plan(Top(source=TOTALS, by="total", count=1))
        one, other = await evaluator.evaluate((first, second), (dataset,))
        assert [table.rows for table in one.tables] == [(("Oslo", 2.5), ("Rome", 5.0)), ((4,),)]
        assert one.tables[0].columns == ("city", "total")
        assert [table.rows for table in other.tables] == [(("Rome", 5.0),)]
        assert (one.failure, other.failure) == (None, None)

    async def test_dates_and_missing_cells_are_plain(self, evaluator: PlanEvaluator, dataset: DatasetFacts) -> None:
        (found,) = await evaluator.evaluate((plan(Sort(source=TABLE, keys=(("day", True),))),), (dataset,))
        assert [row[2] for row in found.tables[0].rows] == ["2024-02-02", "2024-02-01", "2024-01-31", None]
        assert [row[1] for row in found.tables[0].rows] == [None, 4.0, 2.5, 1.0]

    async def test_a_plan_that_fails_says_why_and_leaves_the_others(
        self, evaluator: PlanEvaluator, dataset: DatasetFacts
    ) -> None:
        unknown = plan(Source(dataset_id="elsewhere"))
        wrong = plan(Filter(source=TABLE, where=Compare(op="=", left=Col(name="none"), right=Lit(value=1))))
        unable = plan(Procedure(source=TABLE, name="regression", columns=("amount",)))
        found = await evaluator.evaluate((unknown, plan(TOTALS), wrong, unable), (dataset,))
        assert [one.failure for one in found] == ["unknown:elsewhere", None, "type", "unsupported:procedure:regression"]
        assert [len(one.tables) for one in found] == [0, 1, 0, 0]

    async def test_a_part_that_draws_gives_its_chart(self, evaluator: PlanEvaluator, dataset: DatasetFacts) -> None:
        drawing = Drawing(kind="bar", x="city", y="total", title="Totals")
        (found,) = await evaluator.evaluate((plan(TOTALS, drawing=drawing),), (dataset,))
        assert found.charts == (
            Chart(
                kind="bar", x=("Oslo", "Rome"), y=(2.5, 5.0), labels={"x": "city", "y": "total"}, title="Totals"
            ),
        )  # fmt: skip

    async def test_weekdays_have_names_of_the_language(self, evaluator: PlanEvaluator, dataset: DatasetFacts) -> None:
        day = Named(name="on", of=Bucket(of=Col(name="day"), unit="weekday"))
        relation = Aggregate(source=TABLE, groups=(day,), measures=(Measure(name="n", function="count"),))
        (english,) = await evaluator.evaluate((plan(relation),), (dataset,))
        (chinese,) = await evaluator.evaluate((plan(relation),), (dataset,), language="zh")
        assert [row[0] for row in english.tables[0].rows] == ["Wednesday", "Thursday", "Friday"]
        assert [row[0] for row in chinese.tables[0].rows] == ["周三", "周四", "周五"]

    async def test_numbers_are_rounded_as_the_part_says(self, evaluator: PlanEvaluator, dataset: DatasetFacts) -> None:
        made = Derive(source=TABLE, columns=(Named(name="third", of=Lit(value=1 / 3)),))
        (found,) = await evaluator.evaluate((plan(made, decimals=2),), (dataset,))
        assert {row[3] for row in found.tables[0].rows} == {0.33}

    async def test_no_plans_give_nothing(self, evaluator: PlanEvaluator, dataset: DatasetFacts) -> None:
        assert await evaluator.evaluate((), (dataset,)) == ()
