"""In which order an answer is asked for, and what of the question that leaves for the groups."""

from __future__ import annotations

import pytest
from tests.unit.analyst.reading.trade import JOBS, part_of

from tablewright.analyst.plan import Aggregate, Part, Project, Sort


def keys(part: Part) -> tuple[list[str], tuple[tuple[str, bool], ...]]:
    """Return the names of the groups, and the keys by which they are sorted."""
    assert isinstance(part.relation, Sort)
    assert isinstance(part.relation.source, Aggregate)
    return [group.name for group in part.relation.source.groups], part.relation.keys


@pytest.mark.parametrize(
    ("order", "descending"),
    [
        ("in descending order", True),
        ("descending", True),
        (", largest first", True),
        (", highest to lowest", True),
        ("in ascending order", False),
        (", smallest first", False),
    ],
)
async def test_the_groups_before_an_order_stay_groups(order: str, descending: bool) -> None:
    groups, sorted_by = keys(await part_of(f"average income by depot {order}"))
    assert groups == ["Depot"]
    assert sorted_by == (("mean_Income", descending),)


async def test_both_of_two_groups_before_an_order_stay_groups() -> None:
    groups, sorted_by = keys(await part_of("total income by depot and carrier in descending order"))
    assert groups == ["Depot", "Carrier"]
    assert sorted_by == (("sum_Income", True),)


async def test_a_column_named_for_the_order_is_no_group() -> None:
    part = await part_of("list the delivery id by income descending")
    assert isinstance(part.relation, Project)
    assert isinstance(part.relation.source, Sort)
    assert part.relation.source.keys == (("Income", True),)


@pytest.mark.parametrize(
    ("question", "group"),
    [
        ("number of deliveries by depot, largest first", "Depot"),
        ("how many deliveries are there for each carrier, from most to least", "Carrier"),
    ],
)
async def test_counts_come_in_the_order_asked_for(question: str, group: str) -> None:
    assert keys(await part_of(question)) == ([group], (("count", True),))


async def test_chinese_counts_come_in_the_order_asked_for() -> None:
    assert keys(await part_of("各仓库的运单数从高到低排列", JOBS))[1] == (("count", True),)


async def test_an_order_of_names_or_dates_is_that_of_the_groups() -> None:
    groups, sorted_by = keys(await part_of("number of deliveries per month in chronological order"))
    assert sorted_by == ((groups[0], False),)
