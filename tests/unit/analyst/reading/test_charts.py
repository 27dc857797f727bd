"""Wishes for charts: what is drawn, on which axis, in which order."""

from __future__ import annotations

from tests.unit.analyst.reading.tables import plan_for

from tablewright.analyst.plan import Aggregate, Col, Compare, Filter, Lit, Measure, Project, Sort, Source


async def test_a_number_of_rows_per_group_is_counted_and_sorted_by_the_axis() -> None:
    part = (
        await plan_for(
            "Show a bar chart of the number of shops in each city, sorted by the y-axis in descending order."
        )
    ).parts[0]
    assert isinstance(part.relation, Sort)
    assert part.relation.keys == (("count", True),)
    assert isinstance(part.relation.source, Aggregate)
    assert part.relation.source.measures == (Measure(name="count", function="count"),)
    assert part.drawing is not None
    assert (part.drawing.kind, part.drawing.x, part.drawing.y) == ("bar", "City", "count")


async def test_two_columns_without_an_aggregate_are_drawn_row_by_row() -> None:
    part = (await plan_for("Draw a scatter chart of the relationship between revenue and number of staff.")).parts[0]
    assert isinstance(part.relation, Project)
    assert part.drawing is not None
    assert (part.drawing.kind, part.drawing.x, part.drawing.y) == ("scatter", "Revenue", "Number_of_Staff")


async def test_the_column_after_over_is_the_base_line() -> None:
    part = (await plan_for("Show the trend of revenue over opened with a line chart.")).parts[0]
    assert part.drawing is not None
    assert (part.drawing.kind, part.drawing.x, part.drawing.y) == ("line", "Opened", "Revenue")


async def test_a_count_of_what_a_column_holds_is_its_sum() -> None:
    part = (await plan_for("Draw a pie chart of the total number of staff for each kind.")).parts[0]
    assert isinstance(part.relation, Aggregate)
    assert part.relation.measures[0].function == "sum"
    assert part.relation.measures[0].of == Col(name="Number_of_Staff")


async def test_a_chart_of_selected_rows_keeps_the_condition() -> None:
    part = (await plan_for("Draw a bar chart of the average revenue by kind for shops with more than 5 staff.")).parts[
        0
    ]
    assert isinstance(part.relation, Aggregate)
    assert part.relation.source == Filter(
        source=Source(dataset_id="shops"), where=Compare(op=">", left=Col(name="Number_of_Staff"), right=Lit(value=5))
    )


async def test_a_chart_is_asked_for_in_chinese() -> None:
    part = (await plan_for("请画出各城市的店铺数量的柱状图")).parts[0]
    assert part.drawing is not None
    assert (part.drawing.kind, part.drawing.x, part.drawing.y) == ("bar", "City", "count")
