"""Aggregates: of the whole, by groups, with conditions of their own."""

from __future__ import annotations

from typing import Any

import pytest
from tests.integration.analyst.conftest import Bench
from tests.integration.analyst.tables import COUNT, S, c, column, is_, sales

from tablewright.analyst.plan import (
    Aggregate,
    AggregateName,
    Bucket,
    Compare,
    Cut,
    Derive,
    Filter,
    Func,
    Lit,
    Measure,
    Named,
)


def total(of: str, name: str, **options: Any) -> Measure:
    """Return a sum."""
    return Measure(name=name, function="sum", of=c(of), **options)


def by(group: str, measure: Measure, *more: Named) -> Aggregate:
    """Return a measure by one column and more keys."""
    return Aggregate(source=S, groups=(column(group), *more), measures=(measure,))


def whole(function: AggregateName, of: str, argument: float | None = None) -> Aggregate:
    """Return one aggregate of all rows."""
    return Aggregate(source=S, groups=(), measures=(Measure(name="x", function=function, of=c(of), argument=argument),))


@pytest.mark.parametrize(
    ("function", "of", "argument", "expected"),
    [
        ("count", "amount", None, 4),
        ("count_distinct", "city", None, 4),
        ("sum", "price", None, 1281.5),
        ("mean", "amount", None, 12.5),
        ("median", "amount", None, 15),
        ("min", "rate", None, 3),
        ("max", "price", None, 1200.5),
        ("std", "amount", None, 9.574271077563381),
        ("std", "amount", 0, 8.291561975888499),
        ("var", "amount", None, 91.66666666666667),
        ("range", "amount", None, 20),
        ("quantile", "amount", 0.25, 7.5),
        ("first", "region", None, "East"),
        ("last", "region", None, "North"),
        ("missing", "amount", None, 1),
        ("missing_percent", "amount", None, 20.0),
        ("skew", "amount", None, -0.8545630383279712),
        ("mode", "city", None, "Beijing"),
        ("min", "date", None, "2024-01-05"),
        ("sum", "score", None, 30),
    ],
)
def test_an_aggregate_of_all_rows(
    bench: Bench, function: AggregateName, of: str, argument: float | None, expected: object
) -> None:
    wanted = pytest.approx(expected) if isinstance(expected, float) else expected

    assert bench.run(whole(function, of, argument), sales(bench)).value == wanted


def test_rows_and_rows_that_meet_a_condition_are_counted(bench: Bench) -> None:
    filtered = Measure(name="n", function="count", where=is_("region", "east"))

    assert bench.run(Aggregate(source=S, groups=(), measures=(COUNT,)), sales(bench)).value == 5
    assert bench.run(Aggregate(source=S, groups=(), measures=(filtered,)), sales(bench)).value == 2


def test_several_aggregates_are_one_row(bench: Bench) -> None:
    measures = (
        COUNT,
        total("amount", "all"),
        total("amount", "big", where=Compare(op=">", left=c("amount"), right=Lit(value=10))),
    )

    ran = bench.run(Aggregate(source=S, groups=(), measures=measures), sales(bench))

    assert ran.result is not None
    assert ran.result["columns"] == ["n", "all", "big"]
    assert ran.rows == [[5, 50, 40]]


def test_all_most_frequent_values_are_given(bench: Bench) -> None:
    assert bench.run(whole("mode", "amount"), sales(bench)).rows == [[20]]
    assert bench.run(whole("mode", "score"), sales(bench)).rows == [["A1"], ["B22"], ["C3x"], ["D4"]]


def test_groups_leave_missing_keys_out_unless_asked(bench: Bench) -> None:
    kept = Aggregate(source=S, groups=(column("region"),), measures=(COUNT,), keep_missing=True)

    assert bench.run(by("region", COUNT), sales(bench)).rows == [["East", 1], ["North", 1], ["West", 1], ["east", 1]]
    assert [None, 1] in bench.run(kept, sales(bench)).rows


def test_groups_with_measures_of_every_kind(bench: Bench) -> None:
    relation = Aggregate(
        source=S,
        groups=(Named(name="Ort", of=c("city")),),
        measures=(
            COUNT,
            total("amount", "total amount"),
            Measure(name="some", function="count", where=Compare(op=">", left=c("amount"), right=Lit(value=0))),
            Measure(name="spread", function="range", of=c("amount")),
            Measure(name="pop", function="std", of=c("amount"), argument=0),
            Measure(name="gaps", function="missing", of=c("score")),
            Measure(name="most", function="mode", of=c("region")),
            Measure(name="scores", function="max", of=Func(name="first_number", of=c("score"))),
        ),
    )

    ran = bench.run(relation, sales(bench))

    assert ran.result is not None
    assert ran.result["columns"] == ["Ort", "n", "total amount", "some", "spread", "pop", "gaps", "most", "scores"]
    assert ran.rows[1] == ["Beijing", 2, 20, 1, 20, 10, 1, "North", 4]


def test_groups_without_a_measure_are_listed(bench: Bench) -> None:
    relation = Aggregate(source=S, groups=(column("region"),), measures=())

    assert bench.run(relation, sales(bench)).rows == [["East"], ["West"], ["east"], ["North"]]


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ("month", [["2024-01", 1], ["2024-02", 2], ["2024-05", 1]]),
        ("quarter", [["2024Q1", 3], ["2024Q2", 1]]),
        ("year", [[2024, 4]]),
        ("week", [["2024-W01", 1], ["2024-W06", 2], ["2024-W18", 1]]),
        ("day", [["2024-01-05", 1], ["2024-02-07", 1], ["2024-02-09", 1], ["2024-05-01", 1]]),
        ("month_of_year", [[1, 1], [2, 2], [5, 1]]),
    ],
)
def test_dates_are_grouped_by_a_unit_of_time(bench: Bench, unit: Any, expected: list[list[Any]]) -> None:
    relation = Aggregate(source=S, groups=(Named(name="when", of=Bucket(of=c("date"), unit=unit)),), measures=(COUNT,))

    assert bench.run(relation, sales(bench)).rows == expected


def test_weekdays_stand_in_their_order_and_in_the_language(bench: Bench) -> None:
    relation = Aggregate(
        source=S, groups=(Named(name="day", of=Bucket(of=c("date"), unit="weekday")),), measures=(COUNT,)
    )

    assert bench.run(relation, sales(bench)).rows == [["Wednesday", 2], ["Friday", 2]]
    assert bench.run(relation, sales(bench), language="zh").rows == [["周三", 2], ["周五", 2]]


def test_intervals_stand_in_their_order(bench: Bench) -> None:
    cut = Cut(of=c("amount"), edges=(0, 10, float("inf")), labels=("to 10", "from 10"))
    relation = Aggregate(source=S, groups=(Named(name="size", of=cut),), measures=(COUNT,))

    assert bench.run(relation, sales(bench)).rows == [["to 10", 1], ["from 10", 3]]


def test_an_empty_table_gives_empty_groups_and_a_zero_count(bench: Bench) -> None:
    nobody = Filter(source=S, where=is_("city", "Paris"))

    assert bench.run(Aggregate(source=nobody, groups=(column("region"),), measures=(COUNT,)), sales(bench)).rows == []
    assert bench.run(Aggregate(source=nobody, groups=(), measures=(COUNT,)), sales(bench)).value == 0
    assert bench.run(Aggregate(source=nobody, groups=(), measures=(total("amount", "t"),)), sales(bench)).value == 0
    assert (
        bench.run(
            Aggregate(source=nobody, groups=(), measures=(Measure(name="m", function="mean", of=c("amount")),)),
            sales(bench),
        ).value
        is None
    )


@pytest.mark.parametrize("function", ["missing", "missing_percent"])
def test_missing_texts_of_no_rows_are_numbers(bench: Bench, function: AggregateName) -> None:
    none = Filter(source=S, where=is_("region", "Nowhere"))
    counted = Measure(name="empty", function=function, of=c("city"))
    groups = Aggregate(source=none, groups=(column("region"),), measures=(counted,))
    derived = Derive(source=groups, columns=(Named(name="twice", of=Func(name="abs", of=c("empty"))),))

    assert bench.run(derived, sales(bench)).rows == []
