"""Identifiers and time. Both are injected: no other code reads a clock or a random source directly."""

from __future__ import annotations

import asyncio
import os
import time
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import Protocol
from uuid import UUID


class Ids(Protocol):
    """A source of new identifiers."""

    def new(self) -> str:
        """Return a new unique identifier; later ones sort after earlier ones."""
        ...


class Clock(Protocol):
    """A source of time."""

    def now(self) -> datetime:
        """Return the wall-clock time in UTC."""
        ...

    def monotonic(self) -> float:
        """Return seconds that never run backwards; only differences are meaningful."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return after `seconds` on this clock."""
        ...


def uuid7(milliseconds: int, entropy: bytes) -> UUID:
    """Build a version 7 UUID (RFC 9562) from a Unix time in ms and 10 random bytes."""
    value = (milliseconds & 0xFFFF_FFFF_FFFF) << 80 | int.from_bytes(entropy[:10], "big")
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return UUID(int=value)


class Uuid7Ids:
    """Identifiers that sort by creation time, also within a millisecond or when the clock goes back."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._milliseconds = 0
        self._random = 0

    def new(self) -> str:
        with self._lock:
            now = time.time_ns() // 1_000_000
            if now > self._milliseconds:
                self._milliseconds = now
                # the highest counting bit stays unset, so that the counter cannot overflow
                self._random = int.from_bytes(os.urandom(10)) & ~(1 << 61)
            else:
                self._random += 1 + int.from_bytes(os.urandom(4))
            return str(uuid7(self._milliseconds, self._random.to_bytes(10)))


class SystemClock:
    """The system clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class CountingIds:
    """A fake source of identifiers: `prefix-0001`, `prefix-0002`, …"""

    def __init__(self, prefix: str = "id") -> None:
        self._prefix = prefix
        self._count = 0

    def new(self) -> str:
        self._count += 1
        return f"{self._prefix}-{self._count:04d}"


class ManualClock:
    """A fake clock. Time stands still until `advance` is called, which wakes sleepers whose time has come."""

    def __init__(self, start: datetime = datetime(2026, 1, 1, tzinfo=UTC)) -> None:
        self._now = start
        self._monotonic = 0.0
        self._advanced = asyncio.Condition()

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return self._monotonic

    async def sleep(self, seconds: float) -> None:
        until = self._monotonic + seconds
        async with self._advanced:
            await self._advanced.wait_for(lambda: self._monotonic >= until)

    async def advance(self, seconds: float) -> None:
        """Advance this clock by `seconds`."""
        async with self._advanced:
            self._monotonic += seconds
            self._now += timedelta(seconds=seconds)
            self._advanced.notify_all()
