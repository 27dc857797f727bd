"""Handles the control tools: a question to the person, or a refusal that says what was understood."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from tablewright.agent.base import AgentInput
from tablewright.domain.answer import Answer
from tablewright.domain.codec import from_python
from tablewright.domain.events import AnswerCompleted, QuestionAsked
from tablewright.domain.ids import Ids
from tablewright.domain.language import Language
from tablewright.domain.message import Message, ToolCallPart, ToolResultPart
from tablewright.domain.offer import OfferedReading, chosen_option, numbered
from tablewright.domain.run import OpenRequest
from tablewright.domain.task import AskedPair
from tablewright.models.base import ToolCalled
from tablewright.models.control import ASK_USER, DECLINE
from tablewright.texts.catalogue import text

SUGGESTIONS = 3
ANSWERED_CALL = "tool_call"
"""`subject_kind` of a request whose answer answers a tool call; `subject_ref` is the call's id."""


def control_call(calls: Sequence[ToolCalled]) -> ToolCalled | None:
    """Return the first call that ends the iteration, or None."""
    return next((call for call in calls if call.name in {ASK_USER, DECLINE}), None)


def declined(arguments: dict[str, Any], language: Language) -> Answer:
    """Return the answer for `decline(understood, reason, suggestions)`."""
    understood = text("agent.list_comma", language).join(_words(arguments.get("understood")))
    suggestions = _words(arguments.get("suggestions"))[:SUGGESTIONS]
    reason = " ".join(_words(arguments.get("reason")))
    parts = [
        text("agent.declined_understood", language, understood=understood) if understood else "",
        reason or text("agent.declined_reason", language),
        text("agent.declined_suggestions", language) if suggestions else "",
    ]
    said = "\n\n".join(part for part in parts if part)
    return Answer(
        text="\n".join((said, *(f"- {question}" for question in suggestions))),
        outcome="declined",
        suggestions=suggestions,
    )


def asked(call: ToolCalled, ids: Ids) -> QuestionAsked:
    """Return the question for `ask_user(question, options?, schema?)`."""
    schema = call.arguments.get("schema")
    return QuestionAsked(
        request_id=ids.new(),
        prompt=" ".join(_words(call.arguments.get("question"))),
        options=_words(call.arguments.get("options")),
        schema=schema if isinstance(schema, dict) and schema else None,
        subject_kind=ANSWERED_CALL,
        subject_ref=call.call_id,
        readings=_readings(call.arguments),
    )


def question_or_offer(call: ToolCalled, given: AgentInput, ids: Ids) -> QuestionAsked | AnswerCompleted:
    """Return the question for `ask_user`, or, where it offers readings and nobody is there to choose one, the answer
    that ends the run with them."""
    question = asked(call, ids)
    if given.approvals == "ask" or not question.readings:
        return question
    said = "\n\n".join((numbered(question.prompt, question.options), text("agent.offered", given.language)))
    return AnswerCompleted(answer=Answer(text=said, outcome="declined", readings=question.readings))


def answers(transcript: Sequence[Message], answered: Sequence[OpenRequest]) -> list[Message]:
    """Return the results of the tool calls that `answered` answers and that the transcript does not contain yet."""
    given = {request.subject_ref: request for request in answered if request.subject_kind == ANSWERED_CALL}
    parts = [part for message in transcript for part in message.parts]
    done = {part.call_id for part in parts if isinstance(part, ToolResultPart)}
    return [
        Message(
            role="tool",
            parts=(
                ToolResultPart(call_id=part.call_id, name=part.name, text=_said(given[part.call_id]), origin="user"),
            ),
        )
        for part in parts
        if isinstance(part, ToolCallPart) and part.call_id in given and part.call_id not in done
    ]


def asked_pairs(transcript: Sequence[Message]) -> tuple[AskedPair, ...]:
    """Return the questions asked back that were answered, in order."""
    parts = [part for message in transcript for part in message.parts]
    calls = {part.call_id: part for part in parts if isinstance(part, ToolCallPart) and part.name == ASK_USER}
    return tuple(
        _pair(calls[part.call_id], part.text)
        for part in parts
        if isinstance(part, ToolResultPart) and part.call_id in calls
    )


def question_with_answers(question: str, asked: Sequence[AskedPair]) -> str:
    """Return the question, followed by the person's answers to questions asked back, one per line.

    Where readings of it were offered, the answer chose one, or words the whole question anew.
    """
    for pair in asked:
        if not pair.readings:
            question = f"{question}\n{pair.answer}"
        elif pair.answer.strip() and chosen_option(pair.options, pair.answer) is None:
            question = pair.answer.strip()
    return question


def _pair(call: ToolCallPart, answer: str) -> AskedPair:
    read = call.arguments.get("readings")
    readings = tuple(each for each in read if isinstance(each, dict)) if isinstance(read, list | tuple) else ()
    question, options = " ".join(_words(call.arguments.get("question"))), _words(call.arguments.get("options"))
    return AskedPair(question=question, answer=answer, options=options, readings=readings)


def _readings(arguments: dict[str, Any]) -> tuple[OfferedReading, ...]:
    """Read the readings that a call offers; they are none unless all are as they should be."""
    try:
        return from_python(tuple[OfferedReading, ...], arguments.get("readings", ()))
    except ValidationError:
        return ()


def _said(request: OpenRequest) -> str:
    answer = request.answer
    if answer is None:
        return request.default or ""
    if answer.values is not None and not answer.text:
        return ", ".join(f"{name}: {value}" for name, value in answer.values.items())
    return answer.text or answer.decision


def _words(value: Any) -> tuple[str, ...]:
    """Read a string, or a list of strings, leniently."""
    items = value if isinstance(value, list | tuple) else [value]
    return tuple(said for item in items if item is not None and (said := str(item).strip()))
