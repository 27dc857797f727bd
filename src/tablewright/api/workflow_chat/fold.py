"""Makes the frames of a chat from the events of a run: a pure fold."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, assert_never

from tablewright.api.schemas.workflow_chat import ChatFrame
from tablewright.domain.events import (
    AnswerCompleted,
    Event,
    NodeChunk,
    NodeEvent,
    NodeFinished,
    NodeInput,
    NodeOutput,
    NodeStarted,
    NodeWaiting,
    RunFinished,
    TextDelta,
)
from tablewright.domain.language import Language
from tablewright.domain.run import Run
from tablewright.errors import WorkflowSilent
from tablewright.texts.catalogue import text
from tablewright.texts.errors import error_text

PLAIN = "agent"
"""The node that the plain agent is shown as, where no workflow answers."""


@dataclass(slots=True, kw_only=True)
class ChatFold:
    """Takes the events of a run, and of those below it, in order; gives the frames that each becomes."""

    run: Run
    language: Language
    ended: bool = False
    _answer: str = ""
    _delegated: dict[str, str] = field(default_factory=dict[str, str])

    def start(self) -> ChatFrame:
        """Return the first frame of a stream."""
        told = {"runtimeUuid": self.run.id, "workflowUuid": self.run.workflow_id, "name": self.run.question}
        return self._frame("start", _json(told))

    def take(self, event: Event) -> Iterator[ChatFrame]:
        """Take the next event."""
        body = event.body
        if isinstance(body, NodeEvent):
            yield from self._of_node(body)
        elif isinstance(body, TextDelta):
            yield from self._chunk(event.run_id, body.text)
        elif event.run_id == self.run.id and isinstance(body, AnswerCompleted):
            self._answer = body.answer.text
        elif event.run_id == self.run.id and isinstance(body, RunFinished):
            self.ended = True
            yield self._end(body)

    def waits(self, node_id: str, prompt: str) -> ChatFrame:
        """Return the last frame of a stream whose run waits for an answer to `prompt`."""
        waiting = self._frame(f"[NODE_WAIT_FEEDBACK_BY_{node_id}]", prompt)
        return waiting.model_copy(update={"is_waiting_input": True})

    def _of_node(self, body: NodeEvent) -> Iterator[ChatFrame]:
        match body:
            case NodeStarted():
                told = {"nodeUuid": body.node_id, "kind": body.kind, "name": body.name, "path": body.path}
                yield self._frame(f"[NODE_RUN_{body.node_id}]", _json({**told, "attempt": body.attempt}))
            case NodeInput():
                yield self._frame(f"[NODE_INPUT_{body.node_id}]", _json(body.input))
            case NodeOutput():
                yield self._frame(f"[NODE_OUTPUT_{body.node_id}]", _json(body.output))
            case NodeChunk():
                yield self._frame(f"[NODE_CHUNK_{body.node_id}]", body.text)
            case NodeWaiting(run_id=str(child)):
                self._delegated[child] = body.node_id
            case NodeWaiting() | NodeFinished():
                pass
            case _:
                assert_never(body)

    def _chunk(self, run_id: str, words: str) -> Iterator[ChatFrame]:
        """What an agent writes is a chunk of the node that it works for; the end of a workflow is no chunk of it."""
        node_id = self._delegated.get(run_id)
        if node_id is None and run_id == self.run.id and self.run.workflow_id is None:
            node_id = PLAIN
        if node_id is not None:
            yield self._frame(f"[NODE_CHUNK_{node_id}]", words)

    def _end(self, body: RunFinished) -> ChatFrame:
        if body.outcome == "completed":
            return self._complete("done", self._answer)
        if body.failure is None:
            return self._complete("error", text("workflow_chat_cancelled", self.language))
        cause = error_text(body.failure.code, self.language, body.failure.params)
        if body.failure.code == WorkflowSilent.code:
            return self._complete("error", cause)
        return self._complete("error", text("workflow_chat_failed", self.language, cause=cause))

    def _complete(self, kind: str, content: str) -> ChatFrame:
        return self._frame(kind, content).model_copy(update={"is_complete": True})

    def _frame(self, kind: str, content: str) -> ChatFrame:
        return ChatFrame(type=kind, content=content, runtime_uuid=self.run.id, workflow_uuid=self.run.workflow_id)


def failed(content: str) -> ChatFrame:
    """Return the only frame of a stream for which there is no run."""
    return ChatFrame(type="error", content=content, is_complete=True)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
