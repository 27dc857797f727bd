"""Questions and the plans that they are read as."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from tests.unit.analyst.grammar.clinic import BILLS, VISITS, Words, read

from tablewright.analyst.grammar import executed_features, readings, rescored
from tablewright.analyst.grammar.weights import weights
from tablewright.analyst.plan import Relation, Top
from tablewright.analyst.plan_walk import nodes
from tablewright.domain.table import Table


def _relations(question: str, most: int = 3) -> list[Relation]:
    return [reading.plan.parts[0].relation for reading in read(question, most)]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many cats were there?", "count, where animal = cat"),
        ("average fee per vet", "average fee per vet"),
        ("How many visits did Dr Novak have in 2024?", "count, where vet = Dr Novak and visited = 2024"),
        ("total fee of dogs without Dr Silva", "total fee, where animal = dog and vet ≠ Dr Silva"),
        ("各医生的金额合计", "每个医生的金额合计"),
        ("已付的账单有几条", "数量，条件：状态 = 已付"),
    ],
)
def test_a_question_is_understood(question: str, said: str) -> None:
    assert said in [reading.said for reading in read(question, 3)]


def test_the_best_group_is_a_ranking() -> None:
    assert any(isinstance(node, Top) for one in _relations("Which vet had the most visits?") for node in nodes(one))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("which animal has the highest fee for each vet", "animal with the highest fee per vet"),
        ("vets that never saw a rabbit", "vet without a row, where animal = rabbit"),
        ("share of cats per vet", "share (%) of rows where animal = cat per vet"),
        ("share of cats per vet", "share (%) of total fee where animal = cat per vet"),
        ("share of cats in 2024", "share (%) of rows where animal = cat, among rows where visited = 2024"),
        ("share of cats in 2024", "share (%) of rows where visited = 2024, among rows where animal = cat"),
        ("已付的金额占比", "状态 = 已付的金额占比（%）"),
        ("已付的金额占比", "状态 = 已付的行数占比（%）"),
        ("which vet had the second highest fee", "vet with the highest (no. 2) total fee"),
        ("fee growth per month", "change of total fee per month of visited"),
    ],
)
def test_less_common_readings_are_among_the_candidates(question: str, said: str) -> None:
    assert said in [reading.said for reading in read(question)]


def test_a_chart_is_drawn_where_one_is_asked() -> None:
    drawing = read("pie chart of visits per animal")[0].plan.parts[0].drawing
    assert drawing is not None
    assert (drawing.kind, drawing.x) == ("pie", "animal")


def test_readings_are_different_and_come_best_first() -> None:
    found = read("fee of cats per month")
    assert len({repr(reading.plan) for reading in found}) == len(found) > 10
    assert [reading.score for reading in found] == sorted((reading.score for reading in found), reverse=True)


def test_no_feature_names_a_table_or_a_column() -> None:
    names = {column.name for table in (VISITS, BILLS) for column in table.columns} | {"visits", "账单", "cat", "已付"}
    for question in ("which vet had the highest fee for cats in 2024?", "每个医生已付的金额占比"):
        for reading in read(question):
            assert not names & {word for name in reading.features for word in name.split(":")}
    assert not names & {word for name in weights() for word in name.split(":")}


def test_execution_tells_readings_apart() -> None:
    reading = read("visits of cats")[0]
    empty = executed_features(reading, (Table(columns=("vet",), rows=(), total_rows=0),), [VISITS])
    full = executed_features(reading, (Table(columns=("vet",), rows=(("Dr Novak",),), total_rows=1),), [VISITS])
    assert empty == {"ran:empty": 1.0}
    assert executed_features(reading, None, [VISITS]) == {"ran:failed": 1.0}
    assert rescored(reading, full) > rescored(reading, empty)


def _best_of_orders(question: str) -> str:
    orders = replace(VISITS, name="orders", file_name="orders.csv")
    return asyncio.run(readings(question, "en", [orders], Words(), most=1))[0].said


def test_rows_that_are_called_orders_are_no_wish_for_an_order() -> None:
    assert _best_of_orders("number of orders by animal and outcome") == "count per animal, outcome"


def test_a_direction_makes_an_order_of_rows_that_are_called_orders() -> None:
    assert _best_of_orders("list cat orders by fee, highest first").endswith("sorted by fee ↓")


def test_a_list_names_the_column_that_it_is_sorted_by() -> None:
    assert not [reading.said for reading in read("list the animals in order, highest first") if "by  " in reading.said]


@pytest.mark.parametrize("question", ["average fee per vet, highest first", "total fee by animal, largest first"])
def test_a_direction_ranks_nothing(question: str) -> None:
    found = read(question)
    assert "sorted by" in found[0].said
    assert not any("with the highest" in one.said for one in found)
