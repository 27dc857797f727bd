"""Cursors of paged lists: the position where a page ended, opaque to clients."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from typing import TypeVar

from tablewright.domain.page import Page
from tablewright.errors import InvalidInput

T = TypeVar("T")
PAGE_LIMIT = 1000


def bounded(limit: int) -> int:
    """Return the page size used when `limit` items are requested."""
    return max(1, min(limit, PAGE_LIMIT))


def write_cursor(*parts: str | int) -> str:
    """Encode the last item's sort key as a cursor."""
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


def read_cursor(cursor: str, *kinds: type[str | int]) -> tuple[str | int, ...]:
    """Decode a cursor from `write_cursor` to its sort key. Raises `InvalidInput` for anything else."""
    try:
        parts = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (binascii.Error, ValueError) as error:
        raise InvalidInput("cursor_unknown", field="cursor") from error
    if not isinstance(parts, list) or [type(part) for part in parts] != list(kinds):
        raise InvalidInput("cursor_unknown", field="cursor")
    return tuple(parts)


def page_of(found: Sequence[T], limit: int, key: Callable[[T], tuple[str | int, ...]]) -> Page[T]:
    """Return a page of up to `limit` items. `found` contains an additional item if there are more."""
    items = tuple(found[:limit])
    return Page(items=items, next_cursor=write_cursor(*key(items[-1])) if len(found) > limit else None)
