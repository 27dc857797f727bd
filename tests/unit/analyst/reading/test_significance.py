"""Tests between groups, quantiles and fitted lines in plain questions."""

from __future__ import annotations

import pytest
from tests.unit.analyst.reading.tables import column, relation_for, table

from tablewright.analyst.plan import Aggregate, Position, Procedure, Project

PUPILS = table(
    "pupils",
    "学生",
    120,
    column("学号", "integer", 120, 1, 120),
    column("班级", "text", 4),
    column("住校", "text", 2),
    column("数学成绩", "integer", 60, 31, 100),
    column("自习时长", "number", 80, 0.5, 30.0),
)


@pytest.mark.parametrize(
    ("question", "name", "columns"),
    [
        ("不同班级的数学成绩是否有显著差异？", "anova", ("数学成绩", "班级")),
        ("对各班级的自习时长做方差分析", "anova", ("自习时长", "班级")),
        ("班级和住校做卡方检验", "chi_square", ("班级", "住校")),
        ("用自习时长对数学成绩做线性回归", "regression", ("数学成绩", "自习时长")),
        ("以数学成绩为因变量、自习时长为自变量做线性回归", "regression", ("数学成绩", "自习时长")),
    ],
)
async def test_a_procedure_knows_which_column_plays_which_part(
    question: str, name: str, columns: tuple[str, ...]
) -> None:
    relation = await relation_for(question, PUPILS)
    assert isinstance(relation, Procedure)
    assert (relation.name, relation.columns) == (name, columns)


@pytest.mark.parametrize(
    ("question", "share"),
    [("数学成绩的90分位数是多少？", 0.9), ("数学成绩的上四分位数", 0.75), ("自习时长的下四分位数", 0.25)],
)
async def test_quantiles(question: str, share: float) -> None:
    relation = await relation_for(question, PUPILS)
    assert isinstance(relation, Aggregate)
    assert [(measure.function, measure.argument) for measure in relation.measures] == [("quantile", share)]


async def test_the_distance_of_the_quartiles() -> None:
    relation = await relation_for("数学成绩的四分位距是多少？", PUPILS)
    assert isinstance(relation, Project)
    assert isinstance(relation.source, Aggregate)
    assert [measure.argument for measure in relation.source.measures] == [0.25, 0.75]


async def test_outliers_by_deviations_from_the_mean() -> None:
    relation = await relation_for("用2倍标准差法找出自习时长的异常值", PUPILS)
    assert isinstance(relation, Procedure)
    assert relation.options == {"method": "zscore", "threshold": 2.0}


WORKERS = table(
    "workers",
    "workers",
    140,
    column("Team", "text", 4, None, None, "Red", "Blue", "Gold", "Grey"),
    column("Shift", "text", 2, None, None, "day", "night"),
    column("Wage", "number", 120, 900.0, 4000.0),
    column("Age", "integer", 40, 19, 64),
)


@pytest.mark.parametrize(
    ("question", "name", "columns"),
    [
        ("Is age related to wage? Test it.", "correlation", ("Age", "Wage")),
        ("Is shift independent of team? Use a chi-square test.", "chi_square", ("Shift", "Team")),
        ("Does shift affect the wage?", "t_test", ("Wage", "Shift")),
        ("Does the wage depend on the team?", "anova", ("Wage", "Team")),
        ("Do wages differ between teams? Run an ANOVA.", "anova", ("Wage", "Team")),
        ("Compare the mean wage of Red and Blue workers with a t-test", "t_test", ("Wage", "Team")),
        ("Is wage normally distributed?", "normality", ("Wage",)),
    ],
)
async def test_the_test_fits_what_the_columns_hold(question: str, name: str, columns: tuple[str, ...]) -> None:
    relation = await relation_for(question, WORKERS)
    assert isinstance(relation, Procedure)
    assert (relation.name, relation.columns) == (name, columns)


async def test_rows_far_from_the_mean_are_counted() -> None:
    relation = await relation_for("How many rows have a wage more than 2 standard deviations from the mean?", WORKERS)
    assert isinstance(relation, Aggregate)
    assert isinstance(relation.source, Procedure)
    assert relation.source.options == {"method": "zscore", "threshold": 2.0, "ddof": 1}


async def test_the_column_that_correlates_most() -> None:
    relation = await relation_for("Which column correlates most with wage?", WORKERS)
    assert isinstance(relation, Project)
    assert isinstance(relation.source, Position)
    assert isinstance(relation.source.source, Procedure)
    assert relation.source.source.columns == ("Wage",)


async def test_who_is_counted_is_no_part_of_the_name_of_an_amount() -> None:
    loans = table(
        "loans",
        "loans",
        80,
        column("ApplicantIncome", "integer", 70, 900, 9000),
        column("Area", "text", 3, None, None, "Urban", "Rural", "Coast"),
    )
    relation = await relation_for("How many applicants are from Rural?", loans)
    assert isinstance(relation, Aggregate)
    assert relation.measures[0].function == "count"
