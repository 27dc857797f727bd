"""What a run does before its agent begins, once its question is stored: bringing what its client has sent with it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tablewright.domain.notice import Notice


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """The files that the run is about, if they are known only now, and what the person should know of them."""

    file_ids: tuple[str, ...] = ()
    warnings: tuple[Notice, ...] = ()


Preparation = Callable[[], Awaitable[Prepared]]
"""Called once, by the process that started the run. What it raises is what the run ends with."""
