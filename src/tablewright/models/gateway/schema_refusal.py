"""Tell an endpoint that refuses the schema of an answer from one that refuses anything else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pydantic_ai.exceptions import ModelHTTPError

STATUSES = frozenset({400, 422})
"""What endpoints answer to a parameter that they do not know or cannot follow."""

_SCHEMA = re.compile(
    r"response[ _.]?(?:format|schema|json[ _]?schema|mime[ _]?type)|output[ _.]?(?:format|config|schema)"
    r"|json[ _]?schema|structured[ _]outputs?|guided[ _](?:json|decoding)|\bgrammar\b",
    re.IGNORECASE,
)
_ECHOED = frozenset({"input", "request", "body", "ctx", "url"})
"""Fields of an error that repeat what was sent, which names the schema whatever the error is."""


def refuses_schema(error: Exception) -> bool:
    """Return whether `error` refuses a request, one with a schema, because of that schema."""
    if not isinstance(error, ModelHTTPError) or error.status_code not in STATUSES:
        return False
    return any(_SCHEMA.search(words) for words in _words(error.body))


def _words(body: Any) -> Iterator[str]:
    """Yield the texts of an error's body, and the path of what it is about (FastAPI's `loc`) joined by points."""
    if isinstance(body, str):
        yield body
    elif isinstance(body, dict):
        for name, value in body.items():
            if name not in _ECHOED:
                yield from _words(value)
    elif isinstance(body, list):
        yield ".".join(part for part in body if isinstance(part, str))
        for value in body:
            if not isinstance(value, str):
                yield from _words(value)
