"""A sandbox that starts in the background: whoever needs a session waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tablewright.errors import SandboxUnavailable, TablewrightError
from tablewright.sandbox.base import Input, Layer, LeaseScope, Level, Limits, PoolStats, Sandbox, Session

if TYPE_CHECKING:
    from tablewright.metrics import Metrics


class LazySandbox:
    """Wraps a sandbox whose start takes a while or may fail; a failure is raised to whoever needs a session.

    A failed start is repeated by the next caller that needs the sandbox, so that a repair requires no restart.
    """

    def __init__(self, sandbox: Sandbox, metrics: Metrics | None = None) -> None:
        self._sandbox = sandbox
        self._metrics = metrics
        self._starting: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start in the background; returns at once."""
        self._starting = asyncio.create_task(self._sandbox.start(), name="sandbox start")
        self._starting.add_done_callback(_seen)

    async def ready(self) -> None:
        """Wait until sessions are available; raises what prevents the sandbox from starting."""
        if self._starting is None or (self._starting.done() and _failed(self._starting)):
            await self.start()
        assert self._starting is not None
        try:
            await asyncio.shield(self._starting)
        except TablewrightError:
            raise
        except Exception as error:
            raise SandboxUnavailable("sandbox_start_failed", words=str(error)) from error

    @property
    def started(self) -> bool:
        """Whether sessions are available now."""
        return self._starting is not None and self._starting.done() and not _failed(self._starting)

    async def stop(self) -> None:
        if self._starting is not None and not self._starting.done():
            self._starting.cancel()
            await asyncio.wait((self._starting,))
        await self._sandbox.stop()

    async def acquire(self, scope: LeaseScope, inputs: Sequence[Input] = (), limits: Limits | None = None) -> Session:
        result = "lost"
        try:
            await self.ready()
            session = await self._sandbox.acquire(scope, inputs, limits)
            result = "ok"
        except TablewrightError as error:
            result = error.code
            raise
        finally:
            if self._metrics is not None:
                self._metrics.leases.labels(result).inc()
        return session

    def level(self) -> Level:
        return self._sandbox.level() if self.started else Level.NONE

    def layers(self) -> tuple[Layer, ...]:
        return self._sandbox.layers() if self.started else ()

    def stats(self) -> PoolStats:
        return self._sandbox.stats()


def _failed(task: asyncio.Task[None]) -> bool:
    return task.cancelled() or task.exception() is not None


def _seen(task: asyncio.Task[None]) -> None:
    """Retrieve the outcome, so that a failed start that nobody awaited is not reported as unretrieved."""
    if not task.cancelled():
        task.exception()
