"""What a person types in a chat, as the answer to a request."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from tablewright.domain.run import OpenRequest, RequestAnswer
from tablewright.service.workflow_chat.consent import consent_in
from tablewright.workflows.state import SUBJECT


def answer_of(request: OpenRequest, message: str, *, continue_words: Collection[str]) -> RequestAnswer:
    """Return the answer that `message` is. What asks for consent is only given it by a clear yes.

    A node of a workflow fails when it is rejected, which therefore takes a clear no: other words are handed to it as
    they are, and it asks again. Others that ask for consent are told by such words what is wanted instead.
    """
    if request.kind != "question":
        verdict = consent_in(message, continue_words)
        if verdict == "yes":
            return RequestAnswer(decision="approve")
        unclear = verdict is None and request.subject_kind == SUBJECT
        return RequestAnswer(decision="answer" if unclear else "reject", text=message)
    values = _values(request.schema, message) if "properties" in (request.schema or {}) else None
    if values is not None:
        return RequestAnswer(decision="answer", values=values)
    return RequestAnswer(decision="answer", text=message)


def _values(schema: Mapping[str, Any] | None, message: str) -> dict[str, Any] | None:
    """Return the fields of a form: as JSON, or the only field of a form that has one."""
    try:
        read = json.loads(message)
    except ValueError:
        read = None
    if isinstance(read, dict):
        return read
    properties = (schema or {}).get("properties")
    if not isinstance(properties, Mapping) or len(properties) != 1:
        return None
    ((name, field),) = properties.items()
    textual = not isinstance(field, Mapping) or field.get("type", "string") == "string"
    return {str(name): message if textual or read is None else read}
