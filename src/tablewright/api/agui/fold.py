"""Makes the events of AG-UI from those of a run: a pure fold.

Text is what a chat shows (`chat_completions.fold`), so that a page that knows no interrupts can still answer in words.
Steps of code are steps, and calls of the tool `run_code` where no call of a tool tells the code; tools are tool calls,
plans and answers are state.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, assert_never

from tablewright.api.agui.state import first_state, patches
from tablewright.api.chat_completions.fold import ChatFold
from tablewright.api.structured.failures import failure_of
from tablewright.domain.answer import Answer
from tablewright.domain.codec import to_python
from tablewright.domain.events import (
    CodeDelta,
    CodeFinished,
    Event,
    EventBody,
    OutputError,
    OutputText,
    ProgressReported,
    RepairStarted,
    StepAnnounced,
    StepEvent,
    StepFinished,
    StepStarted,
    TextDelta,
    TextFinished,
    ThinkingDelta,
    ToolFinished,
    ToolStarted,
    UsageReported,
    WritingEvent,
)
from tablewright.domain.run import OpenRequest
from tablewright.texts.errors import error_text

AguiEvent = dict[str, Any]
CODE_TOOL = "run_code"
CODE_CALLS = frozenset({"run_python"})
"""Tools whose calls tell their code, so that the steps in which it is executed do not tell it again."""
OUTPUT_CHARS = 10_000
_DECISION = {
    "type": "object",
    "properties": {"approved": {"type": "boolean"}, "text": {"type": "string"}},
    "required": ["approved"],
}


@dataclass(slots=True, kw_only=True)
class _Step:
    name: str
    output: str = ""


@dataclass(slots=True, kw_only=True)
class AguiFold:
    """Takes the events of a run, and of those below it, in order; gives those of AG-UI that each becomes.

    `thread_id` and `run_id` are the client's.
    """

    chat: ChatFold
    thread_id: str
    run_id: str
    state: dict[str, Any] = field(default_factory=dict[str, Any])
    _open: str | None = None
    _opened: int = 0
    _steps: dict[str, _Step] = field(default_factory=dict[str, _Step])
    _names: dict[str, str] = field(default_factory=dict[str, str])
    _coding: dict[str, str] = field(default_factory=dict[str, str])
    _code: dict[str, str] = field(default_factory=dict[str, str])
    _usage: dict[str, list[int]] = field(default_factory=dict[str, list[int]])

    def __post_init__(self) -> None:
        self.state = first_state(self.chat.run)

    def before(self, event: Event) -> None:
        """Take an event of the run from before: it is state, and was told."""
        patches(self.state, event.body)

    def start(self) -> Iterator[AguiEvent]:
        """Yield the first events."""
        yield self._named("RUN_STARTED")
        yield {"type": "STATE_SNAPSHOT", "snapshot": copy.deepcopy(self.state)}

    def take(self, event: Event) -> Iterator[AguiEvent]:
        """Take the next event."""
        body = event.body
        if isinstance(body, ThinkingDelta):
            yield from self._thought(body.text)
        elif isinstance(body, StepEvent):
            yield from self._step(body)
        elif isinstance(body, WritingEvent):
            self._writes(body, event.run_id)
        else:
            yield from self._others(body, event.run_id)
        for piece in self.chat.take(event):
            if piece.channel == "content":
                yield from self._says(piece.text)
        if event.run_id == self.chat.run.id and (delta := patches(self.state, body)):
            yield from self._closed()
            yield {"type": "STATE_DELTA", "delta": copy.deepcopy(delta)}

    def end(self, asked: Sequence[OpenRequest]) -> Iterator[AguiEvent]:
        """Yield the last events; `asked` is what the run waits for."""
        for piece in self.chat.rests(asked[0] if asked else None):
            yield from self._says(piece.text)
        yield from self._closed()
        for key in list(self._steps):
            yield from self._step_ended(key)
        yield self._last(asked)

    def _last(self, asked: Sequence[OpenRequest]) -> AguiEvent:
        outcome, answer = self.chat.outcome, self.chat.answer
        usage = [
            {"model": model, "inputTokens": given, "outputTokens": made, "totalTokens": given + made}
            for model, (given, made) in self._usage.items()
        ]
        told = {"usage": usage} if usage else {}
        if outcome is None and asked:
            interrupts = [interrupt_of(request) for request in asked]
            return {**self._named("RUN_FINISHED"), "outcome": {"type": "interrupt", "interrupts": interrupts}, **told}
        if answer is not None and outcome in {"completed", "declined", "limit"}:
            result = to_python(Answer, answer)
            return {**self._named("RUN_FINISHED"), "result": result, "outcome": {"type": "success"}, **told}
        if outcome in {"cancelled", "superseded"}:
            return {**self._named("RUN_FINISHED"), "outcome": {"type": "cancelled"}, **told}
        failure = failure_of(outcome, self.chat.failure)
        words = error_text(failure.code, self.chat.language, failure.params)
        return {"type": "RUN_ERROR", "message": words, "code": failure.code, **told}

    def _others(self, body: EventBody, run_id: str) -> Iterator[AguiEvent]:
        """Take what is neither written nor a step: outputs of steps, calls of tools, tokens."""
        if isinstance(body, OutputText | OutputError):
            step = self._steps.get(body.step_id or "")
            if step is not None and len(step.output) < OUTPUT_CHARS:
                words = body.text if isinstance(body, OutputText) else f"{body.name}: {body.message}\n"
                step.output = (step.output + words)[:OUTPUT_CHARS]
        elif isinstance(body, ToolStarted):
            if body.name in CODE_CALLS:
                self._coding[run_id] = body.tool_call_id
            yield from self._called(body.tool_call_id, body.name, body.arguments)
        elif isinstance(body, ToolFinished):
            if self._coding.get(run_id) == body.tool_call_id:
                del self._coding[run_id]
            yield from self._result(body.tool_call_id, body.text[:OUTPUT_CHARS])
        elif isinstance(body, UsageReported):
            counted = self._usage.setdefault(body.model, [0, 0])
            counted[0] += body.input_tokens
            counted[1] += body.output_tokens

    def _writes(self, body: TextDelta | TextFinished | CodeDelta | CodeFinished, run_id: str) -> None:
        if isinstance(body, CodeFinished) and run_id not in self._coding:
            self._code[body.step_id or ""] = body.code

    def _step(self, body: StepEvent) -> Iterator[AguiEvent]:
        key = body.step_id or ""
        match body:
            case StepAnnounced():
                self._names[key] = body.name
            case StepStarted() if key not in self._steps:
                yield from self._closed()
                step = self._steps[key] = _Step(name=self._free(self._names.get(key, "")))
                yield {"type": "STEP_STARTED", "stepName": step.name}
                if key in self._code:
                    yield from self._called(key, CODE_TOOL, {"code": self._code[key]})
            case StepFinished() if key in self._steps:
                yield from self._step_ended(key)
            case RepairStarted() | ProgressReported() | StepStarted() | StepFinished():
                pass
            case _:
                assert_never(body)

    def _step_ended(self, key: str) -> Iterator[AguiEvent]:
        step = self._steps.pop(key)
        if key in self._code:
            yield from self._result(key, step.output)
        yield {"type": "STEP_FINISHED", "stepName": step.name}

    def _free(self, name: str) -> str:
        """Return a name that no open step has."""
        taken = {step.name for step in self._steps.values()}
        number = 1
        free = name
        while free in taken:
            number += 1
            free = f"{name} ({number})"
        return free

    def _called(self, call_id: str, name: str, arguments: dict[str, Any]) -> Iterator[AguiEvent]:
        yield from self._closed()
        yield {"type": "TOOL_CALL_START", "toolCallId": call_id, "toolCallName": name}
        yield {"type": "TOOL_CALL_ARGS", "toolCallId": call_id, "delta": json.dumps(arguments, ensure_ascii=False)}
        yield {"type": "TOOL_CALL_END", "toolCallId": call_id}

    def _result(self, call_id: str, words: str) -> Iterator[AguiEvent]:
        yield from self._closed()
        place = f"{call_id}-result"
        yield {"type": "TOOL_CALL_RESULT", "messageId": place, "toolCallId": call_id, "content": words, "role": "tool"}

    def _says(self, words: str) -> Iterator[AguiEvent]:
        if self._open is None or not self._open.startswith("text"):
            words = words.lstrip("\n")
            if not words:
                return
            yield from self._closed()
            self._begin("text")
            yield {"type": "TEXT_MESSAGE_START", "messageId": self._open, "role": "assistant"}
        if words:
            yield {"type": "TEXT_MESSAGE_CONTENT", "messageId": self._open, "delta": words}

    def _thought(self, words: str) -> Iterator[AguiEvent]:
        if self._open is None or not self._open.startswith("thought"):
            yield from self._closed()
            self._begin("thought")
            yield {"type": "REASONING_START", "messageId": self._open}
            yield {"type": "REASONING_MESSAGE_START", "messageId": self._open, "role": "reasoning"}
        if words:
            yield {"type": "REASONING_MESSAGE_CONTENT", "messageId": self._open, "delta": words}

    def _begin(self, kind: str) -> None:
        self._opened += 1
        self._open = f"{kind}-{self.run_id}-{self._opened}"

    def _closed(self) -> Iterator[AguiEvent]:
        """End the message that is being written, if any."""
        place, self._open = self._open, None
        if place is None:
            return
        if place.startswith("thought"):
            yield {"type": "REASONING_MESSAGE_END", "messageId": place}
            yield {"type": "REASONING_END", "messageId": place}
        else:
            yield {"type": "TEXT_MESSAGE_END", "messageId": place}

    def _named(self, kind: str) -> AguiEvent:
        return {"type": kind, "threadId": self.thread_id, "runId": self.run_id}


def interrupt_of(request: OpenRequest) -> dict[str, Any]:
    """Return what a page is asked."""
    schema: dict[str, Any] = _DECISION
    if request.kind == "question":
        text: dict[str, Any] = {"type": "string"} | ({"enum": [*request.options]} if request.options else {})
        schema = request.schema or {"type": "object", "properties": {"text": text}, "required": ["text"]}
    told = {"id": request.id, "reason": request.kind, "message": request.prompt, "responseSchema": schema}
    expires = {} if request.expires_at is None else {"expiresAt": request.expires_at.isoformat()}
    about = {"subjectKind": request.subject_kind, "options": [*request.options]}
    return {**told, **expires, "metadata": about}
