"""Structured rounds: what a model answers in each of them, and what became of the tool calls that it asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from tablewright.domain.message import Message, TextPart

SUBJECT = "structured_round"
"""`subject_kind` of the request to let a run go on; `subject_ref` is the number of the round that is over."""
STEPWISE = Message(role="system", parts=(TextPart(text="step", origin="system"),))
"""Opens the transcript of a run that waits after every round of calls until it is to go on."""
MAX_CALLS = 6
"""The most tool calls of one round. With more, none is made."""
LINK_LEFT_OUT = "link_left_out"
"""The code of the warning that a report offers a file, `name`, that does not exist."""

ActionType = Literal["tool_call", "complete"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRequest:
    """A call that a model asks for; `tool_call_id` is unique within the run."""

    tool_name: str
    tool_call_id: str
    arguments: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class StructuredAnswer:
    """The answer of a model in one round, from 1: `calls` to make, or a `report` in markdown or HTML, which ends it.

    `download_links` are names of files of the conversation.
    """

    task_analysis: str
    execution_plan: str
    current_round: int
    calls: tuple[ToolRequest, ...] = ()
    report: str | None = None
    recommended_questions: tuple[str, ...] = ()
    download_links: tuple[str, ...] = ()

    @property
    def action_type(self) -> ActionType:
        """Whether the answer asks for calls or is the report."""
        return "tool_call" if self.report is None else "complete"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutcome:
    """The result of a call as the model reads it; `failed` if the tool could not do it, for the reason in `text`."""

    tool_call_id: str
    tool_name: str
    text: str
    failed: bool = False
    elapsed_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StructuredRoundFacts:
    """A round that is over: the answer of the model, and the outcomes of its calls in their order."""

    answer: StructuredAnswer
    outcomes: tuple[ToolOutcome, ...] = ()


def is_stepwise(transcript: Sequence[Message]) -> bool:
    """Return whether the run with this transcript waits after every round."""
    return bool(transcript) and transcript[0] == STEPWISE
