"""Cursors of lists: where a page ended, opaque to who gives it back."""

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
    """Return how many items a page may have when `limit` are asked for."""
    return max(1, min(limit, PAGE_LIMIT))


def write_cursor(*parts: str | int) -> str:
    """Make a cursor of the last item's sort key."""
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


def read_cursor(cursor: str, *kinds: type[str | int]) -> tuple[str | int, ...]:
    """Return the sort key of `write_cursor`; `InvalidInput` for anything else."""
    try:
        parts = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (binascii.Error, ValueError) as error:
        raise InvalidInput("this cursor is not one of ours", field="cursor") from error
    if not isinstance(parts, list) or [type(part) for part in parts] != list(kinds):
        raise InvalidInput("this cursor is not one of ours", field="cursor")
    return tuple(parts)


def page_of(found: Sequence[T], limit: int, key: Callable[[T], tuple[str | int, ...]]) -> Page[T]:
    """Make a page of up to `limit` items of `found`, which holds one more when there are more."""
    items = tuple(found[:limit])
    return Page(items=items, next_cursor=write_cursor(*key(items[-1])) if len(found) > limit else None)
