"""What spec/structured-responses.md says of every field of a response, as assertions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

FIELDS = ["response", "conversation_id", "duration_ms", "tool_calls", "artifacts", "metadata"]
COMMON = ["content_type", "has_structured_response", "action_type", "current_round", "task_analysis", "execution_plan"]
ASKING = [*COMMON, "tool_calls", "status"]
REPORTING = [*COMMON, "status", "contains_html"]
LISTS = ["recommended_questions", "download_links", "saved_codes", "unverified", "rounds"]
PLACEHOLDER = re.compile(r"<!-- CODE_SAVED: (code_\d{8}_[0-9a-f]{8}) \| ([^<>|\n]{1,50}) -->")
JSON = dict[str, Any]


def check_response(body: JSON) -> JSON:
    """Check one response, of a round of calls or of a report, and return its metadata."""
    assert list(body) == ["success", "data"]
    assert body["success"] is True
    data = body["data"]
    assert list(data) == FIELDS
    assert isinstance(data["conversation_id"], str)
    assert data["conversation_id"]
    assert isinstance(data["duration_ms"], int)
    assert data["duration_ms"] >= 0
    assert (data["tool_calls"], data["artifacts"]) == ([], [])
    metadata: JSON = data["metadata"]
    if metadata["action_type"] == "tool_call":
        assert data["response"] == ""
        _check_asking(metadata)
    else:
        _check_reporting(data["response"], metadata)
    return metadata


def check_rounds(bodies: Sequence[JSON], *, whole: bool) -> JSON:
    """Check all responses to one question, the report last, and return the report's metadata.

    `whole`: there is one response, with the rounds before it in its metadata.
    """
    *before, last = [check_response(body) for body in bodies]
    assert last["action_type"] == "complete"
    assert all(metadata["action_type"] == "tool_call" for metadata in before)
    if whole:
        assert not before
        before = last.get("rounds", [])
        for metadata in before:
            _check_asking(metadata)
    else:
        assert "rounds" not in last
    assert [metadata["current_round"] for metadata in (*before, last)] == [*range(1, len(before) + 2)]
    ids = [call["tool_call_id"] for metadata in before for call in metadata["tool_calls"]]
    assert len(set(ids)) == len(ids)
    assert len({body["data"]["conversation_id"] for body in bodies}) == 1
    return last


def _check_common(metadata: JSON) -> None:
    assert metadata["has_structured_response"] is True
    assert isinstance(metadata["current_round"], int)
    assert metadata["current_round"] >= 1
    assert isinstance(metadata["task_analysis"], str)
    assert re.match(r"R1[:：]", metadata["execution_plan"])


def _check_asking(metadata: JSON) -> None:
    assert list(metadata) == ASKING
    _check_common(metadata)
    assert (metadata["content_type"], metadata["action_type"], metadata["status"]) == (
        "text",
        "tool_call",
        "processing",
    )
    assert 1 <= len(metadata["tool_calls"]) <= 6
    for call in metadata["tool_calls"]:
        assert list(call) == ["tool_name", "tool_call_id", "arguments"]
        assert isinstance(call["arguments"], dict)


def _check_reporting(response: str, metadata: JSON) -> None:
    assert list(metadata) == [*REPORTING, *(name for name in LISTS if name in metadata)]
    _check_common(metadata)
    html = "<div" in response or "<script" in response or "echarts" in response.lower()
    assert metadata["contains_html"] is html
    assert metadata["content_type"] == ("html" if html else "markdown")
    assert metadata["status"] == "complete"
    for name in LISTS:
        assert metadata.get(name) != [], f"{name} is absent where it is empty"
    assert all(isinstance(question, str) and question for question in metadata.get("recommended_questions", ()))
    assert "```python" not in response
    saved = metadata.get("saved_codes", [])
    assert PLACEHOLDER.findall(response) == [(code["code_id"], code["description"]) for code in saved]
    for code in saved:
        assert list(code) == ["code_id", "file_path", "description", "original_length"]
        assert code["file_path"] == f"data/{code['code_id']}.py"
        assert isinstance(code["original_length"], int)
