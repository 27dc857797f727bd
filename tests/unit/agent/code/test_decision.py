"""What follows a turn of the model."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.agent.code.decision import AskPerson, CallTools, Conclude, Finish, GoOn, RejectTurn, Repair, decide
from tablewright.agent.code.turn import TurnRecord
from tablewright.agent.steps import CodeStep, StepRecord
from tablewright.domain.message import Message
from tablewright.domain.task import StepFacts
from tablewright.models.base import ToolCalled
from tablewright.models.control import ASK_USER, DECLINE
from tablewright.models.dialogue import DEFAULT_TAGS
from tablewright.sandbox.base import ErrorOutput


def record(name: str = "Load", *, failed: bool = False) -> StepRecord:
    error = ErrorOutput(name="KeyError", message="'x'", traceback="") if failed else None
    facts = StepFacts(name=name, code="1", text="", error="KeyError: 'x'" if failed else None)
    return StepRecord(step=CodeStep(id=name, name=name, code="1"), facts=facts, digest="", error=error)


def turn(*records: StepRecord, **more: Any) -> TurnRecord:
    given: dict[str, Any] = {"words": "", "conclusion": "", "calls": (), "out_of_steps": False, **more}
    return TurnRecord(message=Message(role="assistant", parts=()), records=records, **given)


def call(name: str) -> ToolCalled:
    return ToolCalled(call_id="c", name=name, arguments={})


FAILED = record(failed=True)
ASK, DECLINED, LOOKUP = call(ASK_USER), call(DECLINE), call("lookup")


@pytest.mark.parametrize(
    ("answered", "tools", "left", "decision"),
    [
        (turn(record(), FAILED), (), 5, Repair(failed=FAILED)),
        (turn(FAILED, conclusion="All is well."), (), 0, Repair(failed=FAILED)),
        (turn(calls=(ASK,)), (), 5, AskPerson(call=ASK)),
        (turn(record(), calls=(DECLINED, LOOKUP)), (LOOKUP,), 5, AskPerson(call=DECLINED)),
        (turn(words="I look it up.", calls=(LOOKUP,)), (LOOKUP,), 5, CallTools(calls=(LOOKUP,))),
        (turn(hollow=True), (), 5, RejectTurn()),
        (turn(words="Twelve."), (), 5, Finish()),
        (turn(words="Twelve."), (), 0, Finish()),
        (turn(record(), conclusion="Twelve."), (), 5, Finish()),
        (turn(record("输出分析结论")), (), 5, Finish()),
        (turn(record(), conclusion="Twelve.", out_of_steps=True), (), 0, Conclude()),
        (turn(out_of_steps=True), (), 0, Conclude()),
        (turn(record()), (), 0, Conclude()),
        (turn(record()), (), 1, GoOn()),
    ],
)
def test_a_turn_leads_to_one_decision(
    answered: TurnRecord, tools: tuple[ToolCalled, ...], left: int, decision: object
) -> None:
    assert decide(answered, tool_calls=tools, steps_left=left, tags=DEFAULT_TAGS) == decision
