"""The frames of Genie's wire: what an agent says, bare or in the envelope that its page reads. Pure."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

Outer = Literal["plan_thought", "plan", "task"]
PLAN_THOUGHT: Outer = "plan_thought"
PLAN: Outer = "plan"
TASK: Outer = "task"
HEARTBEAT_S = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentFrame:
    """What an agent says: the bare `response` as programs read it, and where a page puts it.

    Of one `task_id` are the items of one group; the pieces of one item have the same `message_id`. The last frame of a
    run, and no other, is the `result`.
    """

    outer: Outer
    task_id: str | None
    task_order: int
    message_order: int
    response: dict[str, Any]

    @property
    def result(self) -> str | None:
        """The text that ends the run, if this is the frame with it."""
        return self.response["result"] if self.response["messageType"] == "result" else None


def enveloped(frame: AgentFrame, *, request_id: str, agent_type: str) -> dict[str, Any]:
    """Return the frame as the page reads it."""
    told: dict[str, Any] = {
        "taskId": frame.task_id,
        "taskOrder": frame.task_order,
        "messageId": frame.response["messageId"],
        "messageType": frame.outer,
        "messageOrder": frame.message_order,
        "resultMap": frame.response["plan"] if frame.outer == PLAN else frame.response,
    }
    result = frame.result
    return _envelope(
        request_id,
        status="running" if result is None else "success",
        words=result or "",
        finished=result is not None,
        result_map={"agentType": agent_type, "multiAgent": {}, "eventData": told},
    )


def heartbeat(request_id: str) -> dict[str, Any]:
    """Return the frame that says that the run goes on."""
    return _envelope(request_id, kind="heartbeat")


def written(frame: dict[str, Any]) -> str:
    """Return a frame as it is sent: one line."""
    return json.dumps(frame, ensure_ascii=False, separators=(",", ":"))


def _envelope(
    request_id: str,
    *,
    status: str = "running",
    words: str = "",
    finished: bool = False,
    result_map: dict[str, Any] | None = None,
    kind: str = "result",
) -> dict[str, Any]:
    return {
        "status": status,
        "response": words,
        "responseAll": words,
        "finished": finished,
        "useTimes": 0,
        "useTokens": 0,
        "resultMap": result_map,
        "responseType": "text",
        "traceId": None,
        "reqId": request_id,
        "encrypted": False,
        "query": None,
        "messages": None,
        "packageType": kind,
        "errorMsg": None,
    }
