"""What spec/structured-responses.md says of the lines of a conversation's log, as assertions."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from tablewright.models.tokens import MESSAGE_TOKENS, estimate_text
from tablewright.telemetry import redact

JSON = dict[str, Any]
TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
FIELDS: Mapping[str, Mapping[str, type | tuple[type, ...]]] = {
    "round_start": {"round": int},
    "ModelInput": {"role": str, "content": str, "token_count": int},
    "ModelOutput": {"raw_content": str, "structured_response": (dict, type(None)), "token_count": int},
    "round_end": {"round": int, "duration_ms": int},
    "tool_call": {"tool_name": str, "tool_call_id": str, "arguments": dict},
    "code_saved": {"code_id": str, "file_path": str, "original_length": int, "description": str},
    "code_retrieved": {"code_id": str, "content_length": int, "truncated": bool},
    "context_cleaned": {"original_tokens": int, "cleaned_tokens": int, "saved_tokens": int, "method": str},
}
OF_EVENT = {
    "tool_call": "tool.started",
    "code_saved": "code.saved",
    "code_retrieved": "code.retrieved",
    "context_cleaned": "context.cleaned",
}
"""The stored events from which lines are made."""


def check_lines(lines: Sequence[JSON], bodies: Sequence[JSON], *, secrets: Sequence[str]) -> None:
    """Check every line of the log of a run that has ended: its fields, their order, and that they are what is stored.

    `bodies` are those of the run's stored events.
    """
    for line in lines:
        _check_fields(line)
        assert not any(secret in str(line) for secret in secrets), "a secret is in the log"
    _check_order(lines)
    for event, stored in OF_EVENT.items():
        logged = [{name: line[name] for name in FIELDS[event]} for line in lines if line.get("event") == event]
        assert logged == [_of_body(body, event) for body in bodies if body["type"] == stored]
    used = [body["output_tokens"] for body in bodies if body["type"] == "usage.reported"]
    counted = [line["token_count"] for line in lines if line["type"] == "ModelOutput"]
    assert _is_part(counted, used), f"the outputs have {counted}, and stored are {used}"
    answers = [line["structured_response"] for line in lines if line["type"] == "ModelOutput"]
    answered = sum(body["type"] == "round.answered" for body in bodies)
    assert sum(answer is not None for answer in answers) == answered


def _check_fields(line: JSON) -> None:
    kind = line["type"]
    fields = FIELDS[line["event"] if kind == "BackendProcessing" else kind]
    first = ["type", "timestamp", "event"] if kind == "BackendProcessing" else ["type", "timestamp"]
    assert list(line) == [*first, *fields], line
    assert TIMESTAMP.fullmatch(line["timestamp"])
    for name, kinds in fields.items():
        assert isinstance(line[name], kinds), line
    if kind == "ModelInput" and "***" not in line["content"]:
        assert line["token_count"] == math.ceil(MESSAGE_TOKENS + estimate_text(line["content"]))


def _check_order(lines: Sequence[JSON]) -> None:
    """Check that each round begins and ends, and that what it asked comes before what was done for it."""
    for number, block in enumerate(_blocks(lines), start=1):
        assert (block[0]["type"], block[-1]["type"]) == ("round_start", "round_end")
        assert block[0]["round"] == block[-1]["round"] == number
        kinds = [
            "asked" if line["type"] != "BackendProcessing" or line["event"] == "context_cleaned" else "done"
            for line in block[1:-1]
        ]
        assert kinds == sorted(kinds), kinds
    marks = [line["timestamp"] for line in lines if line["type"] in {"round_start", "round_end"}]
    assert all(one <= other for one, other in pairwise(marks))


def _blocks(lines: Sequence[JSON]) -> Iterator[list[JSON]]:
    block: list[JSON] = []
    for line in lines:
        block.append(line)
        if line["type"] == "round_end":
            yield block
            block = []
    assert not block, "the last round has no end"


def _of_body(body: JSON, event: str) -> JSON:
    if event == "tool_call":
        arguments = {
            name: redact(value) if isinstance(value, str) else value for name, value in body["arguments"].items()
        }
        return {"tool_name": body["name"], "tool_call_id": body["tool_call_id"], "arguments": arguments}
    return {name: body[name] for name in FIELDS[event]}


def _is_part(some: Sequence[int], of: Sequence[int]) -> bool:
    """Whether `some` come in `of`, in order: a call that a kill cut off was counted, and has no output."""
    left = iter(of)
    return all(any(each == other for other in left) for each in some)
