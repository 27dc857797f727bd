"""Which table a question is about, and questions that need two."""

from __future__ import annotations

from tests.unit.analyst.reading.tables import NORTH, SOUTH, plan_for
from tests.unit.analyst.reading.trade import DELIVERIES, DEPOTS, JOBS, part_of, refused

from tablewright.analyst.plan import Concat, Join, Source
from tablewright.analyst.plan_walk import nodes
from tablewright.domain.dataset import DatasetFacts


async def sources(question: str, *tables: DatasetFacts) -> list[str]:
    part = await part_of(question, *tables)
    return [node.dataset_id for node in nodes(part.relation) if isinstance(node, Source)]


async def test_the_table_that_has_the_columns_answers() -> None:
    assert await sources("What is the total income in Alder?", DELIVERIES, DEPOTS, JOBS) == ["deliveries"]
    assert await sources("How many docks does Alder have?", DELIVERIES, DEPOTS, JOBS) == ["depots"]
    assert await sources("各仓库的运费", DELIVERIES, DEPOTS, JOBS) == ["jobs"]


async def test_the_noun_for_the_rows_chooses_the_table() -> None:
    assert await sources("How many depots are there?", DELIVERIES, DEPOTS) == ["depots"]
    assert await sources("How many deliveries are there?", DELIVERIES, DEPOTS) == ["deliveries"]


async def test_rows_are_joined_with_what_describes_them() -> None:
    part = await part_of("What is the total income of the depots with more than 5 docks?", DELIVERIES, DEPOTS)
    join = next(node for node in nodes(part.relation) if isinstance(node, Join))
    assert join.on == (("Depot", "Depot"),)
    assert join.left == Source(dataset_id="deliveries")


async def test_tables_of_one_form_answer_together_where_both_are_named() -> None:
    plan = await plan_for("北川县的镜湖和南岭县的白鹭湖的面积分别是多少？", NORTH, SOUTH)
    assert isinstance(plan.parts[0].relation, Concat)


async def test_a_refusal_names_what_is_unknown_and_what_can_be_asked() -> None:
    refusal = await refused("What is the total shipping weight?", DELIVERIES, DEPOTS)
    assert refusal.reason == "reading.words_unknown"
    assert "shipping weight" in refusal.params["words"]
    assert len(refusal.suggestions) == 3
    for question in refusal.suggestions:
        await part_of(question, DELIVERIES)
