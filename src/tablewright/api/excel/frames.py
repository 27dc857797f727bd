"""The events of one request: which are sent while it is being processed, and which of them are stored."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal

from tablewright.api.schemas.excel import ExcelResponse, wire
from tablewright.domain.language import Language
from tablewright.texts.catalogue import text

Name = Literal["START", "NODE_START", "PROCESSING", "MESSAGE_THINK", "RESULT", "NODE_END", "COMPLETE"]
NODE = "excel-multi-round"
TOOL = "excel"
THINKING_TOOL = "thinking"
THINKING = "AI Thinking"
THOUGHT = "AI Thinking Summary"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExcelFrame:
    """One server-sent event: its name and its data as JSON."""

    event: Name
    data: str


@dataclass(slots=True, kw_only=True)
class FrameSequence:
    """Builds the frames of one request in order and collects the events to store.

    All events are stored except fragments of thinking; these are stored as one summary, which is not sent.
    """

    message_id: str
    language: Language
    thinking: bool = True
    """Whether fragments of thinking are sent."""
    stored: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    _thought: list[str] = field(default_factory=list[str])

    def begun(self) -> tuple[ExcelFrame, ...]:
        """Return the frames for an accepted request."""
        return (
            self._event("START", "excel_started"),
            self._event("NODE_START", "excel_node_started", NODE),
            self._event("PROCESSING", "excel_processing"),
        )

    def thought(self, fragment: str) -> tuple[ExcelFrame, ...]:
        """Return the frames for a fragment of the model's thinking."""
        self._thought.append(fragment)
        if not self.thinking:
            return ()
        data = self._data("MESSAGE_THINK", THINKING_TOOL, THINKING, fragment)
        return (ExcelFrame(event="MESSAGE_THINK", data=_json({**data, "isSubFlow": False})),)

    def answered(self, response: ExcelResponse) -> tuple[ExcelFrame, ...]:
        """Return the frames for the response."""
        self._summarise()
        body = wire(response)
        self.stored.append({"event": "RESULT", "tool": TOOL, "action": "", "param": body})
        result = ExcelFrame(event="RESULT", data=body)
        return result, self._event("NODE_END", "excel_node_finished", NODE), self._event("COMPLETE", "excel_finished")

    def failed(self, message: str) -> tuple[ExcelFrame, ...]:
        """Return the frames for a request that ended with an exception, without a result."""
        self._summarise()
        return self._event("NODE_END", "excel_node_failed", message), self._event("COMPLETE", "excel_finished")

    def _summarise(self) -> None:
        if self._thought:
            whole = "".join(self._thought)
            summary = {"event": "MESSAGE_THINK", "tool": THINKING_TOOL, "action": THOUGHT, "param": whole}
            self.stored.append({**summary, "isSubFlow": True})

    def _event(self, name: Name, code: str, param: str = "") -> ExcelFrame:
        data = self._data(name, TOOL, text(code, self.language), param)
        self.stored.append({key: value for key, value in data.items() if key != "messageId"})
        return ExcelFrame(event=name, data=_json(data))

    def _data(self, name: Name, tool: str, action: str, param: str) -> dict[str, Any]:
        return {"event": name, "tool": tool, "action": action, "param": param, "messageId": self.message_id}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
