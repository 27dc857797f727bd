"""Results that cannot be the answer."""

from __future__ import annotations

import pytest
from tests.unit.analyst.facts import S, column, table

from tablewright.analyst.answering.plausible import flaw_of
from tablewright.analyst.plan import (
    Aggregate,
    Col,
    Compare,
    Filter,
    Lit,
    Matches,
    Measure,
    Part,
    Plan,
    Project,
    Relation,
    Tag,
    Top,
)
from tablewright.domain.table import Table

EAST = Filter(source=S, where=Compare(op="=", left=Col(name="region"), right=Lit(value="East")))
PARTLY = Filter(source=S, where=Matches(of=Col(name="city"), how="contains", text="hai"))
EMPTY = table(("city",))


def cities(source: Relation) -> Project:
    return Project(source=source, columns=(column("city"),))


def counted(source: Relation) -> Aggregate:
    return Aggregate(source=source, groups=(), measures=(Measure(name="count", function="count"),))


def plan(relation: Relation, confidence: float = 1.0) -> Plan:
    return Plan(parts=(Part(relation=relation),), confidence=confidence)


@pytest.mark.parametrize(
    ("asked", "result"),
    [
        (plan(cities(EAST), 0.8), EMPTY),
        (plan(cities(PARTLY)), EMPTY),
        (plan(cities(Top(source=EAST, by="units", count=1))), EMPTY),
        (plan(counted(EAST), 0.9), table(("rows",), (0,))),
        (plan(cities(EAST), 0.8), table(("city",), (None,))),
    ],
)
def test_nothing_is_no_answer_where_a_word_or_a_value_is_unsure(asked: Plan, result: Table) -> None:
    assert flaw_of(asked, "which city is in the East?", "en", result) == "reading.nothing_found"


@pytest.mark.parametrize("result", [EMPTY, table(("rows",), (0,))])
def test_nothing_is_an_answer_where_everything_was_understood(result: Table) -> None:
    relation = cities(EAST) if result is EMPTY else counted(EAST)
    assert flaw_of(plan(relation), "which cities are in the East?", "en", result) is None


def test_a_question_for_one_thing_is_not_answered_with_many() -> None:
    rows = table(("city",), *((f"city {number}",) for number in range(9)))

    assert flaw_of(plan(cities(S)), "what is the largest city?", "en", rows) == "reading.too_many"
    assert flaw_of(plan(cities(S)), "what are the cities?", "en", rows) is None


def test_many_that_are_level_are_the_answer_where_every_word_was_understood() -> None:
    rows = table(("city",), *((f"city {number}",) for number in range(9)))
    level = cities(Top(source=S, by="units", count=1))

    assert flaw_of(plan(level), "which city has the most units?", "en", rows) is None
    assert flaw_of(plan(level, 0.9), "which city has the most units?", "en", rows) == "reading.too_many"


def test_a_line_of_totals_is_no_thing_of_its_own() -> None:
    total = table(("city",), ("Total",))

    assert flaw_of(plan(cities(S)), "which city sold the most?", "en", total) == "reading.nothing_found"
    assert (
        flaw_of(plan(cities(S)), "哪个城市销售额最高？", "zh", table(("city",), ("合计",))) == "reading.nothing_found"
    )
    assert flaw_of(plan(cities(S)), "what is the label of the total?", "en", total) is None


def test_tags_several_parts_and_runs_without_a_result_are_not_weighed() -> None:
    tagged = Plan(parts=(Part(relation=cities(EAST)),), tags=(Tag(name="a"),), confidence=0.5)
    several = Plan(parts=(Part(relation=S), Part(relation=cities(EAST))), confidence=0.5)

    assert [flaw_of(asked, "which city?", "en", EMPTY) for asked in (tagged, several)] == [None, None]
    assert flaw_of(plan(cities(EAST), 0.5), "which city?", "en", None) is None
