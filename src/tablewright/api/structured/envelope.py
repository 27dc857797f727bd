"""Errors as clients of this wire expect them: `{success: false, error}`, whoever answers."""

from __future__ import annotations

from typing import Any

from tablewright.api.error_bodies import ErrorAnswer

PATHS = "/api/v1/agent/"


def enveloped(status: int, body: dict[str, Any]) -> ErrorAnswer:
    """Return an error of ours with `success: false`."""
    return ErrorAnswer(status=status, body={"success": False, **body})
