"""Plain questions that do something to their table before they ask."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.analyst.reading.tables import column, relation_for, table

from tablewright.analyst.plan import Aggregate, Col, Compare, Cut, Derive, Fill, Filter, Func, Lit, Procedure, Source
from tablewright.domain.dataset import DatasetFacts

WORKS = table(
    "works",
    "works",
    150,
    column("Site", "text", 4, None, None, "North", "Quay", "Hill", "Mill"),
    replace(column("Output", "number", 140, 3.5, 990.0, "12.5", "40.0"), missing=9),
    replace(column("Staff", "number", 30, 4.0, 60.0, "4.0", "18.0"), missing=5),
)
ZH = table(
    "班组",
    "班组",
    90,
    column("车间", "text", 3, None, None, "一车间", "二车间", "三车间"),
    replace(column("产量", "number", 80, 10.0, 900.0), missing=6),
    column("年龄", "integer", 30, 20, 60),
)
KEPT = {"method": "iqr", "factor": 1.5, "keep": "inliers"}


@pytest.mark.parametrize(
    ("question", "facts", "column_name"),
    [
        ("What is the average output after removing outliers?", WORKS, "Output"),
        ("After excluding the outliers in Output, what is the average output?", WORKS, "Output"),
        ("Remove outliers from output and give me the mean", WORKS, "Output"),
        ("去掉异常值后平均产量是多少？", ZH, "产量"),
        ("剔除产量的异常值之后，平均产量是多少？", ZH, "产量"),
    ],
)
async def test_outliers_are_left_out_first(question: str, facts: DatasetFacts, column_name: str) -> None:
    relation = await relation_for(question, facts)
    assert isinstance(relation, Aggregate)
    assert relation.measures[0].function == "mean"
    assert relation.measures[0].of == Col(name=column_name)
    kept = relation.source
    assert isinstance(kept, Procedure)
    assert (kept.name, kept.columns, kept.options) == ("outliers", (column_name,), KEPT)


async def test_the_rows_of_a_condition_are_taken_of_those_that_are_left() -> None:
    relation = await relation_for("What is the average output in Quay without outliers?", WORKS)
    assert isinstance(relation, Aggregate)
    assert isinstance(relation.source, Filter)
    assert relation.source.where == Compare(op="=", left=Col(name="Site"), right=Lit(value="Quay"))
    assert isinstance(relation.source.source, Procedure)


@pytest.mark.parametrize(
    ("question", "facts", "how", "value"),
    [
        ("Fill missing output with the median and give me the average output", WORKS, "median", None),
        ("What is the average output after filling the missing values in Output with 0?", WORKS, "constant", 0.0),
        ("把产量的缺失值用均值填充后，平均产量是多少？", ZH, "mean", None),
        ("用中位数填充产量的缺失值后，平均产量是多少？", ZH, "median", None),
    ],
)
async def test_gaps_are_filled_first(question: str, facts: DatasetFacts, how: str, value: float | None) -> None:
    relation = await relation_for(question, facts)
    assert isinstance(relation, Aggregate)
    assert isinstance(relation.source, Fill)
    assert (relation.source.how, relation.source.value) == (how, value)


@pytest.mark.parametrize(
    ("question", "facts", "function"),
    [
        ("Normalise the Output column to 0-1 and give its mean", WORKS, "minmax"),
        ("Standardize Output, then give its maximum", WORKS, "zscore"),
        ("把产量归一化后，平均值是多少？", ZH, "minmax"),
    ],
)
async def test_a_column_is_scaled_first(question: str, facts: DatasetFacts, function: str) -> None:
    relation = await relation_for(question, facts)
    assert isinstance(relation, Aggregate)
    assert isinstance(relation.source, Derive)
    scaled = relation.source.columns[0].of
    assert isinstance(scaled, Func)
    assert scaled.name == function


async def test_outliers_that_are_asked_for_are_not_left_out() -> None:
    relation = await relation_for("How many outliers are there in Output?", WORKS)
    assert isinstance(relation, Aggregate)
    assert relation.measures[0].function == "count"
    assert isinstance(relation.source, Procedure)
    assert relation.source.options["method"] == "iqr"
    assert "keep" not in relation.source.options


@pytest.mark.parametrize(
    ("question", "facts"),
    [
        ("Average output by staff group: under 10, 10-19, 20-29, 30 and over", WORKS),
        ("按年龄段分组（30岁以下、30到39岁、40岁及以上），每组平均产量是多少？", ZH),
    ],
)
async def test_bands_of_whole_numbers_with_gaps_in_them(question: str, facts: DatasetFacts) -> None:
    relation = await relation_for(question, facts)
    assert isinstance(relation, Aggregate)
    assert isinstance(relation.source, Derive)
    assert isinstance(relation.source.columns[0].of, Cut)
    assert isinstance(relation.source.source, Source)
