"""The first round: a plan is made and shown, and nothing is executed before it was confirmed."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.rounds_bench import plan, rounds_bench, setting
from tests.support.run_workbooks import FakeRunWorkbook

from tablewright.domain.events import (
    ApprovalRequested,
    ContinueAsked,
    IntentRecognized,
    PlanProposed,
    QuestionAsked,
    RoundExecuted,
    WarningRaised,
    WorkbookCommitted,
)
from tablewright.domain.notice import Notice
from tablewright.domain.table import Table
from tablewright.domain.task import AskedPair
from tablewright.errors import ModelUnreachable, PlanUnreadable
from tablewright.models.base import ThinkingPiece
from tablewright.models.scripted import Fail, Reply
from tablewright.texts.errors import describe


@pytest.fixture
def run_workbook(tmp_path: Path) -> FakeRunWorkbook:
    return FakeRunWorkbook(folder=tmp_path)


@pytest.mark.requirement("rounds-nothing-before-consent")
async def test_a_plan_is_proposed_confirmed_executed_and_answered(run_workbook: FakeRunWorkbook) -> None:
    bench = rounds_bench(run_workbook, plan(setting("B2", 4), ("identify_top", {"column": "amount"})))
    first = await bench.go()
    assert first.types == ["intent.recognized", "plan.proposed", "approval.requested"]
    proposed, asked = first.only(PlanProposed), first.only(ApprovalRequested)
    assert proposed.request_id == asked.request_id == asked.subject_ref
    assert asked.subject_kind == "operation_plan"
    assert "1. Do set_values (set_values)" in asked.prompt
    assert (proposed.plan.number, proposed.plan.base_version, proposed.plan.data_scope) == (2, 1, "range")
    assert (run_workbook.executions, run_workbook.head) == (0, 1)
    second = await bench.approve()
    assert second.types[:2] == ["step.announced", "step.started"]
    assert second.statuses == [("Do set_values", "ok"), ("Do identify_top", "ok")]
    executed = second.only(RoundExecuted).round
    assert (executed.plan_id, executed.number, executed.version) == (proposed.request_id, 2, 2)
    assert second.only(WorkbookCommitted).request_id == executed.id
    assert second.types.index("workbook.committed") < second.types.index("round.executed")
    assert bench.answer.text == ("Done:\n- Do set_values: done, cells changed: 1\n- Do identify_top: 1")
    assert bench.answer.result == Table(columns=("identify_top",), rows=((1,),), total_rows=1)
    assert [file.name for file in bench.answer.files] == ["sales.xlsx"]
    assert len(bench.model.requests) == 1


async def test_small_talk_is_answered_without_a_plan(run_workbook: FakeRunWorkbook) -> None:
    bench = rounds_bench(run_workbook, '{"isConversational": true, "response": "Hello there."}')
    took = await bench.go()
    assert took.only(IntentRecognized).intent == "conversation"
    assert (bench.answer.text, bench.answer.outcome, bench.answer.files) == ("Hello there.", "completed", ())
    assert not took.of(PlanProposed)


async def test_a_plan_that_only_reads_is_an_analysis_and_is_confirmed_too(run_workbook: FakeRunWorkbook) -> None:
    bench = rounds_bench(run_workbook, plan(("describe", {})))
    took = await bench.go()
    assert took.only(IntentRecognized).intent == "analysis"
    await bench.approve()
    assert run_workbook.head == 1
    assert not bench.answer.files


@pytest.mark.parametrize("written", ['{"execution_plan": []}', '{"message": "All is well."}'])
async def test_without_steps_there_is_nothing_to_do(run_workbook: FakeRunWorkbook, written: str) -> None:
    bench = rounds_bench(run_workbook, written)
    await bench.go()
    assert bench.answer.outcome == "completed"
    assert bench.answer.text in {"There is nothing to do in the workbook.", "All is well."}


async def test_completed_and_a_question_beside_a_first_plan_are_ignored(run_workbook: FakeRunWorkbook) -> None:
    bench = rounds_bench(run_workbook, plan(setting("B2", 4), completed=True, need_info=True, message="?"))
    assert (await bench.go()).of(ApprovalRequested)


async def test_an_error_of_the_planner_is_told(run_workbook: FakeRunWorkbook) -> None:
    bench = rounds_bench(run_workbook, plan(setting("B2", 4), error="There is no such column."))
    await bench.go()
    assert (bench.answer.outcome, bench.answer.text) == ("declined", "There is no such column.")
    assert run_workbook.executions == 0


async def test_what_is_missing_is_asked_and_the_answer_leads_to_a_plan(run_workbook: FakeRunWorkbook) -> None:
    bench = rounds_bench(run_workbook, '{"needInfo": true, "message": "Which column?"}', plan(setting("B2", 4)))
    took = await bench.go()
    assert took.only(QuestionAsked).prompt == "Which column?"
    await bench.say("amount")
    assert bench.tasks[-1].asked == (AskedPair(question="Which column?", answer="amount"),)
    assert bench.took.of(ApprovalRequested)
    assert not bench.took.of(IntentRecognized)


async def test_losses_are_told_once_before_the_first_plan_that_writes(run_workbook: FakeRunWorkbook) -> None:
    run_workbook.loses = (Notice(code="loss_signature", params={}),)
    bench = rounds_bench(run_workbook, plan(setting("B2", 4)), plan(setting("B2", 5)))
    took = await bench.go()
    assert took.types.index("warning.raised") < took.types.index("plan.proposed")
    await bench.reject("five")
    assert [warning.code for warning in bench.all.of(WarningRaised)] == ["loss_signature"]


async def test_what_cannot_be_read_is_written_once_more(run_workbook: FakeRunWorkbook) -> None:
    bench = rounds_bench(run_workbook, "Let me think…", plan(setting("B2", 4)))
    took = await bench.go()
    assert took.of(ApprovalRequested)
    assert bench.tasks[0].unreadable is None
    assert bench.tasks[1].unreadable == "there is no JSON object of a plan in it"
    assert "could not be read as a plan" in bench.model.requests[1].messages[-1].text


async def test_what_cannot_be_read_twice_ends_the_run_clearly(run_workbook: FakeRunWorkbook) -> None:
    cut = plan(setting("B2", 4))[:-20]
    bench = rounds_bench(run_workbook, cut, cut)
    with pytest.raises(PlanUnreadable) as unreadable:
        await bench.go()
    assert "its JSON was cut off" in describe(unreadable.value, "en")
    assert "中断" in describe(unreadable.value, "zh")
    assert run_workbook.executions == 0


async def test_a_failing_model_ends_the_run(run_workbook: FakeRunWorkbook) -> None:
    bench = rounds_bench(run_workbook, Reply.of(Fail(error=ModelUnreachable("gone", model="m"))))
    with pytest.raises(ModelUnreachable):
        await bench.go()


async def test_thinking_is_streamed_and_the_written_plan_is_not(run_workbook: FakeRunWorkbook) -> None:
    bench = rounds_bench(run_workbook, Reply.of(ThinkingPiece(text="Hm."), plan(setting("B2", 4))))
    took = await bench.go()
    assert took.types[0] == "thinking.delta"
    assert "text.delta" not in took.types


async def test_problems_stand_beside_their_steps(run_workbook: FakeRunWorkbook) -> None:
    bench = rounds_bench(run_workbook, plan(setting("B2", 4), ("insert_rows", {"row": 0}), ("fly", {})))
    took = await bench.go()
    problems = took.only(PlanProposed).plan.problems
    assert [[notice.code for notice in each] for each in problems] == [[], ["parameter_unfit"], ["operation_unknown"]]
    assert "cannot be done as it stands: There is no operation “fly”." in took.only(ApprovalRequested).prompt


async def test_a_plan_without_a_possible_step_goes_back_once(run_workbook: FakeRunWorkbook) -> None:
    bench = rounds_bench(run_workbook, plan(("fly", {})), plan(("soar", {})))
    took = await bench.go()
    assert bench.tasks[1].impossible is not None
    assert "There is no operation “fly”." in bench.model.requests[1].messages[-1].text
    assert took.only(PlanProposed).plan.steps[0].function == "soar"
    await bench.approve()
    assert bench.answer.outcome == "failed"
    assert not bench.all.of(ContinueAsked)


async def test_without_a_workbook_one_is_asked_for() -> None:
    bench = rounds_bench(None)
    await bench.go()
    assert bench.answer.outcome == "declined"
    assert "a workbook is needed" in bench.answer.text
