"""How long text waits for what follows it: once for all runs of a process."""

from __future__ import annotations

import asyncio

from tablewright.domain.ids import Clock

LINGER_S = 0.05


class Linger:
    """Ends the waits of all that wait at the same time, so that what they hold is written in the same transaction.

    Nobody waits longer than `LINGER_S`, and who comes while others wait already waits less. A timer for each would cost
    as much as the text that it waits for, and each would come to the store by itself.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._waiting: set[asyncio.Event] = set()
        self._timer: asyncio.Task[None] | None = None

    async def over(self, urgent: asyncio.Event) -> None:
        """Return once `urgent` is set, as it is when the linger is over."""
        self._waiting.add(urgent)
        if self._timer is None:
            self._timer = asyncio.create_task(self._end(), name="linger")
        try:
            await urgent.wait()
        finally:
            self._waiting.discard(urgent)
            if not self._waiting and self._timer is not None:
                self._timer.cancel()
                self._timer = None

    async def _end(self) -> None:
        await self._clock.sleep(LINGER_S)
        self._timer = None
        waiting, self._waiting = self._waiting, set()
        for urgent in waiting:
            urgent.set()
