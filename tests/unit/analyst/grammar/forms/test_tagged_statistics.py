"""What tags mean: statistics of groups, before and after a step, of made columns."""

from __future__ import annotations

from tests.unit.analyst.grammar.forms.trips import aggregated, plan_for, refusal_for, relation
from tests.unit.analyst.known_tables import column, table

from tablewright.analyst.plan import (
    Case,
    Col,
    Compare,
    Cut,
    Derive,
    Fill,
    Filter,
    Func,
    Lit,
    Math,
    Plan,
    Procedure,
    Project,
    Shift,
    Source,
    Top,
)
from tablewright.domain.dataset import DatasetFacts

SOURCE = Source(dataset_id="staff")


def staff(missing: int = 12) -> DatasetFacts:
    """Return the facts of a table of employees; its age has gaps."""
    age = column("Age", "integer", 40, 19, 64)
    return table(
        "staff",
        "staff",
        200,
        column("Staff_ID", "integer", 200, 1, 200),
        column("Team", "text", 3, None, None, "Field", "Lab", "Desk"),
        column("Sex", "text", 2, None, None, "Male", "Female"),
        type(age)(name="Age", kind="integer", distinct=40, minimum=19, maximum=64, missing=missing),
        column("Wage", "number", 190, 900.5, 8000.0),
        column("Hours", "number", 150, 1.5, 90.0),
        column("Trained", "integer", 2, 0, 1),
        column("Grade", "integer", 4, 1, 4),
        column("Started", "date", 180, "2011-01-03", "2020-12-30"),
        column("Remark", "text", 180),
    )


async def read(question: str, form: str) -> Plan:
    """Read a question with its form."""
    return await plan_for(f"{question}\nAnswer format: {form}", staff())


async def test_a_tag_names_the_group_that_it_is_about() -> None:
    plan = await read("Compute the mean wage for each sex.", "@male_mean[a], @female_mean[b] rounded to two decimals.")
    wanted = [Compare(op="=", left=Col(name="Sex"), right=Lit(value=sex)) for sex in ("Male", "Female")]
    assert [aggregated(plan, place).source for place in (0, 1)] == [
        Filter(source=SOURCE, where=where) for where in wanted
    ]


async def test_a_number_in_a_tag_is_a_group_of_a_column_of_few() -> None:
    plan = await read(
        "Compute the median wage of each grade.", "@median_grade1[a], @median_grade4[b] with one decimal."
    )
    assert aggregated(plan, 1).source == Filter(
        source=SOURCE, where=Compare(op="=", left=Col(name="Grade"), right=Lit(value=4))
    )


async def test_a_flag_and_its_denial() -> None:
    plan = await read(
        "What is the mean wage of trained and of not trained staff?", "@trained[a], @not_trained[b], two decimals."
    )
    wheres = [found.where for place in (0, 1) if isinstance(found := aggregated(plan, place).source, Filter)]
    assert wheres == [Compare(op="=", left=Col(name="Trained"), right=Lit(value=value)) for value in (1, 0)]


async def test_missing_values_are_filled_before_the_statistic_and_not_before_the_one_before() -> None:
    plan = await read(
        (
            "Fill the missing values in the Age column with the median age, within each team. What is the mean Age "
            "before and after?"
        ),
        "@mean_before[a], @mean_after[b] rounded to two decimals.",
    )
    assert aggregated(plan, 0).source == SOURCE
    filled = aggregated(plan, 1).source
    assert isinstance(filled, Fill)
    assert (filled.column, filled.how, filled.within) == ("Age", "median", ("Team",))


async def test_outliers_are_counted_and_removed_by_the_stated_rule() -> None:
    plan = await read(
        (
            "Find the outliers of Wage and compute the mean wage after removing them.\nUse the IQR rule with 2 times "
            "the IQR."
        ),
        "@outliers[n], @mean_wage[m] where n is an integer and m is rounded to two decimals.",
    )
    counted, kept = aggregated(plan, 0).source, aggregated(plan, 1).source
    assert isinstance(counted, Procedure)
    assert isinstance(kept, Procedure)
    assert counted.options == {"method": "iqr", "factor": 2.0, "keep": "outliers"}
    assert kept.options == {"method": "iqr", "factor": 2.0, "keep": "inliers"}


async def test_a_transformed_column_is_measured() -> None:
    plan = await read(
        "Apply a log transformation to Wage. What is the std of the transformed column?", "@std[x], 3 decimals."
    )
    made = aggregated(plan).source
    assert isinstance(made, Derive)
    assert made.columns[0].of == Func(name="log", of=Col(name="Wage"))


async def test_bands_in_brackets_are_categories() -> None:
    plan = await read(
        "Create a new column 'AgeBand' with 'Young' (19-29), 'Middle' (30-49) and 'Senior' (50 and above). Count each.",
        "@young_count[n], @senior_count[n] where n is an integer.",
    )
    filtered = aggregated(plan, 1).source
    assert isinstance(filtered, Filter)
    assert isinstance(filtered.source, Derive)
    cut = filtered.source.columns[0].of
    assert cut == Cut(of=Col(name="Age"), edges=(19.0, 30.0, 50.0, float("inf")), labels=("Young", "Middle", "Senior"))


async def test_categories_by_percentile_with_a_rest() -> None:
    plan = await read(
        (
            "Create a new column 'Level' that is 'High' if Wage is above the 75th percentile and 'Rest' otherwise. "
            "Count each."
        ),
        "@high[n], @rest[n] where n is an integer.",
    )
    filtered = aggregated(plan).source
    assert isinstance(filtered, Filter)
    assert isinstance(filtered.source, Derive)
    assert isinstance(filtered.source.columns[0].of, Case)


async def test_subtracting_one_column_from_another_turns_them_round() -> None:
    plan = await read(
        "Create a new feature 'Gap' by subtracting Hours from Wage. Mean of it?", "@mean_gap[x], two decimals."
    )
    made = aggregated(plan).source
    assert isinstance(made, Derive)
    assert made.columns[0].of == Math(op="-", left=Col(name="Wage"), right=Col(name="Hours"))


async def test_the_change_from_row_to_row() -> None:
    plan = await read(
        "Create a new column 'Return' that is the percentage change of Wage from the previous row. Mean of it?",
        "@mean_return[x] rounded to two decimals.",
    )
    assert aggregated(plan).source == Shift(source=SOURCE, column="Wage", name="Return", how="growth")


async def test_scipys_moments_are_of_the_population() -> None:
    plan = await read("Use scipy to calculate the skewness of Wage.", "@skewness[x] rounded to three decimals.")
    assert aggregated(plan).measures[0].argument == 0.0


async def test_a_test_between_two_groups_and_its_verdict() -> None:
    plan = await read(
        (
            "Is the wage of the Lab and the Desk team different? Use a Mann-Whitney test at a level of significance "
            "of 0.01."
        ),
        "@p_value[p], @different[Yes/No] where p is rounded to four decimals.",
    )
    found = relation(plan)
    assert isinstance(found, Procedure)
    assert (found.name, found.columns, found.options) == (
        "mann_whitney",
        ("Wage", "Team"),
        {"first": "Lab", "second": "Desk"},
    )
    verdict = relation(plan, 1)
    assert isinstance(verdict, Project)
    assert isinstance(verdict.source, Derive)
    below = Compare(op="<", left=Col(name="p_value"), right=Lit(value=0.01))
    assert verdict.source.columns[0].of == Case(branches=((below, Lit(value="Yes")),), otherwise=Lit(value="No"))


async def test_rejecting_goes_with_a_small_p_value() -> None:
    plan = await read("Do an ANOVA of Wage by Team.", '@decision[d] where d is "fail to reject" or "reject".')
    verdict = relation(plan)
    assert isinstance(verdict, Project)
    assert isinstance(verdict.source, Derive)
    rule = verdict.source.columns[0].of
    assert isinstance(rule, Case)
    assert (rule.branches[0][1], rule.otherwise) == (Lit(value="reject"), Lit(value="fail to reject"))


async def test_a_model_with_named_roles() -> None:
    plan = await read(
        "Fit a linear regression where Wage is the dependent variable and Age and Hours are the independent variables.",
        "@coef_hours[b], @r_squared[r] where b and r are rounded to two decimals.",
    )
    found = relation(plan)
    assert isinstance(found, Procedure)
    assert found.columns == ("Wage", "Age", "Hours")
    assert [tag.column for tag in plan.tags] == [7, 3]


async def test_the_group_with_the_highest_average_and_its_figure() -> None:
    plan = await read(
        "Which team has the highest average wage, and how much is it?", "@team[t], @average[a], two decimals."
    )
    assert isinstance(relation(plan), Top)
    assert [(tag.column, tag.every) for tag in plan.tags] == [(0, True), (1, False)]


async def test_decimals_are_each_tags_own() -> None:
    plan = await read(
        "Mean and median of Wage?", "@mean[a], @median[b] where a is rounded to one decimal and b to three decimals."
    )
    assert [tag.decimals for tag in plan.tags] == [1, 3]


async def test_a_value_stands_in_quotes_where_the_form_has_them() -> None:
    plan = await read("Which team has the highest average wage?", '@team["name"]')
    assert plan.tags[0].quoted


async def test_what_cannot_be_read_whole_is_declined() -> None:
    question = (
        "Compute the mean of Wage and its Gini index.\nAnswer format: @mean[a], @gini_index[g] with two decimals."
    )
    assert (await refusal_for(question, staff())).reason
