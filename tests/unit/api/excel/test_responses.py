"""What became of a request, in the words of the wire."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from tablewright.api.excel.outcome import stretch_of
from tablewright.api.excel.responses import CELLS_TOLD, About, response_to, rounds_over
from tablewright.api.schemas.excel import wire
from tablewright.domain.answer import Answer, NumberSource, Outcome
from tablewright.domain.cells import CellChange, SheetChanges
from tablewright.domain.events import (
    AnswerCompleted,
    ApprovalRequested,
    ContinueAsked,
    Event,
    EventBody,
    IntentRecognized,
    PlanProposed,
    QuestionAsked,
    RoundExecuted,
    RunFinished,
    WarningRaised,
)
from tablewright.domain.language import Language
from tablewright.domain.notice import Notice
from tablewright.domain.rounds.plan import OperationPlan, PlanStep
from tablewright.domain.rounds.round import Round, StepResult
from tablewright.domain.run import RunFailure
from tablewright.domain.table import Table

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def about(*, language: Language = "en", continuation: bool = False, previous: int = 1) -> About:
    return About(
        language=language,
        channel_id="c1",
        request_id="own",
        continuation=continuation,
        previous_rounds=previous,
        workbook_id="w1",
        version=3,
    )


def told(*bodies: EventBody, about_it: About | None = None) -> dict[str, Any]:
    events = [Event(run_id="r", seq=place, at=NOW, body=body) for place, body in enumerate(bodies, 1)]
    response: dict[str, Any] = json.loads(wire(response_to(stretch_of(events), about_it or about())))
    return response


def step(number: int = 1, function: str = "sort_rows", **parameters: Any) -> PlanStep:
    return PlanStep(step=number, function=function, parameters=parameters, description=f"step {number}")


def planned(*steps: PlanStep, problems: tuple[tuple[Notice, ...], ...] = ()) -> tuple[EventBody, ...]:
    plan = OperationPlan(steps=steps, base_version=3, data_scope="range", problems=problems)
    return (
        IntentRecognized(intent="operation"),
        PlanProposed(request_id="p1", plan=plan),
        ApprovalRequested(request_id="p1", prompt="Execute it?", subject_kind="operation_plan", subject_ref="p1"),
    )


def executed(*results: StepResult, number: int = 2, **more: Any) -> RoundExecuted:
    made = Round(
        id="round-1", workbook_id="w1", run_id="r", plan_id="p1", number=number, steps=results, created_at=NOW, **more
    )
    return RoundExecuted(round=made)


def done(number: int = 1, function: str = "sort_rows", *, wrote: bool = True, **more: Any) -> StepResult:
    return StepResult(step=step(number, function), status="completed", wrote=wrote, **more)


def broken(number: int = 1) -> StepResult:
    error = Notice(code="sheet_missing", params={"id": "Q", "known": "S"})
    return StepResult(step=step(number), status="failed", error=error)


def ended(text: str = "Done.", outcome: Outcome = "completed") -> tuple[EventBody, ...]:
    return AnswerCompleted(answer=Answer(text=text, outcome=outcome)), RunFinished(outcome=outcome)


@pytest.mark.requirement("excel-conversation")
def test_talk_is_answered_without_any_plan() -> None:
    response = told(IntentRecognized(intent="conversation"), *ended("Hello!"))
    assert response == {
        "success": True,
        "message": "Hello!",
        "requestId": "own",
        "isContinuation": False,
        "totalRounds": 1,
        "multiRoundResult": {
            "continueNeeded": False, "completed": True, "requiresUpdatedData": False, "dataScope": "analysis",
        },
        "channelId": "c1",
        "workbookId": "w1",
        "version": 3,
    }  # fmt: skip


@pytest.mark.requirement("excel-first-round-plans-only")
def test_a_plan_waits_to_be_confirmed_under_its_own_id() -> None:
    response = told(*planned(step(1, "create_chart", data_range="A1:B9", title=None)))
    assert response["requestId"] == "p1"
    assert response["executionPlan"] == [
        {"step": 1, "function": "create_chart", "parameters": {"data_range": "A1:B9", "title": None},
         "description": "step 1"}
    ]  # fmt: skip
    assert response["multiRoundResult"] == {
        "continueNeeded": True, "completed": False, "requiresUpdatedData": False, "dataScope": "range",
    }  # fmt: skip
    assert (response["isContinuation"], response["totalRounds"]) == (False, 1)


def test_what_is_wrong_with_a_step_is_told_before_anything_is_executed() -> None:
    wrong = Notice(code="sheet_missing", params={"id": "Q", "known": "S"})
    response = told(*planned(step(1), step(2), problems=((), (wrong,))))
    assert "problems" not in response["executionPlan"][0]
    assert "Q" in response["executionPlan"][1]["problems"][0]


@pytest.mark.requirement("excel-empty-plan")
def test_nothing_to_do_is_an_empty_plan_and_no_error() -> None:
    response = told(IntentRecognized(intent="operation"), *ended("There is nothing to do."))
    assert (response["success"], response["executionPlan"]) == (True, [])
    assert response["multiRoundResult"]["completed"]
    assert not response["multiRoundResult"]["continueNeeded"]


def test_in_a_later_round_nothing_left_to_do_is_done_without_batches() -> None:
    response = told(*ended(), about_it=about(continuation=True, previous=2))
    assert "executionPlan" not in response
    assert "executedBatches" not in response["multiRoundResult"]
    assert response["multiRoundResult"]["completed"]
    assert (response["isContinuation"], response["totalRounds"]) == (True, 3)


@pytest.mark.requirement("excel-executed-batch")
def test_an_executed_batch_is_told_with_its_steps_changes_and_scope() -> None:
    change = SheetChanges(sheet="S", range="A1", cells=(CellChange(ref="A1", before=None, after=2),))
    found = Table(columns=("a",), rows=((1,),), total_rows=1)
    event = executed(
        done(1, "identify_top", wrote=False, result=found), done(2), version=4, data_scope="data_modification",
        changes=(change,),
    )  # fmt: skip
    response = told(event, *ended("All done."), about_it=about(continuation=True))
    assert response["multiRoundResult"] == {
        "continueNeeded": False, "completed": True, "requiresUpdatedData": True, "dataScope": "data_modification",
        "executedBatches": [{"batchId": 2, "steps": [
            {"description": "step 1", "function": "identify_top", "parameters": {}, "status": "completed",
             "result": {"columns": ["a"], "rows": [[1]], "totalRows": 1}},
            {"description": "step 2", "function": "sort_rows", "parameters": {}, "status": "completed"},
        ]}],
    }  # fmt: skip
    assert response["changes"] == [
        {"sheet": "S", "range": "A1", "cells": [{"ref": "A1", "before": None, "after": 2}], "truncated": False}
    ]
    assert (response["requestId"], response["totalRounds"], response["message"]) == ("round-1", 2, "All done.")


def test_a_batch_that_only_read_needs_no_refresh() -> None:
    response = told(executed(done(wrote=False)), *ended(), about_it=about(continuation=True))
    assert not response["multiRoundResult"]["requiresUpdatedData"]


def test_more_to_do_after_a_batch_is_asked_for() -> None:
    ask = ContinueAsked(request_id="q", prompt="Go on?")
    result = told(executed(done()), ask, about_it=about(continuation=True))["multiRoundResult"]
    assert (result["completed"], result["continueNeeded"]) == (False, True)


@pytest.mark.requirement("excel-few-failures-are-retried")
def test_fewer_than_half_failed_is_told_and_tried_again() -> None:
    event = executed(done(1), done(2), broken(3))
    response = told(event, ContinueAsked(request_id="q", prompt="?"), about_it=about(continuation=True, language="zh"))
    result = response["multiRoundResult"]
    assert (response["success"], "error" in response) == (True, False)
    assert result["error"] == "执行失败: 1 steps failed"
    assert (result["completed"], result["continueNeeded"], result["requiresUpdatedData"]) == (False, True, True)
    assert [one["status"] for one in result["executedBatches"][0]["steps"]] == ["completed", "completed", "failed"]
    assert "Q" in result["executedBatches"][0]["steps"][2]["error"]


@pytest.mark.requirement("excel-half-failed-ends")
def test_half_or_more_failed_ends_without_success() -> None:
    response = told(executed(done(1), broken(2)), *ended(), about_it=about(continuation=True))
    result = response["multiRoundResult"]
    assert (response["success"], response["error"]) == (False, "Execution failed: 1 steps failed")
    assert (result["completed"], result["continueNeeded"], result["requiresUpdatedData"]) == (False, False, True)
    assert len(result["executedBatches"][0]["steps"]) == 2


def test_where_nothing_succeeded_no_batch_is_told() -> None:
    response = told(executed(broken(1), broken(2)), *ended(), about_it=about(continuation=True))
    assert response["multiRoundResult"]["executedBatches"] == []
    assert not response["multiRoundResult"]["requiresUpdatedData"]
    assert response["error"] == "Execution failed: 2 steps failed"


def test_a_batch_that_was_undone_for_its_errors_changed_nothing() -> None:
    warned = Notice(code="not_recalculated", params={"cause": "x"})
    response = told(executed(done(), rolled_back=True, warnings=(warned,)), *ended(), about_it=about(continuation=True))
    assert not response["success"]
    assert response["multiRoundResult"]["executedBatches"] == []
    assert len(response["warnings"]) == 1


@pytest.mark.requirement("excel-question")
def test_a_question_is_asked_by_its_words_and_id() -> None:
    response = told(QuestionAsked(request_id="q1", prompt="Which column?"), about_it=about(continuation=True))
    assert (response["needInfo"], response["message"], response["requestId"]) == (True, "Which column?", "q1")
    result = response["multiRoundResult"]
    assert (response["success"], result["completed"], result["continueNeeded"]) == (True, False, False)


def test_the_options_of_a_question_are_told_with_their_numbers() -> None:
    response = told(QuestionAsked(request_id="q1", prompt="Which is meant?", options=("by order: 3", "by ship: 4")))
    assert response["message"] == "Which is meant?\n1. by order: 3\n2. by ship: 4"


def test_in_a_first_round_a_question_is_no_plan_and_may_be_answered_all_the_same() -> None:
    response = told(IntentRecognized(intent="operation"), QuestionAsked(request_id="q1", prompt="Which column?"))
    assert (response["executionPlan"], response["message"], response["requestId"]) == ([], "Which column?", "q1")
    assert "needInfo" not in response
    assert response["multiRoundResult"]["completed"]


@pytest.mark.requirement("excel-failing-model")
@pytest.mark.parametrize(("language", "words"), [("zh", "服务调用失败: "), ("en", "The service failed: ")])
def test_a_model_that_fails_is_told_with_its_cause(language: Language, words: str) -> None:
    failure = RunFailure(code="model_timeout", params={"model": "m:x"})
    response = told(RunFinished(outcome="failed", failure=failure), about_it=about(language=language))
    assert not response["success"]
    assert response["error"].startswith(words)
    assert "m:x" in response["error"]


def test_a_refusal_says_why() -> None:
    response = told(*ended("I do not know that column.", "declined"))
    assert (response["success"], response["error"]) == (False, "I do not know that column.")


def test_a_stopped_run_is_no_success() -> None:
    response = told(RunFinished(outcome="cancelled"))
    assert not response["success"]
    assert response["error"]


@pytest.mark.requirement("excel-limit-of-rounds")
def test_the_limit_of_rounds_is_told_in_its_words() -> None:
    response = json.loads(wire(rounds_over(10, about(language="zh", continuation=True, previous=10))))
    assert (response["success"], response["error"]) == (False, "超过最大轮数限制（10轮），任务终止")
    assert not response["multiRoundResult"]["completed"]
    assert not response["multiRoundResult"]["continueNeeded"]


def test_warnings_are_told_in_the_language_of_the_request() -> None:
    warning = WarningRaised(code="loss_signature", params={})
    assert told(warning, *ended(), about_it=about(language="zh"))["warnings"][0].startswith("文件")


def test_changed_cells_are_capped_and_said_to_be() -> None:
    def column(sheet: str, count: int) -> SheetChanges:
        cells = tuple(CellChange(ref=f"A{row}", before=row, after=None) for row in range(1, count + 1))
        return SheetChanges(sheet=sheet, range=f"A1:A{count}", cells=cells)

    changes: Sequence[SheetChanges] = (column("S", CELLS_TOLD - 10), column("T", 50))
    response = told(executed(done(), changes=tuple(changes)), *ended(), about_it=about(continuation=True))
    assert [(one["truncated"], len(one["cells"])) for one in response["changes"]] == [(False, 490), (True, 10)]
    assert response["changes"][0]["cells"][0] == {"ref": "A1", "before": 1, "after": None}


def test_numbers_that_no_step_has_put_out_are_told_as_a_warning() -> None:
    source = NumberSource(value=42, start=10, end=12)
    answer = Answer(text="There are 42 pens.", outcome="completed", sources=(source,))
    response = told(
        IntentRecognized(intent="conversation"), AnswerCompleted(answer=answer), RunFinished(outcome="completed")
    )
    assert response["message"] == "There are 42 pens."
    assert ["42" in warning for warning in response["warnings"]] == [True]
