"""A page of a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[T]):
    """Some items in order. `next_cursor` (opaque) requests the items after them; None if there are no more."""

    items: tuple[T, ...]
    next_cursor: str | None = None
