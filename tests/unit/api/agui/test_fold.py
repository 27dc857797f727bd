"""The events of AG-UI that a run becomes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from tablewright.api.agui.fold import AguiFold
from tablewright.api.chat_completions.fold import ChatFold
from tablewright.domain.events import (
    CodeFinished,
    Event,
    EventBody,
    OutputText,
    StepAnnounced,
    StepFinished,
    StepStarted,
    ToolFinished,
    ToolStarted,
)
from tablewright.domain.run import Run, RunLimits

AT = datetime(2026, 1, 1, tzinfo=UTC)
CODE = (
    StepAnnounced(step_id="s", name="Count"),
    CodeFinished(step_id="s", code="print(7)"),
    StepStarted(step_id="s"),
    OutputText(step_id="s", text="7"),
    StepFinished(step_id="s", status="ok", elapsed_s=1.0),
)


def told(*bodies: EventBody) -> list[dict[str, Any]]:
    run = Run(
        id="r-1",
        conversation_id="c-1",
        question="?",
        language="en",
        mode="react",
        approvals="ask",
        model="builtin",
        file_ids=(),
        limits=RunLimits(),
        state="running",
        attempt=1,
        last_seq=0,
        created_at=AT,
    )
    fold = AguiFold(chat=ChatFold(run=run), thread_id="t", run_id="q")
    events = [Event(run_id="r-1", seq=seq, at=AT, body=body) for seq, body in enumerate(bodies, start=1)]
    return [made for event in events for made in fold.take(event)]


def calls(made: list[dict[str, Any]]) -> list[str]:
    return [event["toolCallName"] for event in made if event["type"] == "TOOL_CALL_START"]


def test_code_that_a_call_tells_is_told_once() -> None:
    made = told(
        ToolStarted(tool_call_id="c", name="run_python", arguments={"code": "print(7)"}),
        *CODE,
        ToolFinished(tool_call_id="c", name="run_python", text="7"),
    )
    assert calls(made) == ["run_python"]
    assert [event["content"] for event in made if event["type"] == "TOOL_CALL_RESULT"] == ["7"]
    assert [event["stepName"] for event in made if event["type"] == "STEP_STARTED"] == ["Count"]


def test_code_that_no_call_tells_is_a_call_of_its_own() -> None:
    assert calls(told(*CODE)) == ["run_code"]
    written = told(
        ToolStarted(tool_call_id="c", name="code_interpreter", arguments={"task": "Count."}),
        *CODE,
        ToolFinished(tool_call_id="c", name="code_interpreter", text="7"),
    )
    assert calls(written) == ["code_interpreter", "run_code"]
