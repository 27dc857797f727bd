"""What comes out: the result, the shown table, tags, charts, files."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.integration.analyst.conftest import Bench
from tests.integration.analyst.tables import COUNT, S, c, column, is_, sales
from tests.integration.analyst.test_groups import by, total, whole

from tablewright.analyst.plan import (
    Aggregate,
    Drawing,
    Filter,
    Lit,
    Measure,
    Part,
    Plan,
    Position,
    Project,
    Sort,
    Tag,
    Top,
)
from tablewright.analyst.plan import Compare as Comparison


def test_the_result_is_what_was_asked_and_the_table_what_a_person_sees(bench: Bench) -> None:
    top = Top(source=by("city", total("amount", "t")), by="t", count=1)
    ran = bench.run(Project(source=top, columns=(column("city"),)), sales(bench), shown=top)

    assert ran.rows == [["Beijing"], ["Chengdu"]]
    assert ran.tables[0]["rows"] == [["Beijing", 20], ["Chengdu", 20]]
    assert "Chengdu" in ran.text


def test_of_several_parts_the_last_one_is_the_result_and_each_is_shown(bench: Bench) -> None:
    plan = Plan(
        parts=(Part(relation=whole("mean", "amount")), Part(relation=by("city", COUNT), caption="orders by city"))
    )

    ran = bench.plan(plan, sales(bench))

    assert ran.tables[0]["rows"] == [[12.5]]
    assert ran.tables[1]["rows"] == ran.rows
    assert ran.steps[-1] == "Show orders by city"


def test_numbers_are_rounded_where_asked(bench: Bench) -> None:
    assert bench.run(whole("std", "amount"), sales(bench), decimals=2).value == 9.57
    assert bench.run(by("city", Measure(name="m", function="std", of=c("amount"))), sales(bench), decimals=1).rows[
        1
    ] == ["Beijing", 14.1]


def test_tags_are_one_row(bench: Bench) -> None:
    plan = Plan(
        parts=(
            Part(relation=whole("mean", "amount")),
            Part(
                relation=Sort(
                    source=by("city", Measure(name="m", function="std", of=c("amount"))), keys=(("city", False),)
                )
            ),
            Part(relation=Project(source=Filter(source=S, where=is_("region", "east")), columns=(column("city"),))),
        ),
        tags=(
            Tag(name="mean", decimals=1),
            Tag(name="city", part=1, row=1),
            Tag(name="std", part=1, row=1, column=1, decimals=3),
            Tag(name="absent", part=1, row=9),
            Tag(name="all", part=2, every=True),
        ),
    )

    ran = bench.plan(plan, sales(bench))

    assert ran.result is not None
    assert ran.result["columns"] == ["mean", "city", "std", "absent", "all"]
    assert ran.rows == [[12.5, "Beijing", 14.142, None, "shanghai, Nanjing"]]


def test_a_chart_holds_the_points_of_its_relation(bench: Bench) -> None:
    relation = Sort(source=by("city", total("amount", "t")), keys=(("t", True), ("city", False)))
    ran = bench.run(relation, sales(bench), drawing=Drawing(kind="bar", x="city", y="t", title="Amount"))

    assert [(chart["kind"], chart["x"], chart["y"], chart["title"]) for chart in ran.charts] == [
        ("bar", ["Beijing", "Chengdu", " shanghai ", "Nanjing"], [20, 20, 10, 0], "Amount")
    ]


def test_a_chart_with_series(bench: Bench) -> None:
    relation = Aggregate(source=S, groups=(column("region"), column("city")), measures=(COUNT,))
    ran = bench.run(relation, sales(bench), drawing=Drawing(kind="stacked bar", x="region", y="n", series="city"))

    assert ran.charts[0]["series"] == [" shanghai ", "Beijing", "Chengdu", "Nanjing"]


@pytest.mark.parametrize("name", ["cities.csv", "cities.xlsx", "cities.json", "城市", "../../cities.md"])
def test_the_result_is_saved_in_the_working_folder(bench: Bench, name: str) -> None:
    plan = Plan(parts=(Part(relation=by("city", COUNT)),), save_as=name)

    ran = bench.plan(plan, sales(bench))

    saved = Path(ran.files[0])
    assert saved.stat().st_size > 20
    assert saved.stem == Path(name).stem
    assert saved.suffix == (Path(name).suffix or ".xlsx")
    assert ran.rows[0] == [" shanghai ", 1]


def test_whole_numbers_stay_whole_where_cells_are_missing(bench: Bench) -> None:
    assert bench.run(Project(source=Position(source=S, count=3), columns=(column("amount"),)), sales(bench)).rows == [
        [10],
        [20],
        [None],
    ]


def test_a_long_plan_is_run_in_few_steps(bench: Bench) -> None:
    parts = tuple(
        Part(
            relation=Aggregate(
                source=Filter(source=S, where=Comparison(op=">", left=c("amount"), right=Lit(value=limit))),
                groups=(),
                measures=(COUNT,),
            )
        )
        for limit in range(6)
    )
    tags = tuple(Tag(name=f"above_{limit}", part=limit) for limit in range(6))

    ran = bench.plan(Plan(parts=parts, tags=tags), sales(bench))

    assert ran.rows == [[3, 3, 3, 3, 3, 3]]
    assert len(ran.steps) == 8


def test_the_same_relation_is_computed_once(bench: Bench) -> None:
    east = Filter(source=S, where=is_("region", "east"))
    plan = Plan(parts=(Part(relation=east), Part(relation=Aggregate(source=east, groups=(), measures=(COUNT,)))))

    ran = bench.plan(plan, sales(bench))

    assert ran.value == 2
    assert ran.code.count('== "east"') == 1


def test_the_code_runs_again_in_the_same_session(bench: Bench) -> None:
    first = bench.run(by("city", COUNT), sales(bench))

    assert bench.interpreter.run(first.code).rows == first.rows
