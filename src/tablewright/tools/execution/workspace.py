"""The sandbox session of a run: leased when code is first seen, released at the end."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from tablewright.errors import TablewrightError
from tablewright.sandbox.base import Input, LeaseScope, Sandbox, Session


class Workspace:
    """Holds at most one lease.

    `prepare` starts leasing without waiting, so that a worker is ready while the model writes.
    """

    def __init__(self, sandbox: Sandbox, scope: LeaseScope, inputs: Sequence[Input] = ()) -> None:
        self._sandbox = sandbox
        self._scope = scope
        self._inputs = tuple(inputs)
        self._lease: asyncio.Task[Session] | None = None

    @property
    def used(self) -> bool:
        """Whether leasing has been started."""
        return self._lease is not None

    @property
    def leased(self) -> bool:
        """Whether there is a session now."""
        lease = self._lease
        return lease is not None and lease.done() and not lease.cancelled() and lease.exception() is None

    async def add(self, file: Input) -> bool:
        """Let the session read a further file; False if it runs with another file of that name, or is lost."""
        if self._lease is not None:
            try:
                session = await self.session()
            except TablewrightError:  # whoever runs code next is told of it
                return False
            return await session.add((file,))
        self._inputs = (*(one for one in self._inputs if one.name != file.name), file)
        return True

    def prepare(self) -> None:
        """Start leasing a session, unless that has been done."""
        if self._lease is None:
            acquired = self._sandbox.acquire(self._scope, self._inputs)
            self._lease = asyncio.ensure_future(acquired)

    async def session(self) -> Session:
        """Return the session; raises what `Sandbox.acquire` raises."""
        self.prepare()
        assert self._lease is not None
        return await asyncio.shield(self._lease)

    async def release(self) -> None:
        """Release the session, or stop waiting for it."""
        lease, self._lease = self._lease, None
        if lease is None:
            return
        lease.cancel()
        await asyncio.wait((lease,))
        if not lease.cancelled() and lease.exception() is None:
            await lease.result().release()
