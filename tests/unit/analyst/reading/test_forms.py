"""Questions that prescribe the form of their answer."""

from __future__ import annotations

from tests.unit.analyst.reading.tables import plan_for

from tablewright.analyst.plan import (
    Aggregate,
    Case,
    Col,
    Compare,
    Derive,
    Lit,
    Measure,
    Procedure,
    Project,
    Source,
    Tag,
)
from tablewright.analyst.reading.tagged.form import answer_form
from tablewright.analyst.reading.tagged.rules import label

MEANS = (
    'Calculate the mean and median of the "Revenue" column.\nUse pandas.\n'
    "Answer format: @mean_revenue[mean], @median_revenue[median] where both are numbers rounded to two decimal places."
)


def test_a_form_tells_names_and_decimals() -> None:
    form = answer_form(MEANS)
    assert form is not None
    assert [(wanted.name, wanted.decimals) for wanted in form.wanted] == [("mean_revenue", 2), ("median_revenue", 2)]
    assert form.question == 'Calculate the mean and median of the "Revenue" column.'


def test_a_question_without_tags_has_no_form() -> None:
    assert answer_form("What is the mean revenue?") is None


def test_whole_numbers_have_no_decimals() -> None:
    form = answer_form('How many?\nAnswer format: @n[number] where "number" is an integer.')
    assert form is not None
    assert form.wanted[0].decimals == 0


async def test_each_tag_is_the_statistic_that_its_name_tells() -> None:
    plan = await plan_for(MEANS)
    assert [tag.name for tag in plan.tags] == ["mean_revenue", "median_revenue"]
    functions = [part.relation.measures[0].function for part in plan.parts if isinstance(part.relation, Aggregate)]
    assert functions == ["mean", "median"]


async def test_a_correlation_gives_coefficient_p_value_and_label() -> None:
    plan = await plan_for(
        "Is there a correlation between revenue and number of staff?\n"
        "Consider it linear if the p-value is less than 0.05 and the absolute value of r is greater than or equal to "
        "0.5.\n"
        'Answer format: @r[r_value], @p_value[p], @relationship_type[type] where "r_value" is rounded to three decimal '
        'places, "p" to four decimal places and "type" is either "linear" or "none".'
    )
    assert plan.parts[0].relation == Procedure(
        source=Source(dataset_id="shops"),
        name="correlation",
        columns=("Revenue", "Number_of_Staff"),
        options={"method": "pearson"},
    )
    assert plan.tags[0] == Tag(name="r", part=0, column=0, decimals=3)
    assert plan.tags[1].column == 1
    labelled = plan.parts[plan.tags[2].part].relation
    assert isinstance(labelled, Project)
    assert isinstance(labelled.source, Derive)
    assert isinstance(labelled.source.columns[0].of, Case)


async def test_outliers_are_counted_by_the_said_method() -> None:
    plan = await plan_for(
        "Are there outliers in the Revenue column?\nUse the Z-score method with a threshold of 2.\n"
        "Answer format: @outlier_count[count] where count is an integer."
    )
    relation = plan.parts[0].relation
    assert isinstance(relation, Aggregate)
    assert relation.measures == (Measure(name="count", function="count"),)
    assert isinstance(relation.source, Procedure)
    assert relation.source.options == {"method": "zscore", "threshold": 2.0, "keep": "outliers"}


async def test_a_made_column_is_measured() -> None:
    plan = await plan_for(
        'Create a new feature called "Open Share" by dividing the Closed_Days column by the Number_of_Staff column. '
        "Calculate its mean.\nAnswer format: @open_share_mean[mean] rounded to two decimal places."
    )
    relation = plan.parts[0].relation
    assert isinstance(relation, Aggregate)
    assert relation.measures[0].of == Col(name="Open Share")
    assert isinstance(relation.source, Derive)


def test_rules_become_cases_in_the_order_said() -> None:
    rule = label(
        (
            "If the p-value is less than 0.05, report significant. If the p-value is greater than or equal to 0.05, "
            "report not significant."
        ),
        ("significant", "not significant"),
        {"p": "p_value"},
    )
    assert isinstance(rule, Case)
    assert rule.branches[0] == (
        Compare(op="<", left=Col(name="p_value"), right=Lit(value=0.05)),
        Lit(value="significant"),
    )
    assert rule.branches[1][1] == Lit(value="not significant")
