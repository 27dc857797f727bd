"""Whole code blocks, to be read as a person reads them."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest
from tests.unit.analyst.facts import SALES, S, column

from tablewright.analyst.plan import (
    Aggregate,
    AllOf,
    Bucket,
    Col,
    Compare,
    Drawing,
    Filter,
    Lit,
    Measure,
    Named,
    OneOf,
    Part,
    Plan,
    Procedure,
    Project,
    Tag,
    Top,
)
from tablewright.analyst.writing import write_code, write_steps
from tablewright.domain.language import Language
from tablewright.models.dialogue import CodeTags

LOAD = """
import pandas as pd

orders = pd.read_csv("/data/shared/orders.csv", encoding="gb18030", sep=";")
"""


def body(plan: Plan, language: Language = "en") -> str:
    """Return the code after loading."""
    code = write_code(plan, [SALES], language)
    ast.parse(code.replace("<|begin_code|>", "").replace("<|end_code|>", ""))
    return code.split("\n\n# @step: ", 1)[1].removesuffix("<|end_code|>\n")


EAST = Filter(
    source=S,
    where=AllOf(
        parts=(
            Compare(op="=", left=Col(name="region"), right=Lit(value="East")),
            Compare(op=">", left=Col(name="units"), right=Lit(value=3)),
        )
    ),
)


@pytest.mark.parametrize(("language", "title"), [("en", "Load a, b, c and 3 more"), ("zh", "读取a、b、c及另外 3 张表")])
def test_of_many_tables_that_are_loaded_the_first_are_named(language: Language, title: str) -> None:
    sheets = [replace(SALES, id=name, name=name) for name in "abcdef"]
    plan = Plan(parts=tuple(Part(relation=replace(S, dataset_id=sheet.id)) for sheet in sheets))
    assert f"# @step: {title}\n" in write_code(plan, sheets, language)


def test_a_filtered_average() -> None:
    relation = Aggregate(
        source=EAST, groups=(), measures=(Measure(name="mean_units", function="mean", of=Col(name="units")),)
    )

    assert write_code(Plan(parts=(Part(relation=relation, decimals=2),)), [SALES], "en") == (
        "<|begin_code|>\n# @step: Load orders" + LOAD + 'print(len(orders), "rows")\n'
        """
# @step: Keep the rows where region is East and units > 3
rows = orders[(orders["region"].str.strip().str.lower() == "east") & (orders["units"] > 3)]
print(len(rows), "rows")

# @step: Compute average units
mean_units = rows["units"].mean()

# @step: Show the result
result = round(mean_units, 2)
print("average units:", result)
<|end_code|>
"""
    )


def test_a_ranking_in_chinese_shows_its_numbers_and_answers_its_names() -> None:
    totals = Aggregate(
        source=S, groups=(column("city"),), measures=(Measure(name="sum_units", function="sum", of=Col(name="units")),)
    )
    top = Top(source=totals, by="sum_units", count=3)

    assert body(Plan(parts=(Part(relation=Project(source=top, columns=(column("city"),)), shown=top),)), "zh") == (
        """按city计算units合计
by_city = orders.groupby("city", as_index=False).agg(units合计=("units", "sum"))

# @step: 取units合计最高的前 3 名
top_3 = by_city.nlargest(3, "units合计", keep="all")

# @step: 输出结果
result = top_3[["city"]]
shown = top_3.astype({"units合计": "Int64"})
tw.table(shown)
print(shown.head(20).to_string(index=False))
"""
    )


def test_a_chart_over_months_saved_as_a_workbook() -> None:
    monthly = Aggregate(
        source=S,
        groups=(Named(name="month", of=Bucket(of=Col(name="date"), unit="month")),),
        measures=(Measure(name="orders", function="count"),),
    )
    plan = Plan(parts=(Part(relation=monthly, drawing=Drawing(kind="line", x="month", y="orders")),), save_as="m.xlsx")

    assert body(plan) == (
        """Compute number of rows by month of date
date = pd.to_datetime(orders["date"], format="%d.%m.%Y", errors="coerce")
by_month = (
    orders
    .assign(month=date.dt.strftime("%Y-%m"))
    .groupby("month", as_index=False)
    .agg(orders=("month", "size"))
)
result = by_month
print(result.head(20).to_string(index=False))

# @step: Draw the chart
tw.chart("line", result, x="month", y="orders")

# @step: Save m.xlsx
plain = {"options": {"strings_to_formulas": False, "strings_to_urls": False}}
result.to_excel("m.xlsx", index=False, engine="xlsxwriter", engine_kwargs=plain)
tw.file("m.xlsx")
"""
    )


def test_tags_of_a_correlation() -> None:
    relation = Procedure(source=S, name="correlation", columns=("year", "units"))
    plan = Plan(parts=(Part(relation=relation),), tags=(Tag(name="r", decimals=2), Tag(name="p", column=1, decimals=4)))

    assert body(plan) == (
        """Correlate year and units
pair = orders[["year", "units"]].dropna()
test = stats.pearsonr(pair["year"], pair["units"])
correlation = pd.DataFrame({
    "correlation": [test.statistic],
    "p_value": [test.pvalue],
    "count": [len(pair)],
})

# @step: Put the values asked for together
result = pd.DataFrame({
    "r": [round(correlation["correlation"].iloc[0], 2)],
    "p": [round(correlation["p_value"].iloc[0], 4)],
})
print(result.T.to_string(header=False))
"""
    )


def test_only_columns_that_are_computed_with_are_cleaned() -> None:
    lookup = Project(
        source=Filter(source=S, where=OneOf(of=Col(name="city"), values=("Chengdu",))), columns=(column("amount"),)
    )
    average = Aggregate(source=S, groups=(), measures=(Measure(name="m", function="mean", of=Col(name="amount")),))

    assert "to_numeric" not in write_code(Plan(parts=(Part(relation=lookup),)), [SALES], "en")
    assert 'orders["amount"] = pd.to_numeric(' in write_code(Plan(parts=(Part(relation=average),)), [SALES], "en")


def test_letters_without_case_are_not_lowered() -> None:
    relation = Filter(source=S, where=Compare(op="=", left=Col(name="city"), right=Lit(value="上海")))

    assert '["city"].str.strip() == "上海"' in body(Plan(parts=(Part(relation=relation),)))


def test_the_same_plan_is_always_written_alike() -> None:
    plan = Plan(parts=(Part(relation=EAST),))

    assert write_code(plan, [SALES], "en") == write_code(plan, [SALES], "en")


def test_tags_are_those_of_the_settings() -> None:
    tags = CodeTags(code_begin="<code>", code_end="</code>", step_annotation="# step:")
    code = write_code(Plan(parts=(Part(relation=EAST),)), [SALES], "en", tags)

    assert code.startswith("<code>\n# step: Load orders\n")
    assert code.endswith("</code>\n")


@pytest.mark.parametrize("name", ["a\nb", "<|end_code|>", "# @step: x", 'quote " and \\ backslash', "a{b}"])
def test_hostile_names_of_columns_stay_within_their_literals(name: str) -> None:
    facts = replace(SALES, columns=(*SALES.columns, replace(SALES.columns[0], name=name)))
    relation = Aggregate(source=S, groups=(column(name),), measures=(Measure(name="n", function="count"),))

    code = write_code(Plan(parts=(Part(relation=relation, caption=name),)), [facts], "en")
    lines = code.splitlines()

    assert lines[0] == "<|begin_code|>"
    assert code.count("<|end_code|>") == 1
    assert sum(line.startswith("# @step:") for line in lines) == len(
        write_steps(Plan(parts=(Part(relation=relation),)), [facts], "en")
    )
    tree = ast.parse("\n".join(lines[1:-1]))
    assert name in {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}


def test_the_last_step_is_not_the_one_that_ends_a_task() -> None:
    languages: tuple[Language, ...] = ("zh", "en")
    for language in languages:
        steps = write_steps(Plan(parts=(Part(relation=EAST),)), [SALES], language)
        assert not CodeTags().concludes(steps[-1].name)


def test_an_unknown_data_set_is_an_error() -> None:
    with pytest.raises(KeyError):
        write_code(Plan(parts=(Part(relation=EAST),)), [], "en")
