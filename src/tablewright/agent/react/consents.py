"""Calls that a person has to allow: which were asked about, and what was answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tablewright.agent.base import AgentInput
from tablewright.domain.events import ApprovalRequested, RequestAnswered
from tablewright.domain.ids import Ids
from tablewright.domain.message import ToolCallPart
from tablewright.domain.run import RequestAnswer
from tablewright.models.structured_arguments import fitted
from tablewright.models.work_prompt import call_rejected, call_unattended, too_many_calls
from tablewright.tools.toolset import Toolset

SUBJECT = "tool_consent"
"""`subject_kind` of a request to allow a call of a tool; `subject_ref` is the call's id."""
MOST_ASKED = 4
"""A person is asked about so many calls of one turn at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SortedCalls:
    """The calls of a turn: those that need nobody's word, those that were allowed, those that are not made, with the
    reason in words, and what a person is asked now. `open`: somebody has still to answer."""

    free: tuple[ToolCallPart, ...]
    allowed: tuple[ToolCallPart, ...]
    refused: tuple[tuple[ToolCallPart, str], ...]
    requests: tuple[ApprovalRequested, ...]
    open: bool


def sorted_calls(calls: Sequence[ToolCallPart], given: AgentInput, toolset: Toolset, ids: Ids) -> SortedCalls:
    """Sort the calls of a turn. Where nobody is asked, those that need a person's word are not made."""
    prompts = {call.call_id: prompt for call in calls if (prompt := _prompt(call, toolset)) is not None}
    asked, answers = _asked(given), _answers(given)
    mine = [call for call in calls if call.call_id in prompts]
    allowed = [call for call in mine if (told := answers.get(call.call_id)) and told.decision == "approve"]
    refused: list[tuple[ToolCallPart, str]] = []
    waiting: list[ToolCallPart] = []
    for call in mine:
        if call in allowed:
            continue
        if (answer := answers.get(call.call_id)) is not None:
            refused.append((call, call_rejected(answer.text or "", given.language)))
        elif given.approvals != "ask":
            refused.append((call, call_unattended(given.language)))
        elif len(waiting) >= MOST_ASKED:
            refused.append((call, too_many_calls(MOST_ASKED, given.language)))
        else:
            waiting.append(call)
    return SortedCalls(
        free=tuple(call for call in calls if call.call_id not in prompts),
        allowed=tuple(allowed),
        refused=tuple(refused),
        requests=tuple(
            ApprovalRequested(
                request_id=ids.new(), prompt=prompts[call.call_id], subject_kind=SUBJECT, subject_ref=call.call_id
            )
            for call in waiting
            if call.call_id not in asked
        ),
        open=bool(waiting),
    )


def _prompt(call: ToolCallPart, toolset: Toolset) -> str | None:
    schema = next((spec.parameters for spec in toolset.specs if spec.name == call.name), {})
    return toolset.consent(call.name, fitted(call.arguments, schema))


def _asked(given: AgentInput) -> frozenset[str]:
    """Return the ids of the calls that a person was asked about."""
    asked = [event.body for event in given.log if isinstance(event.body, ApprovalRequested)]
    known = [each.subject_ref for each in asked if each.subject_kind == SUBJECT]
    known += [each.subject_ref for each in given.answered if each.subject_kind == SUBJECT]
    return frozenset(ref for ref in known if ref)


def _answers(given: AgentInput) -> Mapping[str, RequestAnswer]:
    """Return what was answered, by the calls that were asked about."""
    calls: dict[str, str] = {}
    found: dict[str, RequestAnswer] = {}
    for event in given.log:
        body = event.body
        if isinstance(body, ApprovalRequested) and body.subject_kind == SUBJECT:
            calls[body.request_id] = str(body.subject_ref)
        elif isinstance(body, RequestAnswered) and body.request_id in calls:
            found[calls[body.request_id]] = body.answer
    for request in given.answered:
        if request.subject_kind == SUBJECT and request.answer is not None:
            found[str(request.subject_ref)] = request.answer
    return found
