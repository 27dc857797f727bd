"""What a call gives its caller of a run that has ended."""

from __future__ import annotations

import pytest
from fastmcp.exceptions import ToolError

from tablewright.domain.answer import Answer
from tablewright.domain.events import AnswerCompleted, RunFinished
from tablewright.mcp_server.calls import CallOutcome, answered
from tablewright.mcp_server.translate import RunSeen


def test_a_run_that_ended_with_failed_steps_says_why() -> None:
    seen = RunSeen()
    seen.take(AnswerCompleted(answer=Answer(text="There is no sheet called “Nope”.", outcome="failed")))
    seen.take(RunFinished(outcome="failed"))
    ended = CallOutcome(run_id="r", conversation_id="c", file_ids=(), language="en", seen=seen)
    with pytest.raises(ToolError, match="no sheet called “Nope”"):
        answered(ended)
