"""The lines of the log of a run in structured rounds, from its events and model calls. Pure.

Source: `structured-responses.md`, "Conversation logs".
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tablewright.domain.events import (
    CodeRetrieved,
    CodeSaved,
    ContextCleaned,
    ContinueAsked,
    Event,
    RequestAnswered,
    RoundAnswered,
    RunFinished,
    RunStarted,
    ToolStarted,
    UsageReported,
)
from tablewright.domain.message import Message
from tablewright.domain.structured import StructuredAnswer
from tablewright.models.structured_prompt import answer_object
from tablewright.models.tokens import MESSAGE_TOKENS, estimate_text
from tablewright.telemetry import redact, redact_named

Line = dict[str, Any]
_BEGINNINGS = (UsageReported, ContextCleaned, RoundAnswered, RequestAnswered)
"""What a round that follows another begins with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """A call of a model in a round: the messages that are new since the call before, and what it wrote, if it ended."""

    round: int
    inputs: tuple[Message, ...]
    output: str | None = None


@dataclass(slots=True, kw_only=True)
class _Round:
    """What happened in a round, which began at `at`."""

    number: int
    at: datetime
    events: list[Event]
    answer: StructuredAnswer | None = None
    answered_at: datetime | None = None
    ended: bool = False

    @property
    def end(self) -> datetime:
        return self.events[-1].at if self.events else self.at

    def take(self, event: Event) -> None:
        """Add an event."""
        self.events.append(event)
        if isinstance(event.body, RoundAnswered):
            self.answer, self.answered_at = event.body.answer, event.at
        self.ended = isinstance(event.body, RunFinished)


def log_lines(events: Sequence[Event], calls: Sequence[ModelCall]) -> Iterator[Line]:
    """Yield the lines of a run, grouped by round, without anything that looks like a secret.

    Of a run that was cut off, the last round has no `round_end`.
    """
    for one in _rounds(events):
        of_round = [call for call in calls if call.round == one.number]
        yield _line("round_start", one.at, round=one.number)
        yield from _before_the_answer(one, of_round)
        yield from _after_the_answer(one)
        if one.ended:
            duration_ms = round((one.end - one.at).total_seconds() * 1000)
            yield _line("round_end", one.end, round=one.number, duration_ms=duration_ms)


def _rounds(events: Sequence[Event]) -> list[_Round]:
    """Split events into rounds.

    A round begins where the one before ended, or where a person let it begin; it ends with its last call, or the run.
    """
    rounds: list[_Round] = []
    for event in events:
        body = event.body
        if isinstance(body, RunStarted):
            rounds.append(_Round(number=1, at=event.at, events=[]))
        if not rounds or isinstance(body, ContinueAsked):
            continue
        last = rounds[-1]
        if last.answer is not None and last.answer.report is None and isinstance(body, _BEGINNINGS):
            last.ended = True
            at = event.at if isinstance(body, RequestAnswered) else last.end
            rounds.append(_Round(number=last.number + 1, at=at, events=[]))
        rounds[-1].take(event)
    return rounds


def _before_the_answer(one: _Round, calls: Sequence[ModelCall]) -> Iterator[Line]:
    cleaned = [event for event in one.events if isinstance(event.body, ContextCleaned)]
    used = [event for event in one.events if isinstance(event.body, UsageReported)]
    # A call that a crash cut off was made anew: what belongs to it comes before what belongs to the calls that ended.
    cut_off = max(0, len(cleaned) - len(calls))
    for event in cleaned[:cut_off]:
        yield from _processing(event)
    cleaned = cleaned[cut_off:]
    used = used[max(0, len(used) - sum(call.output is not None for call in calls)) :]
    # A round that a crash cut off in its second call begins anew with its first, which then has the answer.
    final = next((call for call in reversed(calls) if call.output is not None), None)
    at = one.at
    for place, call in enumerate(calls):
        if place < len(cleaned):
            yield from _processing(cleaned[place])
            at = cleaned[place].at
        for message in call.inputs:
            tokens = math.ceil(MESSAGE_TOKENS + estimate_text(message.text))
            yield _line("ModelInput", at, role=message.role, content=message.text, token_count=tokens)
        if call.output is not None:
            reported = used[place] if place < len(used) else None
            at = reported.at if reported is not None else one.answered_at or at
            yield _output(one, call.output, reported, at, last=call is final)


def _output(one: _Round, written: str, used: Event | None, at: datetime, *, last: bool) -> Line:
    body = None if used is None else used.body
    tokens = body.output_tokens if isinstance(body, UsageReported) else math.ceil(estimate_text(written))
    answer = one.answer if last else None
    return _line(
        "ModelOutput",
        at,
        raw_content=written,
        structured_response=None if answer is None else answer_object(answer),
        token_count=tokens,
    )


def _after_the_answer(one: _Round) -> Iterator[Line]:
    for event in one.events:
        if not isinstance(event.body, ContextCleaned):
            yield from _processing(event)


def _processing(event: Event) -> Iterator[Line]:
    body, fields = event.body, dict[str, Any]()
    match body:
        case ToolStarted():
            name = "tool_call"
            fields = {"tool_name": body.name, "tool_call_id": body.tool_call_id, "arguments": body.arguments}
        case CodeSaved():
            name = "code_saved"
            fields = {
                "code_id": body.code_id, "file_path": body.file_path, "original_length": body.original_length,
                "description": body.description,
            }  # fmt: skip
        case CodeRetrieved():
            name = "code_retrieved"
            fields = {
                "code_id": body.code_id, "content_length": body.content_length, "truncated": body.truncated,
            }  # fmt: skip
        case ContextCleaned():
            name = "context_cleaned"
            fields = {
                "original_tokens": body.original_tokens, "cleaned_tokens": body.cleaned_tokens,
                "saved_tokens": body.saved_tokens, "method": body.method,
            }  # fmt: skip
        case _:
            return
    yield _line("BackendProcessing", event.at, event=name, **fields)


def _line(kind: str, at: datetime, **fields: Any) -> Line:
    stamp = at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return {"type": kind, "timestamp": stamp, **{name: _clean(value) for name, value in fields.items()}}


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {redact(str(key)): _clean(redact_named(str(key), item)) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(item) for item in value]
    return value
