"""Rounds after the first: edits, rejections, failures and retries, the next batch, limits, and others who write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.support.rounds_bench import RoundsBench, plan, rounds_bench, setting
from tests.support.run_workbooks import FakeRunWorkbook

from tablewright.domain.events import (
    AnswerCompleted,
    ApprovalRequested,
    ContinueAsked,
    IntentRecognized,
    PlanProposed,
    QuestionAsked,
    RoundExecuted,
    StepStarted,
    WarningRaised,
)
from tablewright.domain.rounds.rules import RoundRules
from tablewright.domain.task import AskedPair
from tablewright.errors import WorkbookChanged

CHART = ("create_chart", {"type": "bar", "data_range": "A1:B4"})
READ = ("identify_top", {"column": "amount"})
DELETE = ("delete_rows", {"row": 4})


@pytest.fixture
def run_workbook(tmp_path: Path) -> FakeRunWorkbook:
    return FakeRunWorkbook(folder=tmp_path)


def written(steps: list[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    return {"executionPlan": [{"function": function, "parameters": parameters} for function, parameters in steps]}


async def values(run_workbook: FakeRunWorkbook) -> dict[str, Any]:
    page = await run_workbook.editor.cells(run_workbook.path(run_workbook.head), "Sales")
    return {cell.ref: cell.value for cell in page.cells}


@pytest.mark.requirement("rounds-confirmed-is-executed")
async def test_what_is_executed_is_what_the_person_made_of_the_plan(run_workbook: FakeRunWorkbook) -> None:
    bench = rounds_bench(run_workbook, plan(setting("B2", 4), setting("B3", 8), setting("B4", 7)))
    await bench.go()
    await bench.approve(written([setting("C1", "new"), setting("B3", 1), setting("B2", 4)]))
    executed = bench.took.only(RoundExecuted).round
    assert [result.step.parameters["range"] for result in executed.steps] == ["C1", "B3", "B2"]
    assert [result.step.step for result in executed.steps] == [1, 2, 3]
    cells = await values(run_workbook)
    assert (cells["B2"], cells["B3"], cells["B4"], cells["C1"]) == (4, 1, 5, "new")
    assert bench.answer.outcome == "completed"


async def test_words_against_a_plan_lead_to_another(run_workbook: FakeRunWorkbook) -> None:
    bench = rounds_bench(run_workbook, plan(DELETE), plan(setting("B2", 4)))
    await bench.go()
    took = await bench.reject("Do not delete anything.")
    (rejected,) = bench.tasks[-1].rejected
    assert rejected.words == "Do not delete anything."
    assert rejected.plan.steps[0].function == "delete_rows"
    assert "Do not delete anything." in bench.model.requests[-1].messages[-1].text
    assert took.only(PlanProposed).plan.number == 2
    assert took.only(ApprovalRequested).request_id != bench.all.of(ApprovalRequested)[0].request_id


async def test_a_plan_rejected_without_words_ends_the_run(run_workbook: FakeRunWorkbook) -> None:
    bench = rounds_bench(run_workbook, plan(DELETE))
    await bench.go()
    await bench.reject()
    assert (bench.answer.outcome, run_workbook.executions) == ("declined", 0)
    assert bench.answer.text == "The plan was rejected; nothing was changed."


@pytest.mark.requirement("rounds-rejected-with-words")
async def test_after_three_new_plans_the_run_ends_as_declined(run_workbook: FakeRunWorkbook) -> None:
    bench = rounds_bench(run_workbook, *[plan(setting("B2", number)) for number in range(4)])
    await bench.go()
    for word in ("no", "no no", "still no"):
        assert (await bench.reject(word)).of(ApprovalRequested)
    assert [len(task.rejected) for task in bench.tasks] == [0, 1, 2, 3]
    await bench.reject("never")
    assert bench.answer.outcome == "declined"
    assert bench.answer.text.startswith("No plan was the right one")


async def test_a_batch_with_a_chart_ends_the_work(run_workbook: FakeRunWorkbook) -> None:
    bench = rounds_bench(run_workbook, plan(CHART, setting("B2", 4), covers_request=False))
    await bench.go()
    await bench.approve()
    assert bench.answer.outcome == "completed"


async def test_where_the_plan_does_not_cover_the_request_the_next_batch_is_proposed(
    run_workbook: FakeRunWorkbook,
) -> None:
    bench = rounds_bench(run_workbook, plan(setting("B2", 4), covers_request=False), plan(setting("B3", 8)))
    await bench.go()
    took = await bench.approve()
    assert took.types[-1] == "continue.asked"
    assert took.only(ContinueAsked).prompt == "This batch is done; more is to be done. Go on?"
    took = await bench.approve()
    assert took.only(PlanProposed).plan.number == 3
    assert took.of(ApprovalRequested)
    assert run_workbook.executions == 1
    text = bench.model.requests[-1].messages[-1].text
    assert text.startswith(
        "Based on the COMPLETE current state, determine what additional operations are needed to fulfill the original "
        'request "Put the amounts in order".\n\nPREVIOUS PROGRESS:\nRound 2 Step 1: set_values\n\n# Task\n'
    )
    await bench.approve()
    assert [each.number for each in run_workbook.done] == [2, 3]
    assert bench.answer.text.count("done, cells changed: 1") == 2
    assert len(bench.all.of(IntentRecognized)) == 1


async def test_a_next_batch_that_only_reads_runs_at_once(run_workbook: FakeRunWorkbook) -> None:
    bench = rounds_bench(run_workbook, plan(setting("B2", 4), covers_request=False), plan(READ))
    await bench.go()
    await bench.approve()
    took = await bench.approve()
    assert took.of(PlanProposed)
    assert not took.of(ApprovalRequested)
    assert bench.answer.result is not None


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (plan(setting("B2", 9), completed=True, message="It is all done."), "It is all done.\n- Do set_values"),
        (plan(), "Done:\n- Do set_values"),
    ],
)
async def test_the_planner_may_find_that_nothing_is_left(run_workbook: FakeRunWorkbook, reply: str, text: str) -> None:
    bench = rounds_bench(run_workbook, plan(setting("B2", 4), covers_request=False), reply)
    await bench.go()
    await bench.approve()
    await bench.approve()
    assert bench.answer.text.startswith(text)
    assert (bench.answer.outcome, run_workbook.executions) == ("completed", 1)


async def test_completed_comes_before_a_question_and_a_question_before_a_plan(run_workbook: FakeRunWorkbook) -> None:
    both = plan(setting("B3", 1), need_info=True, message="Which?")
    bench = rounds_bench(run_workbook, plan(setting("B2", 4), covers_request=False), both, plan(READ))
    await bench.go()
    await bench.approve()
    assert (await bench.approve()).only(QuestionAsked).prompt == "Which?"
    await bench.say("the third")
    assert bench.tasks[-1].asked == (AskedPair(question="Which?", answer="the third"),)
    assert run_workbook.executions == 2


async def failing_bench(run_workbook: FakeRunWorkbook, *replies: str) -> RoundsBench:
    bench = rounds_bench(
        run_workbook, plan(setting("B2", 4), setting("C2", 1), ("set_fill", {"range": "A1"})), *replies
    )
    run_workbook.failing = {"set_fill": 1}
    await bench.go()
    await bench.approve()
    return bench


@pytest.mark.requirement("rounds-retry-failed-alone")
async def test_fewer_than_half_failed_steps_are_tried_again_alone_and_at_once(run_workbook: FakeRunWorkbook) -> None:
    again = [setting("B2", 4), ("set_fill", {"range": "A1", "color": "red"})]
    bench = await failing_bench(run_workbook, plan(*again))
    assert bench.took.only(ContinueAsked).prompt == "Failed steps: 1. Try them again?"
    took = await bench.approve()
    assert not took.of(ApprovalRequested)
    assert [result.step.function for result in took.only(RoundExecuted).round.steps] == ["set_fill"]
    assert took.only(PlanProposed).plan.steps[0].retries == 3
    assert bench.answer.outcome == "completed"
    assert "failed" not in bench.answer.text
    text = bench.model.requests[-1].messages[-1].text
    assert "# Failed steps" in text
    assert "No values were given." in text


async def test_something_new_beside_a_retry_is_proposed(run_workbook: FakeRunWorkbook) -> None:
    bench = await failing_bench(
        run_workbook, plan(("set_fill", {"range": "A1"}), ("set_font", {"range": "A1", "bold": True}))
    )
    took = await bench.approve()
    assert took.of(ApprovalRequested)
    assert not took.of(RoundExecuted)


@pytest.mark.requirement("rounds-consent-for-what-destroys")
async def test_a_destructive_retry_that_the_confirmation_did_not_cover_asks_again(
    run_workbook: FakeRunWorkbook,
) -> None:
    replies = plan(("clear", {"range": "A1:B4"})), plan(("clear", {"range": "A1"}))
    bench = rounds_bench(run_workbook, plan(setting("B2", 4), setting("C2", 1), ("clear", {"range": "A1"})), *replies)
    run_workbook.failing = {"clear": 2}
    await bench.go()
    await bench.approve()
    assert (await bench.approve()).of(ApprovalRequested)


async def test_a_destructive_retry_as_it_was_confirmed_runs_at_once(run_workbook: FakeRunWorkbook) -> None:
    step = ("clear", {"range": "A1"})
    bench = rounds_bench(run_workbook, plan(setting("B2", 4), setting("C2", 1), step), plan(step))
    run_workbook.failing = {"clear": 1}
    await bench.go()
    await bench.approve()
    assert (await bench.approve()).of(RoundExecuted)


@pytest.mark.parametrize("failures", [1, 2])
async def test_where_half_or_more_failed_the_run_ends(run_workbook: FakeRunWorkbook, failures: int) -> None:
    bench = rounds_bench(run_workbook, plan(CHART, READ))
    run_workbook.failing = dict.fromkeys(("create_chart", "identify_top")[:failures], 1)
    await bench.go()
    await bench.approve()
    assert bench.answer.outcome == "failed"
    assert bench.answer.text.startswith(f"Execution failed: {failures} steps failed\n")
    assert "failed. No values were given." in bench.answer.text


async def test_a_batch_that_was_rolled_back_has_failed(run_workbook: FakeRunWorkbook) -> None:
    run_workbook.roll_back = True
    bench = rounds_bench(run_workbook, plan(setting("B2", 4)))
    await bench.go()
    await bench.approve()
    assert bench.answer.outcome == "failed"
    assert "- Do set_values: undone\nThe whole batch was undone" in bench.answer.text
    assert not bench.answer.files


async def test_who_does_not_want_a_retry_keeps_what_was_done(run_workbook: FakeRunWorkbook) -> None:
    bench = await failing_bench(run_workbook)
    await bench.reject()
    assert bench.answer.outcome == "completed"
    assert bench.answer.text.startswith("Stopped here. This was done:\n- Do set_values: done")
    assert "Do set_fill: failed" in bench.answer.text
    assert bench.answer.files


@pytest.mark.requirement("rounds-limit")
async def test_the_limit_of_rounds_ends_the_run(run_workbook: FakeRunWorkbook) -> None:
    replies = [plan(setting("B2", number), covers_request=False) for number in range(3)]
    bench = rounds_bench(run_workbook, *replies, rules=RoundRules(max_rounds=3), language="zh")
    await bench.go()
    for _ in range(4):
        await bench.approve()
    assert (bench.answer.outcome, bench.answer.stopped_by) == ("limit", "max_rounds")
    assert bench.answer.text.startswith("超过最大轮数限制（3轮），任务终止")
    assert [each.number for each in run_workbook.done] == [2, 3]


async def test_older_rounds_are_told_in_a_line_each(run_workbook: FakeRunWorkbook) -> None:
    steps = [plan(setting("B2", number), READ, covers_request=False) for number in range(4)]
    bench = rounds_bench(run_workbook, *steps, plan(), rules=RoundRules(max_history_rounds=2))
    await bench.go()
    for _ in range(8):
        await bench.approve()
    progress = bench.model.requests[-1].messages[-1].text.split("PREVIOUS PROGRESS:\n")[1].split("\n\n")[0]
    assert progress.splitlines() == [
        "Round 2: 2 steps (set_values, identify_top), 0 failed",
        "Round 3: 2 steps (set_values, identify_top), 0 failed",
        "Round 4 Step 1: set_values",
        "Round 4 Step 2: identify_top",
        "Round 5 Step 1: set_values",
        "Round 5 Step 2: identify_top",
    ]


async def test_a_workbook_that_somebody_changed_is_read_again_and_the_plan_made_anew(
    run_workbook: FakeRunWorkbook,
) -> None:
    bench = rounds_bench(run_workbook, plan(setting("B2", 4)), plan(setting("B2", 5)))
    await bench.go()
    run_workbook.somebody_writes()
    took = await bench.approve()
    assert took.only(WarningRaised).code == "rounds.outdated"
    assert took.only(PlanProposed).plan.base_version == 2
    assert took.types[-1] == "approval.requested"
    assert {status for _, status in took.statuses} == {"interrupted"}
    await bench.approve()
    assert (await values(run_workbook))["B2"] == 5


async def test_a_workbook_that_changes_time_and_again_ends_the_run(run_workbook: FakeRunWorkbook) -> None:
    bench = rounds_bench(run_workbook, *[plan(setting("B2", 4))] * 3, rules=RoundRules(max_outdated=2))
    await bench.go()
    for _ in range(2):
        run_workbook.somebody_writes()
        await bench.approve()
    run_workbook.somebody_writes()
    with pytest.raises(WorkbookChanged):
        await bench.approve()


async def test_own_edits_that_the_person_has_seen_are_no_reason_to_plan_anew(run_workbook: FakeRunWorkbook) -> None:
    bench = rounds_bench(run_workbook, plan(setting("B2", 4)))
    await bench.go()
    run_workbook.somebody_writes()
    await bench.approve(base_version=2)
    assert bench.answer.outcome == "completed"


async def test_a_plan_executed_before_a_crash_is_not_executed_again(run_workbook: FakeRunWorkbook) -> None:
    bench = rounds_bench(run_workbook, plan(setting("B2", 4)))
    took = await bench.go()
    proposed = took.only(PlanProposed)
    await run_workbook.execute(proposed.plan, plan_id=proposed.request_id)
    await bench.approve()
    assert (run_workbook.executions, run_workbook.head) == (1, 2)
    assert bench.all.only(RoundExecuted).round.id == "round-1"
    assert bench.all.only(AnswerCompleted).answer.outcome == "completed"


async def test_all_steps_are_announced_each_starts_in_its_turn_and_all_finish_together(
    run_workbook: FakeRunWorkbook,
) -> None:
    bench = rounds_bench(run_workbook, plan(setting("B2", 4), READ))
    await bench.go()
    took = await bench.approve()
    assert took.types[:3] == ["step.announced", "step.started", "step.finished"]
    assert len(took.of(StepStarted)) == 2
