"""Plans in the terminal: shown, agreed to, edited, rejected with words."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from typing import Any, cast

import pytest

from tablewright.cli.clients.base import Client
from tablewright.cli.follower import asking_person, follow
from tablewright.cli.plan_review import decide, edited, plan_json
from tablewright.cli.show.plans import change_lines, plan_lines, round_lines
from tablewright.cli.show.screens import NoScreen
from tablewright.domain.cells import CellChange, SheetChanges
from tablewright.domain.events import (
    ApprovalRequested,
    ContinueAsked,
    Event,
    EventBody,
    PlanProposed,
    RoundExecuted,
    RunFinished,
)
from tablewright.domain.notice import Notice
from tablewright.domain.rounds.plan import OperationPlan, PlanStep
from tablewright.domain.rounds.round import Round, StepResult
from tablewright.domain.run import RequestAnswer
from tablewright.errors import PlanInvalid

SORT = PlanStep(step=1, function="sort_rows", parameters={"by": [{"column": "金额"}]}, description="按金额\x1b[2J排序")
FILL = PlanStep(step=2, function="set_fill", parameters={"range": "A1:C3", "color": None}, description="Colour")
PLAN = OperationPlan(steps=(SORT, FILL), base_version=1)
BROKEN = Notice(code="column_unknown", params={"sheet": "S", "column": "金额", "known": "Amount"})


def said(*lines: str) -> Iterator[str]:
    return iter(lines)


def test_a_plan_is_shown_with_words_functions_and_problems() -> None:
    lines = [line.plain for line in plan_lines(PLAN.steps, ((BROKEN,), ()), "en")]
    assert lines == [
        "Plan (2 steps):",
        "  1. 按金额排序",
        '     sort_rows by=[{"column": "金额"}]',
        "     ! The sheet “S” has no column “金额” (there are: Amount).",
        "  2. Colour",
        "     set_fill range=A1:C3",
    ]


def test_a_round_says_per_step_what_was_done_or_why_not() -> None:
    executed = Round(
        id="r", workbook_id="w", run_id="run", plan_id="p", number=2, created_at=datetime(2026, 1, 1, tzinfo=UTC),
        steps=(
            StepResult(step=SORT, status="completed", cells_changed=7),
            StepResult(step=FILL, status="failed", error=BROKEN),
        ),
        rolled_back=True,
    )  # fmt: skip
    lines = [line.plain for line in round_lines(executed, "zh")]
    assert lines[0] == "  ✓ 1. 按金额排序 · 更改了 7 个单元格"
    assert lines[1] == "  ✗ 2. Colour"
    assert "Amount" in lines[2]
    assert "没有保留" in lines[3]


def test_changed_cells_are_shown_before_and_after_up_to_a_bound() -> None:
    cells = tuple(CellChange(ref=f"B{row}", before=row, after=None) for row in range(1, 51))
    changes = SheetChanges(sheet="S", range="B1:B50", cells=cells)
    lines = [line.plain for line in change_lines([changes], "en", most=2)]
    assert lines == ["S · B1:B50", "  B1  1 → (empty)", "  B2  2 → (empty)", "  … 48 more cells"]
    assert "\x1b" not in "".join(
        line.plain
        for line in change_lines(
            [SheetChanges(sheet="S", range="A1", cells=(CellChange(ref="A1", before=None, after="\x1b[2J"),))], "en"
        )
    )


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["", "y"], RequestAnswer(decision="approve")),
        (["确认"], RequestAnswer(decision="approve")),
        (["N"], RequestAnswer(decision="reject")),
        (["只要前五名"], RequestAnswer(decision="reject", text="只要前五名")),
    ],
)
def test_yes_no_and_words_are_told_apart(lines: list[str], expected: RequestAnswer) -> None:
    given = said(*lines)
    assert decide(PLAN.steps, "en", lambda _prompt: next(given)) == expected


def test_an_edited_plan_is_sent_with_its_steps_in_their_new_order() -> None:
    def edit(content: str) -> str:
        plan = json.loads(content)
        assert plan == plan_json(PLAN.steps)
        plan["execution_plan"].reverse()
        return json.dumps(plan)

    answer = decide(PLAN.steps, "en", lambda _prompt: "e", edit)
    assert answer.decision == "approve"
    assert answer.plan is not None
    steps = answer.plan["execution_plan"]
    assert [(step["step"], step["function"]) for step in steps] == [(1, "set_fill"), (2, "sort_rows")]


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"execution_plan": []}', '{"execution_plan": [{"step": 1}]}'])
def test_what_no_longer_reads_as_a_plan_is_asked_again(content: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match=r"execution_plan|Expecting"):
        edited(PLAN.steps, lambda _content: content)
    given = said("e", "n")
    assert decide(PLAN.steps, "en", lambda _prompt: next(given), lambda _content: content).decision == "reject"
    assert "does not read as a plan" in capsys.readouterr().out


class Told:
    """A client whose run proposes a plan; the first edited one is refused."""

    def __init__(self) -> None:
        self.answers: list[tuple[str, RequestAnswer]] = []

    async def follow(self, run_id: str) -> AsyncIterator[Event]:
        done = Round(
            id="r", workbook_id="w", run_id=run_id, plan_id="p", number=2, steps=(), version=2,
            created_at=datetime(2026, 1, 1, tzinfo=UTC),
        )  # fmt: skip
        bodies: tuple[EventBody, ...] = (
            PlanProposed(request_id="p", plan=PLAN),
            ApprovalRequested(request_id="p", prompt="Do it?", subject_kind="operation_plan"),
            RoundExecuted(round=done),
            ContinueAsked(request_id="c", prompt="Again?"),
            RunFinished(outcome="completed"),
        )
        for seq, body in enumerate(bodies, 1):
            yield Event(run_id=run_id, seq=seq, at=datetime(2026, 1, 1, tzinfo=UTC), body=body)

    async def answer(self, _run_id: str, request_id: str, answer: RequestAnswer) -> None:
        if answer.plan is not None:
            raise PlanInvalid(step=1, function="sort_rows", problem="no such column")
        self.answers.append((request_id, answer))


async def test_a_refused_plan_is_asked_about_again_and_going_on_is_a_yes_or_no(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", "true")
    given = said("e", "y", "n")
    told = Told()
    followed = await follow(cast(Client, told), "run", NoScreen(), asking_person("en", lambda _prompt: next(given)))
    assert told.answers == [("p", RequestAnswer(decision="approve")), ("c", RequestAnswer(decision="reject"))]
    assert "no such column" in capsys.readouterr().out
    assert followed.plan == PLAN
    assert [executed.version for executed in followed.rounds] == [2]


async def test_when_nobody_is_there_the_plan_is_returned() -> None:
    followed = await follow(cast(Client, Told()), "run", NoScreen())
    assert (followed.waiting, followed.plan, followed.rounds) == ("Do it?", PLAN, ())


def test_parameters_keep_any_json(capsys: pytest.CaptureFixture[str]) -> None:
    odd: dict[str, Any] = {"values": [[1, None, "x"]], "range": "A1"}
    step = PlanStep(step=1, function="set_values", parameters=odd)
    assert edited([step], lambda content: content)["execution_plan"][0]["parameters"] == odd
    assert capsys.readouterr().out == ""
