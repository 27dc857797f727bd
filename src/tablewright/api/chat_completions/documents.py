"""What the OpenAPI document says of the errors of this wire."""

from __future__ import annotations

from typing import Any

from tablewright.api.schemas.chat_completions import OpenAiError

DESCRIPTIONS = {
    400: "The request, or a file in it, is not usable, or asks for something that there is not.",
    401: "A key is needed.",
    403: "Not allowed.",
    404: "No such model or file, or not the caller's.",
    409: "The state does not allow it now.",
    413: "The request, or the file, is too large.",
    502: "The model, or its endpoint, failed.",
    503: "Not now.",
    504: "The model took too long.",
    507: "No space left.",
}


def openai_faults(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Say that a route may answer `statuses`, each with an error of this wire."""
    return {status: {"model": OpenAiError, "description": DESCRIPTIONS[status]} for status in (401, 403, *statuses)}
