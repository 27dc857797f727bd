"""What the OpenAPI document says beyond the routes' own types: errors, the event stream, uploads."""

from __future__ import annotations

from functools import cache
from typing import Any

from fastapi import FastAPI
from pydantic import TypeAdapter

from tablewright.api.genie import paths as genie
from tablewright.api.schemas.chat_completions import ChatChunk
from tablewright.api.schemas.native import ErrorBody
from tablewright.api.schemas.workflow_chat import ChatFrame
from tablewright.domain.events import Event

REFS = "#/components/schemas/{model}"
EVENT_STREAM: dict[str, Any] = {
    "description": "Server-sent events: `id` is the seq, `event` the body's type, `data` an Event as JSON. "
    "A comment is sent every 15 seconds.",
    "content": {"text/event-stream": {"schema": {"$ref": "#/components/schemas/Event"}}},
}
UPLOAD: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {"file": {"type": "string", "format": "binary", "description": "The file."}},
                }
            }
        },
    }
}
BINARY = {"schema": {"type": "string", "format": "binary"}}


def content_of(*kinds: str) -> dict[str, Any]:
    """Say that a route answers with the bytes of a file of one of `kinds`."""
    return {"content": dict.fromkeys(kinds, BINARY), "description": "The bytes."}


DESCRIPTIONS = {
    401: "A key is needed.",
    403: "Not allowed.",
    404: "No such thing, or not the caller's.",
    409: "The state does not allow it now.",
    413: "The file is too large.",
    415: "No reader for this kind of file.",
    422: "The request, or the file in it, is not usable.",
    502: "The model, or its endpoint, failed.",
    503: "Not now.",
    504: "The model took too long.",
    507: "No space left.",
}


def faults(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Say that a route may answer `statuses`, each with the body of an error."""
    return {status: {"model": ErrorBody, "description": DESCRIPTIONS[status]} for status in (401, 403, *statuses)}


def complete(app: FastAPI) -> None:
    """Have `app`'s document define the events and the frames of chats, which no JSON response mentions."""
    made = app.openapi

    @cache
    def openapi() -> dict[str, Any]:
        document = made()
        schemas: dict[str, Any] = document["components"]["schemas"]
        event = TypeAdapter(Event).json_schema(ref_template=REFS, mode="serialization")
        for name, schema in event.pop("$defs").items():
            known = schemas.setdefault(name, schema)
            if known.get("properties", {}).keys() != schema.get("properties", {}).keys():
                raise ValueError(f"two schemas are called {name}")
        schemas["Event"] = event
        for name, frame in (("ChatFrame", ChatFrame), ("ChatChunk", ChatChunk)):
            schemas[name] = TypeAdapter(frame).json_schema(ref_template=REFS, mode="serialization")
            schemas.update(schemas[name].pop("$defs", {}))
        _without_422(document["paths"])
        return document

    app.openapi = openapi  # type: ignore[method-assign]  # the documented way to extend it


def _without_422(paths: dict[str, Any]) -> None:
    """Take out of other wires what only our own has: in that of OpenAI it is a 400, in Genie's a frame."""
    for path, methods in paths.items():
        for operation in methods.values() if path.startswith(("/v1/", genie.WEB, genie.DATA, genie.AUTO_AGENT)) else ():
            operation["responses"].pop("422", None)
