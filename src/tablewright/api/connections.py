"""Limits on connections: how many there may be, and how long a client may keep the server waiting.

A client that opens many connections, or sends its requests a byte at a time, would otherwise use up the descriptors of
the process. A connection that is being answered, such as an event stream, may last as long as it likes, and so may a
transfer that makes progress.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, Protocol

DESCRIPTORS_KEPT = 256
"""Descriptors for everything other than connections: the database, sandboxes, files."""
DESCRIPTORS_MOST = 65_536
LEAST = 16

Wait = Literal["headers", "body", "reader"]
"""What the server waits for: a request, the rest of its body, or that its answer is taken."""
Refusal = Literal["client", "all"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionLimits:
    """How many connections there may be in all and from one address, and how long they may stand still.

    The headers of a request must arrive within `headers_s`. Of its body, at least `progress_bytes` must arrive within
    any `idle_s`; of an answer, something must be taken within any `idle_s`.
    """

    total: int = 2000
    per_client: int = 256
    headers_s: float = 20.0
    idle_s: float = 30.0
    progress_bytes: int = 1024


class Connection(Protocol):
    """A connection as seen from here."""

    @property
    def address(self) -> str:
        """The address of the client."""
        ...

    @property
    def heard_at(self) -> float:
        """When the client last sent something."""
        ...

    def waits_for(self) -> Wait | None:
        """Return what the client keeps the server waiting for, or None while it is being answered."""
        ...

    def measure(self, wait: Wait) -> int:
        """Return a number that changes with progress: of requests, of bytes received, or of bytes not yet sent."""
        ...

    def end(self, wait: Wait) -> None:
        """End the connection, which has kept the server waiting."""
        ...


@dataclass(slots=True)
class _Watch:
    wait: Wait | None
    mark: int
    since: float


class Connections:
    """The open connections."""

    def __init__(self, limits: ConnectionLimits | None = None, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self._limits = limits or ConnectionLimits()
        self._open: dict[str, dict[Connection, _Watch]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._open.values()))

    def admit(self, connection: Connection) -> Refusal | None:
        """Add a connection, or return which limit forbids it.

        At a limit, the connection that has kept the server waiting the longest is ended to make room; a new one is
        refused only if all the others are being answered.
        """
        mine = self._open.get(connection.address, {})
        if len(mine) >= self._limits.per_client and not self._end_longest(mine):
            return "client"
        if len(self) >= self._limits.total:
            largest = max(self._open.values(), key=len)
            everyone = (other for others in self._open.values() for other in others)
            if not self._end_longest(largest) and not self._end_longest(everyone):
                return "all"
        watch = _Watch(wait="headers", mark=connection.measure("headers"), since=self.now())
        self._open.setdefault(connection.address, {})[connection] = watch
        return None

    def forget(self, connection: Connection) -> None:
        """Remove a connection that has ended."""
        mine = self._open.get(connection.address, {})
        mine.pop(connection, None)
        if not mine:
            self._open.pop(connection.address, None)

    async def sweep(self) -> None:
        """End the connections that have stood still for too long. To be called about once a second."""
        now = self.now()
        for connection, watch in [pair for mine in self._open.values() for pair in mine.items()]:
            wait = connection.waits_for()
            if wait is None or wait != watch.wait or self._moved(connection, wait, watch.mark):
                watch.wait, watch.since = wait, now
                watch.mark = 0 if wait is None else connection.measure(wait)
            elif now - watch.since > (self._limits.headers_s if wait == "headers" else self._limits.idle_s):
                self.forget(connection)
                connection.end(wait)

    def _moved(self, connection: Connection, wait: Wait, mark: int) -> bool:
        moved = abs(connection.measure(wait) - mark)
        return moved >= (self._limits.progress_bytes if wait == "body" else 1)

    def _end_longest(self, among: Iterable[Connection]) -> bool:
        waiting = [connection for connection in among if connection.waits_for() in {"headers", "body"}]
        if not waiting:
            return False
        longest = min(waiting, key=lambda connection: connection.heard_at)
        self.forget(longest)
        longest.end(longest.waits_for() or "headers")
        return True


def raise_descriptor_limit() -> int:
    """Raise the number of descriptors that this process may have open as far as is allowed; return the number."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = DESCRIPTORS_MOST if hard == resource.RLIM_INFINITY else min(hard, DESCRIPTORS_MOST)
    if soft == resource.RLIM_INFINITY:
        return DESCRIPTORS_MOST
    if soft < most:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def affordable(descriptors: int, wanted: int) -> int:
    """Return how many of `wanted` connections `descriptors` suffice for: each may also have a file open."""
    return max(min(wanted, (descriptors - DESCRIPTORS_KEPT) // 2), LEAST)
