"""Tables of one form, set against each other or put together."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.analyst.reading.tables import NORTH, SOUTH, column, plan_for, relation_for, table

from tablewright.analyst.plan import Aggregate, Col, Combine, Concat, Derive, Project, Source, Top
from tablewright.analyst.plan_walk import nodes
from tablewright.analyst.reading.stacking import stack_of
from tablewright.domain.dataset import DatasetFacts

_MILL = (
    column("茶厂名称", "text", 12),
    column("产区", "text", 4),
    column("产量(吨)", "number", 12, 20, 900),
    column("单价(元)", "number", 12, 3, 70),
    column("出厂日期", "date", 12, "2020-01-03", "2021-12-20"),
)
THIS, LAST = table("m-2021", "茶厂2021年产量表", 12, *_MILL), table("m-2020", "茶厂2020年产量表", 12, *_MILL)


def labels(relation: object) -> list[object]:
    return [node.value for derived in nodes(relation) if isinstance(derived, Derive) for named in derived.columns
            for node in [named.of] if hasattr(node, "value")]  # fmt: skip


async def test_a_difference_between_tables_is_one_number() -> None:
    relation = await relation_for("北川县湖泊的平均水深比南岭县高多少？", NORTH, SOUTH)
    assert isinstance(relation, Combine)
    assert relation.op == "difference"
    assert {node.dataset_id for node in nodes(relation) if isinstance(node, Source)} == {NORTH.id, SOUTH.id}


async def test_years_of_tables_are_a_column_of_numbers() -> None:
    relation = await relation_for("2021年的总产量比2020年增长了百分之几？", LAST, THIS)
    assert isinstance(relation, Combine)
    assert relation.op == "percent_change"
    assert labels(relation.left) == [2020, 2021]


@pytest.mark.parametrize("question", ["哪家茶厂2021年的产量比2020年增长最多？", "哪家茶厂2021年的产量同比增长最快？"])
async def test_the_thing_that_grew_most_between_tables_is_found(question: str) -> None:
    relation = await relation_for(question, LAST, THIS)
    assert isinstance(relation, Project)
    assert [named.name for named in relation.columns] == ["茶厂名称"]
    assert any(isinstance(node, Top) and node.by == "growth" for node in nodes(relation))


@pytest.mark.parametrize("question", ["两个表的产量一共是多少？", "两年的总产量是多少？", "两年的平均产量是多少？"])
async def test_all_tables_together_give_one_number(question: str) -> None:
    relation = await relation_for(question, LAST, THIS)
    assert isinstance(relation, Aggregate)
    assert isinstance(relation.source, Concat)


async def test_each_for_itself_stays_a_row_of_each() -> None:
    plan = await plan_for("2020年和2021年的总产量分别是多少？", LAST, THIS)
    assert isinstance(plan.parts[0].relation, Concat)


def test_a_column_that_is_constant_in_each_table_tells_them_apart() -> None:
    told = [
        replace(facts, columns=(*facts.columns, column("届", "integer", 1, number, number)))
        for facts, number in ((LAST, 6), (THIS, 7))
    ]
    stack = stack_of(told, "zh")
    assert stack is not None
    assert (stack.label, stack.labels, stack.made) == ("届", (6, 7), False)


def test_tables_of_two_forms_are_no_stack() -> None:
    assert stack_of([LAST, NORTH], "zh") is None


async def test_what_every_row_is_an_event_of_is_counted() -> None:
    relation = await relation_for("产量超过500吨的出厂了多少次？", THIS)
    assert isinstance(relation, Aggregate)
    assert [measure.function for measure in relation.measures] == ["count"]
    assert not any(isinstance(node, Col) and node.name == "出厂日期" for node in nodes(relation))


TARGETS = table("m-t", "目标", 4, column("产区", "text", 4), column("目标(吨)", "number", 4, 100, 900))


async def test_a_table_of_another_form_does_not_keep_the_others_apart() -> None:
    relation = await relation_for("2021年的总产量比2020年增长了百分之几？", LAST, TARGETS, THIS)
    assert isinstance(relation, Combine)
    assert relation.op == "percent_change"
    assert {node.dataset_id for node in nodes(relation) if isinstance(node, Source)} == {LAST.id, THIS.id}


@pytest.mark.parametrize("others", [(), (TARGETS, replace(TARGETS, id="m-u", name="计划"))])
def test_tables_are_no_stack_without_one_set_of_the_same_form(others: tuple[DatasetFacts, ...]) -> None:
    alike = (LAST, THIS) if others else (LAST,)
    assert stack_of((*alike, *others), "zh") is None
