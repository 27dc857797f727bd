"""Whatever a model writes and a person answers: nothing that writes is executed without consent, and every run ends."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.rounds_bench import RoundsBench, plan, rounds_bench, setting
from tests.support.run_workbooks import FakeRunWorkbook

from tablewright.domain.events import AnswerCompleted, ApprovalRequested, PlanProposed
from tablewright.domain.rounds.plan import PlanStep
from tablewright.domain.rounds.rules import RoundRules, reads
from tablewright.domain.run import RequestAnswer
from tablewright.errors import ModelRejected, PlanUnreadable, WorkbookChanged

STEPS = st.sampled_from(
    [
        setting("B2", 4),
        setting("C1", "x"),
        ("identify_top", {"column": "amount"}),
        ("delete_rows", {"row": 3}),
        ("clear", {"range": "A1"}),
        ("clear", {"range": "A1:B9"}),
        ("create_chart", {"type": "bar"}),
        ("run_python", {"code": "result = df"}),
        ("fly", {}),
        ("insert_rows", {"row": 0}),
    ]
)
FLAGS = st.fixed_dictionaries(
    {},
    optional={
        "completed": st.booleans(),
        "need_info": st.booleans(),
        "message": st.sampled_from(["", "Which?"]),
        "error": st.sampled_from(["", "No."]),
        "is_conversational": st.booleans(),
        "covers_request": st.booleans(),
    },
)
WRITTEN = st.builds(lambda steps, flags: plan(*steps, **flags), st.lists(STEPS, max_size=4), FLAGS)
REPLIES = st.lists(WRITTEN | st.sampled_from(["", "{", plan(setting("B2", 1))[:-9]]), min_size=1, max_size=12)
EDITED = st.lists(STEPS.filter(lambda step: step[0] not in {"fly", "insert_rows"}), min_size=1, max_size=3).map(
    lambda steps: {"steps": [{"function": function, "parameters": parameters} for function, parameters in steps]}
)
ANSWERS = st.one_of(
    st.just(RequestAnswer(decision="approve")),
    st.builds(lambda edited: RequestAnswer(decision="approve", plan=edited), EDITED),
    st.builds(lambda words: RequestAnswer(decision="reject", text=words), st.sampled_from([None, "no", "other"])),
    st.builds(lambda words: RequestAnswer(decision="answer", text=words), st.sampled_from(["amount", ""])),
)
FAILING = st.dictionaries(st.sampled_from(["clear", "create_chart", "run_python", "identify_top"]), st.integers(0, 3))


@pytest.mark.requirement("rounds-consent-for-what-destroys")
@settings(max_examples=150, deadline=None)
@given(REPLIES, st.lists(ANSWERS, max_size=14), FAILING, st.sets(st.integers(0, 6)))
def test_nothing_that_writes_runs_without_consent_and_every_run_ends(
    replies: list[str], answers: list[RequestAnswer], failing: dict[str, int], writers: set[int]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(played(Path(folder), replies, answers, failing, writers))


async def played(
    folder: Path, replies: list[str], answers: list[RequestAnswer], failing: dict[str, int], writers: set[int]
) -> None:
    run_workbook = FakeRunWorkbook(folder=folder, failing=failing)
    bench = rounds_bench(run_workbook, *replies, rules=RoundRules(max_rounds=5, max_new_plans=2))
    consented: list[PlanStep] = []
    try:
        await bench.go()
        for number, answer in enumerate(answers):
            if bench.all.of(AnswerCompleted):
                break
            consented.extend(consent(bench, answer))
            if number in writers:
                run_workbook.somebody_writes()
            await bench.go(answer)
    except (PlanUnreadable, ModelRejected, WorkbookChanged):  # the last where it changed too often
        pass
    assert len(bench.all.of(AnswerCompleted)) <= 1
    assert all(2 <= each.number <= 5 for each in run_workbook.done)
    assert len({each.plan_id for each in run_workbook.done}) == run_workbook.executions == len(run_workbook.done)
    for step in (result.step for each in run_workbook.done for result in each.steps):
        assert reads(step) or covered(step, consented), step


def consent(bench: RoundsBench, answer: RequestAnswer) -> list[PlanStep]:
    """Return the steps that the person agrees to."""
    if answer.decision != "approve" or not isinstance(bench.asks, ApprovalRequested):
        return []
    if answer.plan is not None:
        edited: list[dict[str, Any]] = answer.plan["steps"]
        return [PlanStep(step=1, function=step["function"], parameters=step["parameters"]) for step in edited]
    return list(bench.all.of(PlanProposed)[-1].plan.steps)


def covered(step: PlanStep, consented: list[PlanStep]) -> bool:
    """Whether the person agreed to just this step, or to one of the same function that can destroy nothing."""
    same = [other for other in consented if other.function == step.function]
    if step.function in {"delete_rows", "clear", "run_python", "fly"}:
        return any(dict(other.parameters) == dict(step.parameters) for other in same)
    return bool(same)
