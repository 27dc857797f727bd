"""What a person was asked in a call of a tool, and has answered since."""

from __future__ import annotations

from collections.abc import Mapping

from tablewright.agent.base import AgentInput
from tablewright.agent.code.control import ANSWERED_CALL
from tablewright.domain.events import QuestionAsked, RequestAnswered
from tablewright.domain.run import RequestAnswer


def asked_calls(given: AgentInput) -> frozenset[str]:
    """Return the ids of the calls with which a person was asked something."""
    asked = [event.body for event in given.log if isinstance(event.body, QuestionAsked)]
    subjects = [(each.subject_kind, each.subject_ref) for each in asked]
    subjects += [(each.subject_kind, each.subject_ref) for each in given.answered]
    return frozenset(ref for kind, ref in subjects if kind == ANSWERED_CALL and ref)


def answered_calls(given: AgentInput) -> Mapping[str, str]:
    """Return what was answered, by the calls that asked."""
    asked = {event.body.request_id: event.body for event in given.log if isinstance(event.body, QuestionAsked)}
    found: dict[str, str] = {}
    for event in given.log:
        body = event.body
        if isinstance(body, RequestAnswered) and body.request_id in asked:
            found[str(asked[body.request_id].subject_ref)] = _words(body.answer)
    for request in given.answered:
        if request.subject_kind == ANSWERED_CALL and request.answer is not None:
            found[str(request.subject_ref)] = _words(request.answer)
    return found


def _words(answer: RequestAnswer) -> str:
    if answer.values is not None and not answer.text:
        return ", ".join(f"{name}: {value}" for name, value in answer.values.items())
    return answer.text or answer.decision
