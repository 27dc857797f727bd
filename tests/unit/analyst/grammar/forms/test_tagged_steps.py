"""What a question does to its table, defines, or leaves out before a tag is read."""

from __future__ import annotations

import pytest
from tests.unit.analyst.grammar.forms.trips import (
    SOURCE,
    aggregated,
    filtered,
    procedure,
    ranked,
    read,
    refusal_for,
    relation,
    shared,
    trips,
)

from tablewright.analyst.plan import (
    Bucket,
    Case,
    Col,
    Compare,
    Derive,
    Fill,
    Filter,
    Func,
    Lit,
    Measure,
    Named,
    Project,
    Shift,
    Top,
)


async def test_the_month_with_the_most_is_a_group_of_the_dates() -> None:
    plan = await read(
        "Which month of 2022 had the highest number of trips?",
        "@busiest[month], @trip_count[n] where both values are integers.",
    )
    top, groups = ranked(plan)
    assert top.descending
    assert groups.groups == (Named(name="month", of=Bucket(of=Col(name="Sailed"), unit="month_of_year")),)
    assert groups.measures == (Measure(name="count", function="count"),)
    assert [tag.column for tag in plan.tags] == [0, 1]


async def test_the_extreme_is_of_the_column_that_the_question_makes() -> None:
    plan = await read(
        'Create a new feature "Detour" as Miles minus Planned. Which boat has the highest median Detour?',
        "@boat[name], @median_detour[value] rounded to two decimals.",
    )
    top = relation(plan)
    assert isinstance(top, Top)
    assert top.by == "median_Detour"


async def test_a_fill_with_a_constant_is_no_fill_with_the_average_that_is_asked_next() -> None:
    plan = await read(
        "Fill missing values in the Fuel column with 0 and calculate the average fuel.",
        "@avg_before[a] @avg_after[b] rounded to two decimals.",
    )
    filled = aggregated(plan, 1).source
    assert isinstance(filled, Fill)
    assert (filled.how, filled.value) == ("constant", 0.0)
    assert aggregated(plan, 0).source == SOURCE


@pytest.mark.parametrize(
    ("wish", "how"),
    [("Interpolate the missing Fuel values", "interpolate"), ("Backward fill missing Fuel", "backward")],
)
async def test_gaps_are_filled_from_their_neighbours(wish: str, how: str) -> None:
    plan = await read(f"{wish}. What is the mean Fuel then?", "@mean_fuel[a] rounded to two decimals.")
    filled = aggregated(plan).source
    assert isinstance(filled, Fill)
    assert filled.how == how


async def test_repeated_rows_are_dropped_before_the_sum_and_counted_before_they_are() -> None:
    plan = await read(
        "Remove duplicate rows, then report the boat with the largest total miles.",
        "@duplicates_removed[n], @boat[name], @total_miles[m] where m is rounded to two decimals.",
    )
    counted = procedure(plan)
    assert (counted.name, counted.source) == ("duplicates", SOURCE)
    _, groups = ranked(plan, 2)
    assert isinstance(groups.source, Project)
    assert groups.source.distinct


async def test_bands_by_before_between_and_later() -> None:
    plan = await read(
        (
            "Sort boats by Built: 'Old' for those built before 1980, 'Middle' for those built between 1980 and 1999, "
            "and 'New' for those built in 2000 or later. Count each.\nCreate a new column \"Era\" for it."
        ),
        "@old_count[a] @middle_count[b] @new_count[c] where all values are integers.",
    )
    made = filtered(plan).source
    assert isinstance(made, Derive)
    case = made.columns[0].of
    assert isinstance(case, Case)
    assert case.branches[0] == (Compare(op="<", left=Col(name="Built"), right=Lit(value=1980.0)), Lit(value="Old"))


async def test_every_tag_is_whole_when_all_are_said_to_be() -> None:
    plan = await read(
        (
            "Create a column called \"Size\" with values 'Short' (Miles below 10) and 'Long' (Miles of 10 or more). "
            "How many trips are of each?"
        ),
        "@short[a] @long[b] where all are integers.",
    )
    assert [tag.decimals for tag in plan.tags] == [0, 0]


async def test_a_rate_is_of_the_flag_that_its_name_speaks_of_within_the_tags_group() -> None:
    plan = await read("What is the delay rate of each boat, in percent?", "@delay_rate_heron[a] @delay_rate_otter[b].")
    assert shared(plan) == (
        Compare(op="=", left=Col(name="Delayed"), right=Lit(value="Yes")),
        Filter(source=SOURCE, where=Compare(op="=", left=Col(name="Boat"), right=Lit(value="Heron"))),
    )


async def test_a_share_is_of_what_the_constraints_define() -> None:
    plan = await read(
        "What proportion of trips were long hauls?\nA trip is a long haul if the Miles are at least 40.",
        "@proportion[p] rounded to three decimals.",
    )
    assert shared(plan)[0] == Compare(op=">=", left=Col(name="Miles"), right=Lit(value=40.0))


async def test_rows_whose_flag_is_set_are_left_out() -> None:
    plan = await read(
        "Which boat has the highest average Fuel, excluding aborted trips?",
        "@boat[name] @avg_fuel[f] with two decimals.",
    )
    _, groups = ranked(plan, 1)
    assert groups.source == Filter(source=SOURCE, where=Compare(op="=", left=Col(name="Aborted"), right=Lit(value=0)))


async def test_rows_are_counted_in_which_one_column_is_above_another() -> None:
    plan = await read("On how many trips were the Miles higher than Planned?", "@trips_over[n] where n is an integer.")
    rows = filtered(plan)
    assert rows.where == Compare(op=">", left=Col(name="Miles"), right=Col(name="Planned"))


async def test_the_hour_of_a_clock_is_a_column() -> None:
    plan = await read(
        (
            'Extract the hour from the Left column into a new column "LeftHour" and calculate the correlation between '
            "LeftHour and Fuel."
        ),
        "@correlation[r] rounded to three decimals.",
    )
    found = procedure(plan)
    assert found.columns == ("LeftHour", "Fuel")


async def test_a_moving_mean_is_a_column_and_its_highest_value_the_columns() -> None:
    plan = await read(
        "Calculate the 7-day rolling mean of the Miles column. What is its maximum value?",
        "@max_rolling_mean[value] rounded to two decimals.",
    )
    found = aggregated(plan)
    assert found.measures[0].function == "max"
    assert found.source == Derive(
        source=SOURCE,
        columns=(Named(name="rolling mean", of=Func(name="rolling_mean", of=Col(name="Miles"), argument=7)),),
    )


async def test_the_change_from_the_previous_row_is_no_formula_of_one_row() -> None:
    plan = await read(
        (
            'Create a new column "Change".\nCalculate "Change" as (Miles of today - Miles of the previous day) / '
            "Miles of the previous day * 100."
        ),
        "@change_mean[m] rounded to two decimals.",
    )
    moved = aggregated(plan).source
    assert isinstance(moved, Shift)
    assert (moved.column, moved.how) == ("Miles", "growth")


async def test_the_numbers_of_a_rule_for_outliers_select_no_rows() -> None:
    plan = await read(
        "Cap the outliers of Fuel at the bounds (Q1 - 1.5*IQR and Q3 + 1.5*IQR). What is the mean Fuel before capping?",
        "@mean_before[m] rounded to two decimals.",
    )
    assert aggregated(plan).source == SOURCE


async def test_one_letter_is_the_sex_that_a_tag_writes_out() -> None:
    plan = await read("Compute the mean Miles by Crew_Sex.", "@mean_miles_male[a] @mean_miles_female[b], two decimals.")
    assert aggregated(plan).source == Filter(
        source=SOURCE, where=Compare(op="=", left=Col(name="Crew_Sex"), right=Lit(value="M"))
    )


async def test_the_variances_of_named_groups_are_tested() -> None:
    plan = await read(
        "Test whether the variances of Fuel are equal for Heron and Otter using Levene's test.",
        "@levene_statistic[a] @p_value[b] @equal_variances[Yes/No] with three decimals.",
    )
    found = procedure(plan)
    assert (found.name, found.columns) == ("levene", ("Fuel", "Boat"))


async def test_a_made_column_that_cannot_be_told_is_not_guessed() -> None:
    await refusal_for(
        (
            'Create a new column "Comfort" from the weather and the boat. What is its correlation with Fuel?\nAnswer '
            "format: @correlation[r] rounded to two decimals."
        ),
        trips(),
    )
