"""Errors as Genie's page can show them: it hangs on a stream without a `result`, and reads the code in the body."""

from __future__ import annotations

import time
from typing import Any

from tablewright.api.error_bodies import ErrorAnswer
from tablewright.api.genie.bare import bare
from tablewright.api.genie.frames import TASK, AgentFrame, enveloped, written
from tablewright.api.genie.questions import ending

STREAMED = {"content-type": "text/event-stream; charset=utf-8"}
KEPT = frozenset({401, 403})
"""Statuses that stay: without a key nobody gets anything, whatever the body says."""
METHOD_NOT_ALLOWED = 405


def result_fault(status: int, body: dict[str, Any], request_id: str) -> ErrorAnswer:
    """Return an error as the `result` of a run."""
    if status == METHOD_NOT_ALLOWED:
        return ErrorAnswer(status=status, body=body)
    told = error_result(body["error"]["message"], request_id)
    frame = written(enveloped(told, request_id=request_id, agent_type=""))
    return ErrorAnswer(status=_status(status), text=f"data: {frame}\n\n", headers=STREAMED)


def agent_fault(status: int, body: dict[str, Any], request_id: str) -> ErrorAnswer:
    """Return an error as the bare `result` of an agent."""
    if status == METHOD_NOT_ALLOWED:
        return ErrorAnswer(status=status, body=body)
    told = bare(error_result(body["error"]["message"], request_id)).encode().decode()
    return ErrorAnswer(status=_status(status), text=told, headers=STREAMED)


def chat_fault(status: int, body: dict[str, Any]) -> ErrorAnswer:
    """Return an error as the end of an answer about data."""
    if status == METHOD_NOT_ALLOWED:
        return ErrorAnswer(status=status, body=body)
    frames = "".join(f"data: {written(frame)}\n\n" for frame in ending(body["error"]["message"]))
    return ErrorAnswer(status=_status(status), text=frames, headers=STREAMED)


def data_fault(status: int, body: dict[str, Any]) -> ErrorAnswer:
    """Return an error as the page shows it to its person."""
    if status == METHOD_NOT_ALLOWED:
        return ErrorAnswer(status=status, body=body)
    return ErrorAnswer(status=_status(status), body={"code": status, "msg": body["error"]["message"], "data": None})


def error_result(words: str, request_id: str = "") -> AgentFrame:
    """Return the frame that ends with an error where there is no run."""
    response = {
        "requestId": request_id,
        "messageId": "error",
        "messageType": "result",
        "messageTime": str(time.time_ns() // 1_000_000),
        "isFinal": True,
        "finish": True,
        "result": words,
        "resultMap": {"taskSummary": words, "fileList": []},
    }
    return AgentFrame(outer=TASK, task_id="error", task_order=1, message_order=1, response=response)


def _status(status: int) -> int:
    return status if status in KEPT else 200
