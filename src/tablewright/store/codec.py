"""The stored form of values: JSON text, according to their types."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any, get_args

from pydantic import Field
from pydantic_core import PydanticSerializationError

from tablewright.domain.codec import from_json, to_json, to_python
from tablewright.domain.events import DELTAS, EventBody
from tablewright.domain.inbox import InboxItem
from tablewright.domain.naming import storable


def _type_of(kind: type[EventBody]) -> str:
    return str(kind.__dataclass_fields__["type"].default)


DELTA_TYPES = tuple(map(_type_of, DELTAS))
"""The type names of `DELTAS` in JSON."""
KINDS: dict[str, Any] = {_type_of(kind): kind for kind in get_args(EventBody)}
"""Every event's body by its type's name in JSON."""
StoredBody = Annotated[EventBody, Field(discriminator="type")]
StoredItem = Annotated[InboxItem, Field(discriminator="type")]


@dataclass(frozen=True, slots=True)
class _Typed:
    """The part of a stored body that says what it is."""

    type: str


def encode(kind: Any, value: object) -> str:
    """Return `value` of type `kind` as JSON text; characters that UTF-8 cannot encode are replaced."""
    try:
        return to_json(kind, value).decode()
    except (PydanticSerializationError, UnicodeEncodeError):
        return json.dumps(_storable(to_python(kind, value)), ensure_ascii=False, separators=(",", ":"))


def encode_body(body: EventBody) -> str:
    """Return an event's body as JSON text."""
    return encode(type(body), body)


def decode_body(text: str) -> EventBody:
    """Decode a body written by `encode_body`.

    What reads one type is made with the first of them; to make what reads all takes longer than most runs read events.
    """
    body: EventBody = from_json(KINDS.get(from_json(_Typed, text).type, StoredBody), text)
    return body


def as_stored(body: EventBody) -> EventBody:
    """Return what `decode_body` makes of the stored form of `body`.

    That is the body itself where it has nothing but texts that can be encoded, as most events of a run do.
    """
    if isinstance(body, DELTAS) and all(map(_is_storable, (body.text, body.step_id, body.task_id, body.parent_id))):
        return body
    return from_json(type(body), encode_body(body))


def _is_storable(text: str | None) -> bool:
    if text is None or text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {storable(str(key)): _storable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_storable(item) for item in value]
    return value
