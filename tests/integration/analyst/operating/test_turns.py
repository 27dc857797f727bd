"""What follows a plan: answers to a question, words that reject it, steps that failed, a further wish."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.integration.analyst.operating.books import book
from tests.integration.analyst.operating.checking import EDITOR, Values, done, facts_of, plan_of
from tests.integration.analyst.operating.state import KINDS, Book

from tablewright.analyst.operating import planned
from tablewright.domain.language import language_of
from tablewright.domain.notice import Notice
from tablewright.domain.rounds.plan import OperationPlan, PlanStep, RejectedPlan
from tablewright.domain.rounds.round import Round, StepResult
from tablewright.domain.task import PlanOperations

Steps = list[dict[str, Any]]


def as_plan(steps: Steps) -> OperationPlan:
    made = [PlanStep(step=s["step"], function=s["function"], parameters=s["parameters"]) for s in steps]
    return OperationPlan(steps=tuple(made), base_version=1)


@pytest.mark.requirement("analyst-asks-for-what-is-missing")
@pytest.mark.parametrize(
    ("name", "say", "asked", "answer", "then"),
    [
        ("people", "sort the table", "Which column?", "by Salary", {"values": {"Sheet1!D2": [48000]}}),
        ("people", "sort the table", "Which column?", "D", {"values": {"Sheet1!D2": [48000]}}),
        ("sales", "删除一列", "哪一列？", "状态",
            {"headers": {"销售": ["订单号", "日期", "地区", "产品", "数量", "单价", "金额"]}}),
        ("sales", "给一列加上数据条", "哪一列？", "金额列", {"conditional": {"销售": ["dataBar"]}}),
    ],
)  # fmt: skip
async def test_the_answer_to_a_question_completes_the_wish(
    name: str, say: str, asked: str, answer: str, then: dict[str, Any], tmp_path: Path
) -> None:
    first = await plan_of(book(tmp_path, name), say)
    assert first["need_info"], first
    result = await done(tmp_path / f"{name}.xlsx", say, asked=[(asked, answer)])
    assert result.problems == []
    _holds(result.book, then)


@pytest.mark.requirement("analyst-corrects-rejected-plans")
@pytest.mark.parametrize(
    ("name", "say", "words", "then"),
    [
        ("sales", "删除状态为取消的行", "不要删除，只标红",
            {"filled_rows": {"销售": [3, 7]}, "fill": {"销售!A3": "FF0000"}}),
        ("orders", "delete rows where status is cancelled", "don't delete them, just highlight them in red",
            {"filled_rows": {"Orders": [3, 7]}}),
        ("orders", "highlight the top 3 orders by revenue", "only top 1", {"filled_rows": {"Orders": [2]}}),
        ("orders", "make a bar chart of revenue by region", "use a line chart",
            {"chart_kind": "lineChart", "charts": 1}),
        ("sales", "画一个各地区金额的柱状图", "改成饼图", {"chart_kind": "pieChart", "charts": 1}),
        ("sales", "把状态为取消的行标红", "用绿色", {"fill": {"销售!A3": "92D050"}}),
        ("orders", "sort by revenue", "descending please", {"values": {"Orders!E2": [1200]}}),
        ("orders", "sort by revenue and add a chart of revenue by region", "no chart", {"charts": 0}),
        ("sales", "按金额升序排序", "还要冻结首行", {"freeze": {"销售": "A2"}, "values": {"销售!G2": [40]}}),
        ("orders", "sort by revenue", "sort by cost instead",
            {"column": {"Orders!cost": [15, 60, 210, 220, 900, 900, 900]}}),
    ],
)  # fmt: skip
async def test_words_that_reject_a_plan_correct_it(
    name: str, say: str, words: str, then: dict[str, Any], tmp_path: Path
) -> None:
    first = await plan_of(book(tmp_path, name), say)
    rejected = RejectedPlan(plan=as_plan(first["execution_plan"]), words=words)
    result = await done(tmp_path / f"{name}.xlsx", say, rejected=[rejected])
    assert result.problems == [], result.plan
    _holds(result.book, then)


SORTED = ("sort_rows", {"by": [{"column": "revenue", "descending": True}]})
MARKED = ("highlight_cells", {"top_column": "revenue", "top_count": 3})


@pytest.mark.requirement("analyst-corrects-rejected-plans")
@pytest.mark.parametrize(
    ("words", "then"),
    [
        ("don't highlight, only sort", [SORTED]),
        ("不要高亮，只排序", [SORTED]),
        ("just the sorting please", [SORTED]),
        ("do not sort", [MARKED]),
        ("不排序，标红", [("highlight_cells", MARKED[1] | {"color": "FF0000"})]),
        ("sort by cost ascending instead", [("sort_rows", {"by": [{"column": "cost", "descending": False}]}), MARKED]),
        ("按cost升序排序", [("sort_rows", {"by": [{"column": "cost", "descending": False}]}), MARKED]),
        ("ascending instead, and only the top 10 highlighted", [
            ("sort_rows", {"by": [{"column": "revenue", "descending": False}]}),
            ("highlight_cells", {"top_column": "revenue", "top_count": 10}),
        ]),
        ("only the bottom 2",
         [SORTED, ("highlight_cells", {"top_column": "revenue", "top_count": 2, "largest": False})]),
        ("highlight the top 5 by cost", [SORTED, ("highlight_cells", {"top_column": "cost", "top_count": 5})]),
        ("no highlighting, but freeze the first row", [SORTED, ("freeze_panes", {"cell": "A2"})]),
    ],
)  # fmt: skip
async def test_a_correction_is_merged_with_the_steps_of_the_plan(
    words: str, then: list[tuple[str, dict[str, Any]]], tmp_path: Path
) -> None:
    plan = await _corrected(tmp_path, words)
    sheet = {"sheet": "Orders"}
    found = [(step["function"], step["parameters"]) for step in plan["execution_plan"]]
    assert found == [(function, sheet | given) for function, given in then], plan


@pytest.mark.parametrize(
    "words",
    [
        "make it purple with sparkles", "by cost", "the sorting is wrong",
        "don't highlight the last row",
        "not those, the paid ones", "keep the sort but drop the highlight", "only the second", "do it in another way",
        "descending and shiny",
    ],
)  # fmt: skip
async def test_words_that_cannot_all_be_accounted_for_lead_to_a_question_and_to_no_plan(
    words: str, tmp_path: Path
) -> None:
    plan = await _corrected(tmp_path, words)
    assert (plan["execution_plan"], plan["need_info"]) == ([], True), plan


async def test_the_answer_to_what_should_be_different_corrects_the_plan(tmp_path: Path) -> None:
    asked = (await _corrected(tmp_path, "with sparkles"))["message"]
    plan = await _corrected(tmp_path, "with sparkles", asked=[(asked, "more sparkles"), (asked, "no highlighting")])
    assert [step["function"] for step in plan["execution_plan"]] == ["sort_rows"]


async def _corrected(folder: Path, words: str, **more: Any) -> dict[str, Any]:
    say, path = "sort by revenue descending and highlight the top 3", book(folder, "orders")
    first = await plan_of(path, say)
    return await plan_of(path, say, rejected=[RejectedPlan(plan=as_plan(first["execution_plan"]), words=words)], **more)


async def test_words_that_say_nothing_of_the_plan_are_asked_about(tmp_path: Path) -> None:
    first = await plan_of(book(tmp_path, "orders"), "sort by revenue")
    rejected = RejectedPlan(plan=as_plan(first["execution_plan"]), words="hmm")
    again = await plan_of(tmp_path / "orders.xlsx", "sort by revenue", rejected=[rejected])
    assert again["need_info"]
    assert again["message"]


@pytest.mark.requirement("analyst-retries-as-the-reason-tells")
@pytest.mark.parametrize(
    ("function", "parameters", "error", "again"),
    [
        (
            "sort_rows", {"sheet": "Orders", "by": [{"column": "revenu", "descending": True}]},
            Notice(code="column_unknown_near", params={"column": "revenu", "near": "revenue", "sheet": "Orders"}),
            {"sheet": "Orders", "by": [{"column": "revenue", "descending": True}]},
        ),
        (
            "add_column", {"sheet": "Orders", "header": "x", "formula": "=[revenu]*2"},
            Notice(code="column_unknown_near", params={"column": "revenu", "near": "revenue", "sheet": "Orders"}),
            {"sheet": "Orders", "header": "x", "formula": "=[revenue]*2"},
        ),
        (
            "auto_filter", {"sheet": "Order"},
            Notice(code="sheet_missing", params={"id": "Order", "known": "Orders, Products"}),
            {"sheet": "Orders"},
        ),
        (
            "add_column", {"sheet": "Orders", "header": "cost"},
            Notice(code="header_taken", params={"header": "cost", "sheet": "Orders"}),
            {"sheet": "Orders", "header": "cost 2"},
        ),
        (
            "add_sheet", {"name": "Products"},
            Notice(code="sheet_name_taken", params={"name": "Products"}), {"name": "Products (2)"},
        ),
        (
            "transpose", {"sheet": "Orders", "range": "A1:B3", "target": "D1"},
            Notice(code="cell_not_empty", params={"sheet": "Orders", "cell": "D1"}),
            {"sheet": "Orders", "range": "A1:B3", "target": "J1"},
        ),
    ],
)  # fmt: skip
async def test_a_failed_step_is_planned_anew_as_its_reason_tells(
    function: str, parameters: dict[str, Any], error: Notice, again: dict[str, Any], tmp_path: Path
) -> None:
    failed = PlanStep(step=2, function=function, parameters=parameters, description="what failed")
    plan = await _next(tmp_path, failed, error)
    assert [(step["function"], step["parameters"]) for step in plan["execution_plan"]] == [(function, again)]
    twice = await _next(tmp_path, replace(failed, retries=2), error)
    assert "what failed" in twice["error"]
    assert twice["execution_plan"] == []


async def test_a_failed_step_without_another_way_is_said_and_left(tmp_path: Path) -> None:
    failed = PlanStep(step=1, function="sort_rows", parameters={"by": [{"column": "x"}]}, description="Sort by x")
    plan = await _next(tmp_path, failed, Notice(code="merged_in_range", params={"sheet": "Orders", "range": "A1:B1"}))
    assert "completed" not in plan
    assert "Sort by x" in plan["error"]


async def test_a_remedy_that_leaves_a_failed_step_as_it_was_is_none(tmp_path: Path) -> None:
    formula = {"sheet": "Orders", "range": "J2", "formula": '=SUMIF(A:A,"revenu",E:E)'}
    failed = PlanStep(step=1, function="set_formula", parameters=formula, description="Add up revenu")
    error = Notice(code="column_unknown_near", params={"column": "revenu", "near": "revenue", "sheet": "Orders"})
    plan = await _next(tmp_path, failed, error)
    assert plan["execution_plan"] == []
    assert "Add up revenu" in plan["error"]


async def test_a_step_written_without_its_optional_parameters_is_retried(tmp_path: Path) -> None:
    failed = PlanStep(step=1, function="sort_rows", parameters={"sheet": "Orders", "by": [{"column": "revenu"}]})
    error = Notice(code="column_unknown_near", params={"column": "revenu", "near": "revenue", "sheet": "Orders"})
    (step,) = (await _next(tmp_path, failed, error))["execution_plan"]
    assert step["description"] == "Sort by revenue ascending"


async def _next(folder: Path, failed: PlanStep, error: Notice) -> dict[str, Any]:
    fine = PlanStep(step=1, function="freeze_panes", parameters={})
    last = Round(
        id="r", workbook_id="w", run_id="run", plan_id="p", number=2, created_at=datetime(2024, 1, 1, tzinfo=UTC),
        steps=(
            StepResult(step=fine, status="completed", wrote=True), StepResult(step=failed, status="failed", error=error)
        ),
    )  # fmt: skip
    path = book(folder, "orders")
    task = PlanOperations(question="do it", language="en", outline=await EDITOR.outline(path), rounds=(last,))
    plan: dict[str, Any] = json.loads(await planned(task, Values()))
    return plan


async def test_a_round_without_failures_leaves_nothing_to_do(tmp_path: Path) -> None:
    path = book(tmp_path, "orders")
    last = Round(
        id="r", workbook_id="w", run_id="run", plan_id="p", number=2, created_at=datetime(2024, 1, 1, tzinfo=UTC),
        steps=()
    )  # fmt: skip
    datasets, values = facts_of(path)
    outline = await EDITOR.outline(path)
    task = PlanOperations(question="sort by revenue", language="en", outline=outline, rounds=(last,), datasets=datasets)
    assert json.loads(await planned(task, values)) == {"execution_plan": [], "completed": True}


@pytest.mark.parametrize(
    ("name", "before", "say", "then"),
    [
        ("sales", "按金额降序排序", "再把前两名标黄", {"filled_rows": {"销售": [6, 8]}}),
        ("orders", "format revenue as currency", "also make it bold",
            {"bold": {"Orders": [f"E{row}" for row in range(2, 9)]}}),
        ("orders", "highlight rows where status is cancelled", "now delete them",
            {"column": {"Orders!order_id": [1001, 1003, 1004, 1005, 1004]}}),
    ],
)  # fmt: skip
async def test_a_further_wish_leaves_to_the_one_before_what_it_does_not_say(
    name: str, before: str, say: str, then: dict[str, Any], tmp_path: Path
) -> None:
    result = await done(book(tmp_path, name), say, history=[before])
    assert result.problems == [], result.plan
    _holds(result.book, then)


@pytest.mark.parametrize("say", ["sort by revenue and add a column x = revenue - cost", "按金额排序并高亮前3名"])
async def test_steps_are_described_in_the_language_of_the_wish(say: str, tmp_path: Path) -> None:
    plan = await plan_of(book(tmp_path, "orders" if say.isascii() else "sales"), say)
    words = [step["description"] for step in plan["execution_plan"]]
    assert len(words) == 2
    assert {language_of(text) for text in words} == {language_of(say)}
    assert [step["step"] for step in plan["execution_plan"]] == [1, 2]


@pytest.mark.requirement("analyst-names-what-it-could-not-read")
async def test_a_part_that_is_not_understood_is_named_with_what_is(tmp_path: Path) -> None:
    plan = await plan_of(book(tmp_path, "orders"), "sort by revenue, then add sparkle dust")
    assert plan["execution_plan"] == []
    assert "add sparkle dust" in plan["error"]
    assert "revenue" in plan["error"]


def _holds(path: Path, then: dict[str, Any]) -> None:
    state = Book(path)
    for kind, expected in then.items():
        assert KINDS[kind](state, expected) is None, (kind, KINDS[kind](state, expected))


_STORY = (
    "My colleague at the warehouse sends me this list every week and I spend far too long on it. "
    "I tried three macros from a forum, but none of them did what I had hoped for. "
    "{wish} I would be grateful for any idea, as my boss is waiting for the numbers."
)


async def test_a_long_message_is_read_by_the_sentence_that_asks(tmp_path: Path) -> None:
    wish = "How can I delete the rows where status is cancelled?"
    plan = await plan_of(book(tmp_path, "orders"), _STORY.format(wish=wish))
    steps = plan["execution_plan"]
    assert [step["function"] for step in steps] == ["delete_rows"]
    assert wish in steps[0]["description"]


async def test_of_a_long_message_that_asks_for_nothing_known_nothing_is_planned(tmp_path: Path) -> None:
    plan = await plan_of(book(tmp_path, "orders"), _STORY.format(wish="How can I make the phone calls ring longer?"))
    assert plan["execution_plan"] == []
