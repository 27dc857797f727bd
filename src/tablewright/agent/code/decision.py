"""What follows a turn of the model: a pure function of the turn and of what the run has left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tablewright.agent.code.control import control_call
from tablewright.agent.code.turn import TurnRecord
from tablewright.agent.steps import StepRecord
from tablewright.models.base import ToolCalled
from tablewright.models.dialogue import CodeTags


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """A step failed: the model writes it anew."""

    failed: StepRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class AskPerson:
    """A control tool was called: the person is asked, or told that the question is declined."""

    call: ToolCalled


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTools:
    """Tools were called: they are executed and their results told to the model."""

    calls: tuple[ToolCalled, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectTurn:
    """The turn has neither code nor words: the model is told so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish:
    """The turn ends with the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclude:
    """No steps are left: the model is asked once more, for the conclusion only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoOn:
    """The model takes the next turn."""


Decision = Repair | AskPerson | CallTools | RejectTurn | Finish | Conclude | GoOn


def decide(turn: TurnRecord, *, tool_calls: Sequence[ToolCalled], steps_left: int, tags: CodeTags) -> Decision:
    """Return what follows `turn`.

    `tool_calls` are its calls of tools that this run has; `steps_left` is what the limit leaves after this turn.
    """
    if turn.failed is not None:
        return Repair(failed=turn.failed)
    if (call := control_call(turn.calls)) is not None:
        return AskPerson(call=call)
    if tool_calls:
        return CallTools(calls=tuple(tool_calls))
    if turn.hollow:
        return RejectTurn()
    if _concluded(turn, tags):
        return Finish()
    if turn.out_of_steps or steps_left <= 0:
        return Conclude()
    return GoOn()


def _concluded(turn: TurnRecord, tags: CodeTags) -> bool:
    """Whether the turn is the answer: it ran nothing, ended with the concluding step, or has words after its code."""
    if turn.out_of_steps:
        return False
    if not turn.records:
        return True
    return tags.concludes(turn.records[-1].step.name) or bool(turn.conclusion)
