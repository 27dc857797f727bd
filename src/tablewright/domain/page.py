"""A part of a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[T]):
    """Some items in order; `next_cursor` (opaque) asks for those after them, None when these are the last."""

    items: tuple[T, ...]
    next_cursor: str | None = None
