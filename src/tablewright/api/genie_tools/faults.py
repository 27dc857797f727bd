"""Errors of the tool services: as everywhere under `/v1/`, but for a file that is not there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tablewright.api.chat_completions.documents import openai_faults
from tablewright.api.chat_completions.faults import openai_fault
from tablewright.api.error_bodies import ErrorAnswer
from tablewright.api.schemas.chat_completions import OpenAiError

MISSING = 500
"""What programs of this wire take for a file that is not there; a 404 is to them a service that is not there."""


def missing_fault(status: int, body: dict[str, Any]) -> ErrorAnswer:
    """Return an error of the route that finds a file by name."""
    answer = openai_fault(status, body)
    return replace(answer, status=MISSING) if answer.status == 404 else answer


def tool_faults(*statuses: int, missing: bool = False) -> dict[int | str, dict[str, Any]]:
    """Say that a route may answer `statuses`; with `missing`, that it says so of a file that is not there."""
    more: dict[int | str, dict[str, Any]] = (
        {MISSING: {"model": OpenAiError, "description": "There is no such file."}} if missing else {}
    )
    return {**openai_faults(*statuses), **more}
