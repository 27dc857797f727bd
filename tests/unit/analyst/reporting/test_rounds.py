"""Which calls a report makes, round by round, and that it ends whatever becomes of them."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest
from tests.unit.analyst.reporting.rounds import ORDERS, RUN_PYTHON, answer, report, task, texts

from tablewright.domain.dataset import ColumnFacts
from tablewright.domain.structured import MAX_CALLS
from tablewright.domain.task import ToolFacts


async def test_a_table_is_looked_at_first_then_measured_theme_by_theme() -> None:
    _, rounds = await report(task(), texts())
    themes = ["leaders-1", "time-1", "outliers-1", "relations-1", "differences-1"]
    assert rounds == [["look-1"], themes, ["questions-1"]]


async def test_with_two_rounds_everything_is_measured_in_the_first() -> None:
    said, rounds = await report(task(max_rounds=2), texts())
    assert [len(calls) for calls in rounds] == [6]
    assert rounds[0][0] == "look-1"
    assert said["current_round"] == 2


async def test_with_one_round_nothing_is_measured_and_the_report_says_what_was_not_looked_at() -> None:
    said, rounds = await report(task(max_rounds=1), texts())
    assert rounds == []
    assert "orders" in said["action"]["content"]


async def test_no_round_has_more_calls_than_are_allowed_and_no_id_comes_twice() -> None:
    many = tuple(replace(ORDERS, id=f"t{number}", name=f"orders {number}") for number in range(9))
    for most in (2, 3, 4, 9):
        _, rounds = await report(task(datasets=many, max_rounds=most), {})
        ids = [name for calls in rounds for name in calls]
        assert len(rounds) < most
        assert all(len(calls) <= MAX_CALLS for calls in rounds)
        assert len(ids) == len(set(ids))


async def test_tables_that_are_not_looked_at_are_named() -> None:
    many = tuple(replace(ORDERS, id=f"t{number}", name=f"orders {number}") for number in range(5))
    said, _ = await report(task(datasets=many), {f"look-{n}": texts()["look-1"] for n in range(4)})
    assert "orders 3" in said["action"]["content"].splitlines()[-2]


async def test_a_wish_restricts_the_columns_that_it_names() -> None:
    said = await answer(task(question="price by region please", round=1, max_rounds=2))
    code = said["action"]["content"][0]["arguments"]["code"]
    assert 'measures = ["price"]' in code
    assert "price" in said["task_analysis"]


async def test_without_any_table_the_report_says_what_to_do() -> None:
    said, rounds = await report(task(question="how are we doing", datasets=()), texts())
    assert rounds == []
    assert said["action"]["content"].startswith("There is no table here yet")
    assert "everything was looked at" not in said["action"]["content"]


async def test_a_wish_that_names_nothing_is_said_to_and_everything_is_looked_at() -> None:
    said, _ = await report(task(question="how are we doing"), texts())
    assert "Your words name no column" in said["action"]["content"]


async def test_without_the_tool_nothing_is_asked_for() -> None:
    other = ToolFacts(name="web_search", description="", parameters={})
    said, rounds = await report(task(tools=(other,)), {})
    assert (rounds, said["action"]["type"]) == ([], "complete")


async def test_output_is_asked_for_in_full_where_the_tool_knows_how() -> None:
    tool = replace(RUN_PYTHON, parameters={"type": "object", "properties": {"response_format": {}}})
    said = await answer(task(tools=(tool,)))
    assert said["action"]["content"][0]["arguments"]["response_format"] == "full"


HOSTILE = ('say "hi"', "two\nlines", "$df ${x}", "a'b", "<|end_code|>", "{braces}", "\\", "价格\u2028", "# no comment")


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("name", HOSTILE)
async def test_code_is_valid_whatever_columns_are_called(name: str, language: str) -> None:
    columns = (
        ColumnFacts(name=name, kind="number", distinct=400, minimum=1.5, maximum=900.0),
        ColumnFacts(name=f"{name}2", kind="text", distinct=4),
        ColumnFacts(name=f"{name}3", kind="date", distinct=99),
        ColumnFacts(name=f"{name}4", kind="text", distinct=99, samples=("a", "b")),
    )
    facts = replace(ORDERS, columns=(*columns, *ORDERS.columns))
    said = await answer(task(datasets=(facts,), max_rounds=2, language=language))
    for call in said["action"]["content"]:
        ast.parse(call["arguments"]["code"])


async def test_a_table_without_rows_or_too_many_is_said_not_loaded() -> None:
    empty, huge = replace(ORDERS, rows=0), replace(ORDERS, id="t2", name="log", rows=10**8)
    said, rounds = await report(task(datasets=(empty, huge)), {})
    assert rounds == []
    assert "orders has no rows" in said["action"]["content"]
    assert "100,000,000" in said["action"]["content"]
