"""A report answers the question that it was asked with, before what it finds by itself."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tests.unit.analyst.facts import Values
from tests.unit.analyst.reporting.rounds import ORDERS, answer, report, task, texts

from tablewright.analyst import grammar
from tablewright.analyst.base import NotUnderstood, OfferedPlan, Understanding, Understood, Unsure
from tablewright.analyst.plan import Part, Plan, Procedure, Source
from tablewright.analyst.reporting.asked import asked_of, code
from tablewright.analyst.understanding.explaining import explained
from tablewright.domain.dataset import DatabaseTable
from tablewright.domain.structured import MAX_CALLS

QUESTION = "total amount by region"
BY_REGION = json.dumps(
    {"tests": 0, "columns": ["region", "total amount"], "rows": [["East", 12.5], ["We|st", 7]], "total": 2}
)


async def read(question: str = QUESTION) -> Plan:
    found = await grammar.readings(question, "en", (ORDERS,), Values(), most=1)
    return found[0].plan


def offered(*readings: tuple[str, Plan]) -> Unsure:
    return Unsure(readings=tuple(OfferedPlan(plan=plan, text=words, option=words) for words, plan in readings))


async def test_a_question_is_computed_in_the_first_round_and_answered_first() -> None:
    said, rounds = await report(
        task(question=QUESTION), {**texts(), "question-1": BY_REGION}, Understood(plan=await read())
    )
    content = said["action"]["content"]
    assert "question-1" in rounds[0]
    assert content.index("## What you asked") < content.index("## Findings")
    assert QUESTION in content
    assert "East: 12.5" in content
    assert "(from `question-1`)" in content
    assert "| We\\|st | 7.0 |" in content


async def test_of_what_may_be_meant_only_what_leaves_no_word_out_is_computed() -> None:
    both = offered(("total amount per region", await read()), ("average price", await read("average price")))
    printed = {**texts(), "question-1": BY_REGION, "question-2": BY_REGION}
    said, rounds = await report(task(question=QUESTION), printed, both)
    assert "question-1" in rounds[0]
    assert "question-2" not in rounds[0]  # it leaves words out
    assert "**total amount per region**" in said["action"]["content"]


@pytest.mark.parametrize(
    "printed", [None, "NameError", json.dumps({"tests": 0, "rows": [], "columns": [], "total": 0})]
)
async def test_what_gave_no_result_is_not_answered(printed: str | None) -> None:
    said, _ = await report(task(question=QUESTION), {**texts(), "question-1": printed}, Understood(plan=await read()))
    assert "What you asked" not in said["action"]["content"]


@pytest.mark.parametrize("question", ["Report on this", "x"])
async def test_what_no_word_asks_for_is_not_computed(question: str) -> None:
    found = await grammar.readings(question, "en", (ORDERS,), Values(), most=3)
    unsure = offered(*((reading.said, reading.plan) for reading in found))
    said, rounds = await report(task(question=question), texts(), unsure)
    assert not any(call.startswith("question-") for calls in rounds for call in calls)
    assert "What you asked" not in said["action"]["content"]


async def test_the_value_of_a_ranking_is_computed_beside_its_name() -> None:
    ranking = explained(await read("Which region has the highest average amount?"), (ORDERS,))
    ((asked,),) = [await asked_of(task(question="?"), Understood(plan=ranking), Values())]
    assert 'result = highest[["region", "average amount"]]' in code(asked, (ORDERS,), "en")


async def test_a_look_at_the_whole_table_is_the_report() -> None:
    plan = Plan(parts=(Part(relation=Procedure(source=Source(dataset_id="t1"), name="describe", columns=("amount",))),))
    _, rounds = await report(task(question="describe the table"), texts(), Understood(plan=plan))
    assert not any(call.startswith("question-") for calls in rounds for call in calls)


async def test_a_wish_computes_nothing_of_its_own() -> None:
    nothing = NotUnderstood(understood=(), reason="analyst.too_long", params={}, suggestions=())
    wishes: list[tuple[str, Understanding]] = [
        ("what about quality?", nothing),
        ("focus on amount", offered(("total amount", await read("total amount")))),
    ]
    for words, understood in wishes:
        said = await answer(task(question=words), understood)
        assert not [call for call in said["action"]["content"] if call["tool_call_id"].startswith("question")]


async def test_a_table_of_which_only_the_first_rows_are_there_is_not_computed_with() -> None:
    held = DatabaseTable(connection="shop", dialect="postgres", name="orders", held=100)
    said = await answer(task(question=QUESTION, datasets=(replace(ORDERS, table=held),)), Understood(plan=await read()))
    assert not [call for call in said["action"]["content"] if call["tool_call_id"].startswith("question")]


async def test_a_round_has_no_more_calls_than_are_allowed() -> None:
    tables = tuple(replace(ORDERS, id=f"t{place}", name=f"orders{place}") for place in range(1, 6))
    plan = await read()
    said = await answer(
        task(question=QUESTION, datasets=(ORDERS, *tables), max_rounds=2),
        Understood(plan=replace(plan, parts=plan.parts * 5)),
    )
    assert len(said["action"]["content"]) <= MAX_CALLS
