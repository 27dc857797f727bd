"""The child processes of one priority: those that are idle, and one that is started ahead of the next file."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from tablewright.data.child import Child
from tablewright.errors import ReadersUnavailable

log = logging.getLogger(__name__)


class Lane:
    """Provides child processes with `modules` imported; `background`: such that give way to others.

    One that has been idle for `idle_s` ends, the last of them not before the time that `needed_until` gives, by the
    loop's clock. One that is worn ends when another is there in its place.
    """

    def __init__(
        self,
        modules: tuple[str, ...],
        *,
        idle_s: float,
        background: bool = False,
        needed_until: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._modules = modules
        self._idle_s = idle_s
        self._background = background
        self._needed_until = needed_until
        self._idle: dict[Child, asyncio.TimerHandle] = {}
        self._ahead: asyncio.Task[None] | None = None
        self._awaited = False
        self._ending: set[asyncio.Task[None]] = set()

    @property
    def empty(self) -> bool:
        """Whether there is none that is idle or being started ahead."""
        return not self._idle and self._ahead is None

    async def take(self) -> Child:
        """Return an idle child process, or start one. Raises `ReadersUnavailable`."""
        while (child := self.spare()) is None:
            if self._ahead is None or self._awaited:
                return await self._start()
            self._awaited = True
            try:
                await asyncio.wait({self._ahead})
            finally:
                self._awaited = False
        return child

    def spare(self) -> Child | None:
        """Return the idle child process that was used last, if there is any."""
        while self._idle:
            child, timer = self._idle.popitem()
            timer.cancel()
            if child.alive:
                return child
        return None

    def keep(self, child: Child) -> None:
        """Keep an idle child process for the next file, for `idle_s`."""
        if child.worn and self._idle:
            self._end(child)
            return
        if child.worn:
            self.start_ahead()
        self._idle[child] = asyncio.get_running_loop().call_later(self._idle_s, self._retire, child)

    def start_ahead(self) -> asyncio.Task[None]:
        """Start a child process ahead of the next file, in the background, if none is being started."""
        if self._ahead is None:
            self._ahead = asyncio.create_task(self._fill())
            self._ahead.add_done_callback(self._filled)
        return self._ahead

    async def stop(self) -> None:
        """End the child processes that are not in use."""
        tasks = {*self._ending} if self._ahead is None else {*self._ending, self._ahead}
        if self._ahead is not None:
            self._ahead.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        idle = [*self._idle]
        for timer in self._idle.values():
            timer.cancel()
        self._idle.clear()
        await asyncio.gather(*(child.kill() for child in idle))

    async def _start(self) -> Child:
        try:
            return await Child.start(self._modules, background=self._background)
        except ReadersUnavailable as error:
            log.warning("a process that opens files did not start, and is tried once more: %s", error)
            return await Child.start(self._modules, background=self._background)

    async def _fill(self) -> None:
        child = await Child.start(self._modules, background=self._background)
        for worn in [idle for idle in self._idle if idle.worn]:
            self._idle.pop(worn).cancel()
            self._end(worn)
        self.keep(child)

    def _filled(self, task: asyncio.Task[None]) -> None:
        """Discard the error of a child process that did not start: the next file starts one and reports the problem."""
        self._ahead = None
        if not task.cancelled():
            task.exception()

    def _retire(self, child: Child) -> None:
        """End a child process that was not used for long."""
        del self._idle[child]
        loop = asyncio.get_running_loop()
        if not self._idle and (until := self._needed_until()) > loop.time():
            self._idle[child] = loop.call_at(until, self._retire, child)
        else:
            self._end(child)

    def _end(self, child: Child) -> None:
        task = asyncio.create_task(child.kill())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
