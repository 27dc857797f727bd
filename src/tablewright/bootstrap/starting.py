"""A sandbox that starts while other work goes on: who needs a session waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from tablewright.errors import SandboxUnavailable, TablewrightError
from tablewright.sandbox.base import Input, LeaseScope, Level, Limits, PoolStats, Sandbox, Session


class StartingSandbox:
    """Wraps a sandbox whose start takes a while or fails: the failure is raised to whoever needs a session.

    A start that failed is tried again by the next who needs it, so that a repair needs no restart of the service."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._starting: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to start; returns at once."""
        self._starting = asyncio.create_task(self._sandbox.start(), name="sandbox start")
        self._starting.add_done_callback(_seen)

    async def ready(self) -> None:
        """Return when sessions can be had; raises what keeps the sandbox from starting."""
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
        """Whether sessions can be had now."""
        return self._starting is not None and self._starting.done() and not _failed(self._starting)

    async def stop(self) -> None:
        if self._starting is not None and not self._starting.done():
            self._starting.cancel()
            await asyncio.wait((self._starting,))
        await self._sandbox.stop()

    async def acquire(self, scope: LeaseScope, inputs: Sequence[Input] = (), limits: Limits | None = None) -> Session:
        await self.ready()
        return await self._sandbox.acquire(scope, inputs, limits)

    def level(self) -> Level:
        return self._sandbox.level() if self.started else Level.NONE

    def stats(self) -> PoolStats:
        return self._sandbox.stats()


def _failed(task: asyncio.Task[None]) -> bool:
    return task.cancelled() or task.exception() is not None


def _seen(task: asyncio.Task[None]) -> None:
    """Look at the outcome, so that a failed start that nobody needed is not reported as forgotten."""
    if not task.cancelled():
        task.exception()
