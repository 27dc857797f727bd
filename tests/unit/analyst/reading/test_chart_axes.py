"""What stands on the axes of a chart: rows put together, series, dates cut, and the letters that choose rows."""

from __future__ import annotations

import pytest
from tests.unit.analyst.reading.tables import column, table
from tests.unit.analyst.reading.trade import DELIVERIES, part_of

from tablewright.analyst.plan import (
    Aggregate,
    Bucket,
    Col,
    Compare,
    Drawing,
    Filter,
    Lit,
    Matches,
    Math,
    Not,
    Part,
    Project,
)
from tablewright.analyst.plan_walk import nodes

CREW = table(
    "crew",
    "crew",
    80,
    column("crew_id", "integer", 80, 1, 80),
    column("first_name", "text", 61),
    column("full_name", "text", 80),
    column("hired_date", "date", 70, "2019-01-01", "2023-12-31"),
    column("wage", "number", 60, 900, 5200),
    column("harbour", "text", 5),
)


async def drawn(question: str) -> tuple[Part, Drawing]:
    part = await part_of(question, CREW if "crew" in question else DELIVERIES)
    assert part.drawing is not None
    return part, part.drawing


def functions(part: Part) -> list[str]:
    return [
        measure.function for node in nodes(part.relation) if isinstance(node, Aggregate) for measure in node.measures
    ]


@pytest.mark.parametrize(
    ("question", "function"),
    [
        ("Show parcels over depots in a pie chart.", "sum"),
        ("Draw a bar chart of depot and rating.", "mean"),
    ],
)
async def test_rows_that_share_a_mark_are_put_together(question: str, function: str) -> None:
    part, _ = await drawn(question)
    assert functions(part) == [function]


async def test_rows_that_share_a_point_of_a_scatter_chart_stay_apart() -> None:
    part, drawing = await drawn("Scatter plot of parcels against income")
    assert (drawing.kind, drawing.x, drawing.y) == ("scatter", "Parcels", "Income")
    assert isinstance(part.relation, Project)


async def test_what_is_compared_is_a_series() -> None:
    _, drawing = await drawn("Compare the number of Swift and Steady deliveries at each depot in a grouped bar chart")
    assert (drawing.x, drawing.series) == ("Depot", "Carrier")


async def test_a_second_group_is_a_series() -> None:
    _, drawing = await drawn("a bar chart of how many deliveries by each depot and in each carrier")
    assert (drawing.kind, drawing.x, drawing.series) == ("stacked bar", "Depot", "Carrier")


@pytest.mark.parametrize("unit", ["year", "month", "weekday"])
async def test_a_date_is_cut_to_the_unit_behind_its_name(unit: str) -> None:
    part, drawing = await drawn(f"Draw a line chart of the total wage of the crew over hired {unit}")
    assert drawing.x == unit
    assert Bucket(of=Col(name="hired_date"), unit=unit) in list(nodes(part.relation))  # type: ignore[arg-type]


async def test_a_letter_at_the_end_is_of_the_column_before() -> None:
    part, drawing = await drawn(
        "For crew whose first name is ending with the letter m, sum their wage for visualizing a bar chart"
    )
    where = next(node for node in nodes(part.relation) if isinstance(node, Filter)).where
    assert where == Matches(of=Col(name="first_name"), how="ends", text="m")
    assert (drawing.x, drawing.y) == ("first_name", "sum_wage")


async def test_a_letter_that_is_not_contained_is_of_the_column_before() -> None:
    part, _ = await drawn(
        "a line chart of the wage of crew whose first name does not contain the letter M over the hired date"
    )
    where = next(node for node in nodes(part.relation) if isinstance(node, Filter)).where
    assert where == Not(of=Matches(of=Col(name="first_name"), how="contains", text="M"))


async def test_a_negation_reaches_over_the_name_of_the_column() -> None:
    part, _ = await drawn("bar chart of the number of deliveries not belonging to the depot 'Alder' by carrier")
    where = next(node for node in nodes(part.relation) if isinstance(node, Filter)).where
    assert where == Not(of=Compare(op="=", left=Col(name="Depot"), right=Lit(value="Alder")))


async def test_numbers_are_cut_into_bins_of_the_width_that_is_said() -> None:
    part, drawing = await drawn("Histogram of the wage of the crew with bins of 500")
    rest = Math(op="%", left=Col(name="wage"), right=Lit(value=500))
    assert Math(op="-", left=Col(name="wage"), right=rest) in list(nodes(part.relation))
    assert (drawing.kind, drawing.x) == ("bar", "wage")


async def test_a_histogram_of_many_numbers_has_even_bins() -> None:
    part, _ = await drawn("Draw a histogram of the wage of the crew")
    assert Math(op="%", left=Col(name="wage"), right=Lit(value=500)) in list(nodes(part.relation))


async def test_groups_of_few_rows_are_left_out_of_a_chart() -> None:
    part, drawing = await drawn("bar chart of the sum of income for depots with at least 10 deliveries")
    bound = next(node for node in nodes(part.relation) if isinstance(node, Filter)).where
    assert bound == Compare(op=">=", left=Col(name="count"), right=Lit(value=10))
    assert (drawing.x, drawing.y) == ("Depot", "sum_Income")


async def test_a_measure_alone_is_drawn_for_each_thing() -> None:
    _, drawing = await drawn("a bar chart of the wage of the crew")
    assert (drawing.x, drawing.y) == ("full_name", "wage")


async def test_a_word_is_the_column_that_has_it_in_its_name() -> None:
    places = table("stops", "stops", 40, column("state_or_province", "text", 9), column("country", "text", 2))
    part = await part_of("Show the number of stops in each state in a bar chart", places)
    assert part.drawing is not None
    assert part.drawing.x == "state_or_province"
