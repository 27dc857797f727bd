"""Which rows a tag is about, and of what column its figure is."""

from __future__ import annotations

from dataclasses import replace

from tests.unit.analyst.grammar.forms.trips import (
    SOURCE,
    aggregated,
    filtered,
    plan_for,
    procedure,
    ranked,
    read,
    relation,
    trips,
)
from tests.unit.analyst.known_tables import column

from tablewright.analyst.plan import (
    Aggregate,
    Between,
    Bucket,
    Case,
    Col,
    Compare,
    Derive,
    Fill,
    Filter,
    Func,
    Lit,
    Math,
    Named,
    Procedure,
    Project,
    Top,
)


async def test_a_decade_is_ten_years_of_the_column_of_years() -> None:
    plan = await read("How many boats were built in each decade?", "@boats_1990s[a] @boats_2000s[b], all are integers.")
    rows = filtered(plan, 1)
    assert rows.where == Between(of=Col(name="Built"), low=2000, high=2009)


async def test_with_and_without_tell_the_rows_of_a_flag_that_has_gaps() -> None:
    facts = trips()
    flag = replace(column("Radio_Contact", "number", 2, 0, 1), missing=7)
    plan = await plan_for(
        (
            "Calculate the mean MilesSailed of sailors with a radio contact and those without.\nAnswer format: "
            "@mean_with_contact[a] @mean_without_contact[b] with two decimals."
        ),
        replace(facts, columns=(*facts.columns, flag, column("MilesSailed", "number", 90, 1.0, 80.0))),
    )
    found = aggregated(plan, 1)
    assert found.measures[0].of == Col(name="MilesSailed")
    assert isinstance(found.source, Filter)
    assert found.source.where == Compare(op="=", left=Col(name="Radio_Contact"), right=Lit(value=0))


async def test_the_share_of_an_amount_is_of_its_sum() -> None:
    plan = await read(
        "What share of the total miles did Heron sail, in percent?", "@share_heron[s] rounded to two decimals."
    )
    found = relation(plan)
    assert isinstance(found, Project)
    assert isinstance(found.source, Derive)
    inner = found.source.source
    assert isinstance(inner, Aggregate)
    assert {(measure.function, measure.of) for measure in inner.measures} == {("sum", Col(name="Miles"))}
    assert isinstance(found.source.columns[0].of, Math)
    assert found.source.columns[0].of.right == Lit(value=100)


async def test_a_group_is_asked_for_with_its_figure_first_too() -> None:
    plan = await read(
        "In which quarter is the average Fuel the highest?", "@best_quarter[q] @avg_fuel[f] where f has two decimals."
    )
    top, groups = ranked(plan)
    assert top.descending
    assert groups.groups[0].of == Bucket(of=Col(name="Sailed"), unit="quarter")


async def test_how_many_values_a_column_has_and_the_one_with_the_fewest_rows() -> None:
    plan = await read(
        "How many unique boats are there, and which boat has the fewest trips?",
        "@unique_boats[n] @rarest_boat[name] where n is an integer.",
    )
    assert aggregated(plan).measures[0].function == "count_distinct"
    top = relation(plan, 1)
    assert isinstance(top, Top)
    assert not top.descending


async def test_std_beside_another_figure_is_the_standardized_column() -> None:
    plan = await read(
        "Standardize the Miles column with StandardScaler. What is the maximum standardized value?",
        "@max_miles_std[m] with three decimals.",
    )
    found = aggregated(plan)
    assert found.measures[0].function == "max"
    assert found.source == Derive(
        source=SOURCE, columns=(Named(name="Miles", of=Func(name="zscore", of=Col(name="Miles"), argument=0)),)
    )


async def test_a_fill_is_within_the_group_that_owns_it() -> None:
    plan = await read(
        "Replace the missing values in Fuel with the mean fuel of the trip's Boat. What is the median Fuel?",
        "@median_fuel[m] with two decimals.",
    )
    filled = aggregated(plan).source
    assert isinstance(filled, Fill)
    assert filled.within == ("Boat",)


async def test_outliers_of_one_side_are_those_beyond_its_bound() -> None:
    plan = await read(
        "Calculate the IQR of Fuel and the number of trips with Fuel above Q3 + 1.5 * IQR.",
        "@iqr[a] @high_outliers[n] where a has two decimals and n is an integer.",
    )
    rows = filtered(plan, 1)
    assert isinstance(rows.where, Compare)
    assert (rows.where.op, rows.where.left) == (">", Col(name="Fuel"))
    assert rows.source == SOURCE


async def test_rows_with_any_gap_are_dropped_whatever_the_sentence_names_next() -> None:
    plan = await read(
        "Remove all rows with missing values and calculate the mean of Miles.", "@mean_miles[m] with two decimals."
    )
    dropped = aggregated(plan).source
    assert isinstance(dropped, Fill)
    assert (dropped.column, dropped.how) == ("Fuel", "drop")


async def test_the_group_with_the_most_of_a_flag_is_by_its_sum() -> None:
    plan = await read("Which boat recorded the highest number of aborted trips?", "@boat[name] @aborted_trips[n].")
    top, groups = ranked(plan)
    assert top.descending
    assert groups.measures[0].function == "sum"
    assert groups.measures[0].of == Col(name="Aborted")


async def test_a_number_that_a_column_is_subtracted_from_is_no_condition() -> None:
    plan = await read(
        'Create a new column "BoatAge" by subtracting Built from 2024. What is the mean BoatAge?',
        "@mean_boat_age[a] with one decimal.",
    )
    derived = aggregated(plan).source
    assert isinstance(derived, Derive)
    assert derived.source == SOURCE
    assert derived.columns[0].of == Math(op="-", left=Lit(value=2024.0), right=Col(name="Built"))


async def test_those_who_are_flagged_are_the_rows() -> None:
    plan = await read("What is the average Fuel of the trips which are aborted?", "@avg_fuel[f] with two decimals.")
    rows = filtered(plan)
    assert rows.where == Compare(op="=", left=Col(name="Aborted"), right=Lit(value=1))


async def test_gaps_are_counted_within_the_tags_group() -> None:
    plan = await read(
        "How many trips have Fuel missing, by boat?", "@missing_heron[a] @missing_otter[b], all integers."
    )
    found = aggregated(plan)
    assert found.measures[0].function == "missing"
    assert found.source == Filter(source=SOURCE, where=Compare(op="=", left=Col(name="Boat"), right=Lit(value="Heron")))


async def test_a_category_of_one_number() -> None:
    plan = await read(
        (
            'Bin Built into "old" (built 1961 to 1989), "turning" (built 1990) and "new" (built 1991 to 2019) and '
            'report the mean Miles of each.\nAdd a new column "built_label" for the bins.'
        ),
        "@miles_old[a] @miles_turning[b] @miles_new[c] with two decimals.",
    )
    rows = filtered(plan, 1)
    assert isinstance(rows.source, Derive)
    case = rows.source.columns[0].of
    assert isinstance(case, Case)
    assert [value for _, value in case.branches] == [Lit(value="old"), Lit(value="turning"), Lit(value="new")]


async def test_the_group_with_the_highest_rate_of_a_flag() -> None:
    plan = await read(
        "Which boat has the highest abortion rate? Express it as a percentage.",
        "@boat[name] @abortion_rate[r] where r has two decimals.",
    )
    top, groups = ranked(plan, 1)
    assert top.descending
    share = groups.measures[0].of
    assert isinstance(share, Case)
    assert share.branches == ((Compare(op="=", left=Col(name="Aborted"), right=Lit(value=1)), Lit(value=100)),)


async def test_texts_are_turned_into_the_numbers_that_are_written_for_them() -> None:
    plan = await read(
        "Convert the Delayed column to binary (Yes = 1, No = 0) and calculate its correlation with Miles.",
        "@correlation[r] with three decimals.",
    )
    found = procedure(plan)
    assert set(found.columns) == {"Delayed", "Miles"}
    assert isinstance(found.source, Derive)
    assert found.source.source == SOURCE
    codes = found.source.columns[0].of
    assert isinstance(codes, Case)
    assert [value for _, value in codes.branches] == [Lit(value=1.0), Lit(value=0.0)]


async def test_the_range_of_outliers_has_two_ends() -> None:
    plan = await read(
        "Are there outliers in Fuel? How many, and what is their range?\nUse the IQR method.",
        "@outlier_count[n] @outlier_range_low[a] @outlier_range_high[b] rounded to two decimals.",
    )
    ends = [aggregated(plan, place) for place in (1, 2)]
    assert [end.measures[0].function for end in ends] == ["min", "max"]
    assert all(isinstance(end.source, Procedure) for end in ends)
