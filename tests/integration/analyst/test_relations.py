"""Every relation of a plan, executed, against what it must give."""

from __future__ import annotations

from typing import Any

import pytest
from tests.integration.analyst.conftest import Bench
from tests.integration.analyst.tables import S, c, column, is_, sales
from tests.integration.analyst.test_groups import by, total, whole

from tablewright.analyst.plan import (
    Aggregate,
    Bucket,
    Case,
    Combine,
    Compare,
    Concat,
    Cut,
    Derive,
    Expr,
    Fill,
    Filter,
    Func,
    Join,
    Lit,
    Math,
    Measure,
    Named,
    Pivot,
    Position,
    Project,
    Relation,
    Share,
    Shift,
    Sort,
    Source,
    Top,
)
from tablewright.domain.dataset import ColumnFacts


def cities(relation: Relation) -> Project:
    """Return the cities of a relation."""
    return Project(source=relation, columns=(column("city"),))


def derived(bench: Bench, expression: Expr) -> list[object]:
    """Return the values of one new column."""
    relation = Project(
        source=Derive(source=S, columns=(Named(name="new value", of=expression),)), columns=(column("new value"),)
    )
    return [row[0] for row in bench.run(relation, sales(bench)).rows]


def test_a_sort_is_stable_and_puts_missing_last(bench: Bench) -> None:
    relation = cities(Sort(source=S, keys=(("amount", True),)))

    assert bench.run(relation, sales(bench)).rows == [
        ["Chengdu"],
        ["Beijing"],
        [" shanghai "],
        ["Beijing"],
        ["Nanjing"],
    ]


def test_dates_that_are_text_are_sorted_as_dates(bench: Bench) -> None:
    facts = ColumnFacts(name="born", kind="date", notation="date_text", date_format="%d.%m.%Y")
    people = bench.table(
        "people", "born,n\n28.09.1981,a\n06.10.1976,b\n10.03.1990,c\n", facts, ColumnFacts(name="n", kind="text")
    )
    relation = Sort(source=Source(dataset_id="people"), keys=(("born", False), ("n", False)))

    assert [row[0] for row in bench.run(relation, people).rows] == ["06.10.1976", "28.09.1981", "10.03.1990"]


@pytest.mark.parametrize(
    ("top", "expected"),
    [
        (Top(source=S, by="amount", count=1), ["Chengdu", "Beijing"]),
        (Top(source=S, by="amount", count=1, ties=False), ["Chengdu"]),
        (Top(source=S, by="amount", count=1, descending=False), ["Beijing"]),
        (Top(source=S, by="amount", count=2), ["Chengdu", "Beijing"]),
        (Top(source=S, by="amount", count=3), ["Chengdu", "Beijing", " shanghai "]),
        (Top(source=S, by="amount", count=1, offset=1), [" shanghai "]),
        (Top(source=S, by="amount", count=2, offset=1), [" shanghai ", "Beijing"]),
        (Top(source=S, by="date", count=1), ["Beijing"]),
        (Top(source=S, by="price", count=2), [" shanghai ", "Nanjing"]),
        (Top(source=S, by="city", count=1, descending=False), [" shanghai "]),
        (Top(source=S, by="amount", count=1, within=("region",)), [" shanghai ", "Chengdu", "Beijing"]),
    ],
)  # fmt: skip
def test_the_top_rows_hold_all_that_tie(bench: Bench, top: Top, expected: list[str]) -> None:
    assert [row[0] for row in bench.run(cities(top), sales(bench)).rows] == expected


@pytest.mark.parametrize(
    ("count", "offset", "expected"),
    [(2, 0, [0, 1]), (-2, 0, [3, 4]), (2, 1, [1, 2]), (-1, 1, [3]), (9, 0, [0, 1, 2, 3, 4])],
)
def test_rows_by_place(bench: Bench, count: int, offset: int, expected: list[int]) -> None:
    names = [" shanghai ", "Chengdu", "Nanjing", "Beijing", "Beijing"]

    rows = bench.run(cities(Position(source=S, count=count, offset=offset)), sales(bench)).rows

    assert [row[0] for row in rows] == [names[place] for place in expected]


def test_different_values_come_once(bench: Bench) -> None:
    assert (
        bench.run(
            Project(source=Filter(source=S, where=is_("city", "Beijing")), columns=(column("city"),), distinct=True),
            sales(bench),
        ).value
        == "Beijing"
    )


def test_columns_are_renamed_and_computed_in_order(bench: Bench) -> None:
    relation = Project(
        source=Position(source=S, count=2),
        columns=(
            Named(name="Stadt", of=c("city")),
            Named(name="double", of=Math(op="*", left=c("amount"), right=Lit(value=2))),
            Named(name="city", of=c("region")),
        ),
    )

    ran = bench.run(relation, sales(bench))

    assert ran.result is not None
    assert ran.result["columns"] == ["Stadt", "double", "city"]
    assert ran.rows == [[" shanghai ", 20, "East"], ["Chengdu", 40, "West"]]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (Math(op="/", left=c("price"), right=c("amount")), [120.05, 1.5, None, 0.25, None]),
        (Math(op="-", left=Lit(value=100), right=c("amount")), [90, 80, None, 80, 100]),
        (Math(op="+", left=Math(op="*", left=c("amount"), right=Lit(value=2)), right=Lit(value=1)),
            [21, 41, None, 41, 1]),
        (Func(name="log", of=c("amount")), [2.302585092994046, 2.995732273553991, None, 2.995732273553991, None]),
        (Func(name="abs", of=Math(op="-", left=c("amount"), right=Lit(value=15))), [5, 5, None, 5, 15]),
        (Func(name="first_number", of=c("score")), [1, 22, 3, None, 4]),
        (Func(name="rank", of=c("amount")), [3, 1, None, 1, 4]),
        (Func(name="minmax", of=c("amount")), [0.5, 1, None, 1, 0]),
        (Func(name="upper", of=c("score")), ["A1", "B22", "C3X", None, "D4"]),
        (Func(name="codes", of=c("city")), [0, 2, 3, 1, 1]),
        (Bucket(of=c("date"), unit="week"), ["2024-W01", "2024-W06", "2024-W06", "2024-W18", None]),
        (Bucket(of=c("date"), unit="year"), [2024, 2024, 2024, 2024, None]),
        (Bucket(of=c("date"), unit="day_of_month"), [5, 7, 9, 1, None]),
        (Cut(of=c("amount"), edges=(0, 10, 100), labels=("low", "high")), ["high", "high", None, "high", "low"]),
        (
            Case(branches=((is_("amount", 0), Lit(value="none")),
                (Compare(op=">", left=c("amount"), right=Lit(value=10)), Lit(value="big"))),
                otherwise=Lit(value="other")),
            ["other", "big", "other", "big", "none"],
        ),
    ],
)  # fmt: skip
def test_new_columns(bench: Bench, expression: Expr, expected: list[object]) -> None:
    assert derived(bench, expression) == [
        pytest.approx(value) if isinstance(value, float) else value for value in expected
    ]


def test_the_days_between_two_dates(bench: Bench) -> None:
    expression = Math(op="-", left=c("date"), right=Lit(value="2024-01-01"))

    assert derived(bench, expression) == [4, 37, 39, 121, None]


def test_a_share_of_the_whole_and_within_groups(bench: Bench) -> None:
    whole = Project(source=Share(source=S, column="amount", name="share"), columns=(column("share"),))
    within = Share(source=by("city", total("amount", "t")), column="t", name="share", percent=False, within=("city",))

    assert bench.run(whole, sales(bench)).rows == [[20.0], [40.0], [None], [40.0], [0.0]]
    assert [row[2] for row in bench.run(within, sales(bench)).rows] == [1, 1, 1, None]


@pytest.mark.parametrize(
    ("how", "periods", "expected"),
    [
        ("difference", 1, [None, 10, None, None, -20]),
        ("growth", 1, [None, 100.0, None, None, -100.0]),
        ("growth", 2, [None, None, None, 0.0, None]),
        ("cumulative", 1, [10, 30, None, 50, 50]),
    ],
)
def test_a_column_against_earlier_rows(bench: Bench, how: str, periods: int, expected: list[float | None]) -> None:
    shift = Shift(source=S, column="amount", name="change", how=how, periods=periods)  # type: ignore[arg-type]

    assert [
        row[0] for row in bench.run(Project(source=shift, columns=(column("change"),)), sales(bench)).rows
    ] == expected


def test_growth_from_nothing_is_missing(bench: Bench) -> None:
    ordered = Sort(
        source=Filter(source=S, where=Compare(op="<=", left=c("amount"), right=Lit(value=10))),
        keys=(("amount", False),),
    )
    shift = Shift(source=ordered, column="amount", name="change", how="growth")

    assert [row[0] for row in bench.run(Project(source=shift, columns=(column("change"),)), sales(bench)).rows] == [
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("fill", "expected"),
    [
        (Fill(source=S, column="amount", how="mean"), [10, 20, 12.5, 20, 0]),
        (Fill(source=S, column="amount", how="median"), [10, 20, 15, 20, 0]),
        (Fill(source=S, column="amount", how="mode"), [10, 20, 20, 20, 0]),
        (Fill(source=S, column="amount", how="constant", value=-1), [10, 20, -1, 20, 0]),
        (Fill(source=S, column="amount", how="forward"), [10, 20, 20, 20, 0]),
        (Fill(source=S, column="amount", how="drop"), [10, 20, 20, 0]),
        (Fill(source=S, column="amount", how="mean", within=("city",)), [10, 20, 12.5, 20, 0]),
    ],
)
def test_missing_cells_are_filled(bench: Bench, fill: Fill, expected: list[float]) -> None:
    assert [
        row[0] for row in bench.run(Project(source=fill, columns=(column("amount"),)), sales(bench)).rows
    ] == expected


def test_values_become_columns(bench: Bench) -> None:
    source = by("city", total("amount", "t"), Named(name="month", of=Bucket(of=c("date"), unit="month")))

    ran = bench.run(Pivot(source=source, index=("city",), column="month", value="t"), sales(bench))

    assert ran.result is not None
    assert ran.result["columns"] == ["city", "2024-01", "2024-02", "2024-05"]
    assert ran.rows[0] == [" shanghai ", 10, None, None]


@pytest.mark.parametrize("fill", [{"how": "mean"}, {"how": "constant", "value": 0.5}])
def test_whole_numbers_filled_with_others_are_whole_no_more(bench: Bench, fill: dict[str, Any]) -> None:
    filled = Project(source=Fill(source=S, column="amount", **fill), columns=(column("city"), column("amount")))
    wanted = 12.5 if fill["how"] == "mean" else 0.5
    joined = Join(left=cities(S), right=Position(source=filled, count=3), on=(("city", "city"),), how="left")
    amounts = [row[-1] for row in bench.run(joined, sales(bench)).rows]
    assert None in amounts
    assert wanted in amounts


def test_tables_are_joined_on_keys_of_different_types(bench: Bench) -> None:
    left = bench.table(
        "l",
        "code,name\n1,a\n2,b\n3,c\n",
        ColumnFacts(name="code", kind="integer"),
        ColumnFacts(name="name", kind="text"),
    )
    right = bench.table(
        "r", "id,name\nx,p\n2,q\n3,r\n", ColumnFacts(name="id", kind="text"), ColumnFacts(name="name", kind="text")
    )

    def joined(how: str) -> list[list[object]]:
        sides = {"left": Source(dataset_id="l"), "right": Source(dataset_id="r")}
        join = Join(**sides, on=(("code", "id"),), how=how)  # type: ignore[arg-type]
        picked = Project(source=join, columns=(column("name"), column("name_2")))
        return bench.run(picked, left, right).rows

    assert joined("inner") == [["b", "q"], ["c", "r"]]
    assert joined("left") == [["a", None], ["b", "q"], ["c", "r"]]


def test_the_least_of_no_texts_is_joined_to_nothing(bench: Bench) -> None:
    none = Filter(source=S, where=is_("region", "nowhere"))
    least = Aggregate(source=none, groups=(), measures=(Measure(name="least", function="min", of=c("city")),))

    assert bench.run(Join(left=least, right=S, on=(("least", "city"),)), sales(bench)).rows == []


def test_relations_are_put_one_below_the_other(bench: Bench) -> None:
    east = Filter(source=S, where=is_("region", "east"))
    renamed = Project(source=Filter(source=S, where=is_("region", "west")), columns=(Named(name="town", of=c("city")),))

    assert bench.run(Concat(sources=(cities(east), renamed)), sales(bench)).rows == [
        [" shanghai "],
        ["Nanjing"],
        ["Chengdu"],
    ]


def test_single_values_are_put_one_below_the_other(bench: Bench) -> None:
    ran = bench.run(Concat(sources=(whole("max", "amount"), whole("min", "price"))), sales(bench))

    assert ran.rows == [[20], [5]]


@pytest.mark.parametrize(
    ("op", "expected"),
    [
        ("difference", 12.5 - 256.3),
        ("absolute_difference", 243.8),
        ("sum", 268.8),
        ("ratio", 12.5 / 256.3),
        ("percent", 1250 / 256.3),
        ("percent_change", (256.3 - 12.5) / 12.5 * 100),
    ],
)
def test_two_numbers_are_combined(bench: Bench, op: str, expected: float) -> None:
    amount, price = whole("mean", "amount"), whole("mean", "price")
    relation = Combine(op=op, left=amount, right=price, name="x")  # type: ignore[arg-type]

    assert bench.run(relation, sales(bench)).value == pytest.approx(expected)


def test_a_division_by_zero_and_a_missing_side_give_nothing(bench: Bench) -> None:
    nobody = Project(source=Filter(source=S, where=is_("city", "Paris")), columns=(column("amount"),))
    by_zero = Combine(op="ratio", left=whole("max", "amount"), right=whole("min", "amount"), name="x")
    absent = Combine(op="difference", left=whole("max", "amount"), right=nobody, name="x")

    assert bench.run(by_zero, sales(bench)).value is None
    assert bench.run(absent, sales(bench)).value is None


def test_numbers_in_text_cells_are_combined(bench: Bench) -> None:
    def score(city: str) -> Project:
        return Project(source=Filter(source=S, where=is_("city", city)), columns=(column("score"),))

    assert (
        bench.run(Combine(op="difference", left=score("Chengdu"), right=score("Nanjing"), name="x"), sales(bench)).value
        == 19
    )


def test_times_of_day_are_compared_and_averaged_as_times(bench: Bench) -> None:
    facts = ColumnFacts(name="at", kind="time", notation="date_text", date_format="%I:%M %p")
    clock = bench.table("clock", "at\n9:30 AM\n12:15 AM\n1:00 PM\n10:00 AM\n", facts)
    source = Source(dataset_id="clock")
    late = Filter(source=source, where=Compare(op=">=", left=c("at"), right=Lit(value="10:00")))
    mean = Aggregate(source=source, groups=(), measures=(Measure(name="m", function="mean", of=c("at")),))

    assert [row[0] for row in bench.run(late, clock).rows] == ["1:00 PM", "10:00 AM"]
    assert [row[0] for row in bench.run(Sort(source=source, keys=(("at", False),)), clock).rows][:2] == [
        "12:15 AM",
        "9:30 AM",
    ]
    assert bench.run(Top(source=source, by="at", count=1), clock).value == "1:00 PM"
    assert bench.run(mean, clock).value == (9.5 + 0.25 + 13 + 10) / 4 * 3600
