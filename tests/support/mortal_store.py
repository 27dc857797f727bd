"""A store as one process sees it until it is killed at an append: from then on nothing that it does arrives."""

from __future__ import annotations

import asyncio
import inspect
from dataclasses import dataclass
from typing import Any

PARTS = (
    "conversations",
    "files",
    "runs",
    "log",
    "instances",
    "workbooks",
    "faces",
    "connections",
    "workflows",
    "corrections",
    "shares",
)


@dataclass(slots=True)
class Life:
    """`left` appends until death, None for a long life; `written`: whether the last of them arrives."""

    left: int | None = None
    written: bool = True
    dead: bool = False

    def check(self) -> None:
        """End the task that still wants something from the store after death."""
        if self.dead:
            raise asyncio.CancelledError


class Mortal:
    """Passes everything on to `target` during `life`, and kills with the append that is the last."""

    def __init__(self, target: Any, life: Life) -> None:
        self._target = target
        self._life = life

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._target, name)
        if name in PARTS:
            return Mortal(found, self._life)
        if not inspect.iscoroutinefunction(found):
            return found
        return self._append(found) if name == "append" else self._passed(found)

    def _passed(self, call: Any) -> Any:
        async def passed(*given: Any, **named: Any) -> Any:
            self._life.check()
            result = await call(*given, **named)
            self._life.check()
            return result

        return passed

    def _append(self, call: Any) -> Any:
        async def append(*given: Any, **named: Any) -> Any:
            life = self._life
            life.check()
            last = life.left is not None and life.left <= 1
            life.left = None if life.left is None else life.left - 1
            life.dead = last
            if not last or life.written:
                result = await call(*given, **named)
                life.check()
                return result
            raise asyncio.CancelledError

        return append
