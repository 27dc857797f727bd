"""Errors as OpenAI writes them: `{error: {message, type, param, code}}`, with the statuses that its clients know."""

from __future__ import annotations

from typing import Any

from tablewright import errors
from tablewright.api.error_bodies import ErrorAnswer
from tablewright.domain.language import Language
from tablewright.domain.run import RunFailure
from tablewright.texts.errors import error_text

PATHS = "/v1/"
CODES = {errors.Unauthorized.code: "invalid_api_key", errors.ModelUnknown.code: "model_not_found"}
"""Errors that have a name of their own on this wire; all others keep ours."""
STATUSES = {errors.ModelUnknown.code: 404}
TYPES = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}
PASSING = frozenset({408, 429, 500, 502, 503, 504})
"""Statuses with which the same request may succeed later: a client should try no other again."""


def openai_fault(status: int, body: dict[str, Any]) -> ErrorAnswer:
    """Return an error of ours as this wire has it. What cannot be used is a 400 here, never a 422 or 415."""
    fault: dict[str, Any] = body["error"]
    code = str(fault.get("code", ""))
    status = STATUSES.get(code, 400 if status in {415, 422} else status)
    told = written(status, code, str(fault.get("message", "")), fault.get("field"))
    return ErrorAnswer(status=status, body=told, headers={"x-should-retry": "true" if status in PASSING else "false"})


def written(status: int, code: str, message: str, field: str | None = None) -> dict[str, Any]:
    """Return the body of an error."""
    if code == errors.NotFound.code and field == "model":
        code = errors.ModelUnknown.code
    kind = TYPES.get(status, "server_error" if status >= 500 else "invalid_request_error")
    return {"error": {"message": message, "type": kind, "param": field, "code": CODES.get(code, code)}}


def failure_written(status: int, failure: RunFailure, language: Language) -> dict[str, Any]:
    """Return the error for a run that ended without an answer."""
    words = error_text(failure.code, language, failure.params)
    return written(400 if status in {415, 422} else status, failure.code, words)
