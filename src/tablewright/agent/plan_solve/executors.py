"""Carries out the tasks of a round: each is a child run, so many at the same time as are allowed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from tablewright.agent.base import Children, ChildTask
from tablewright.agent.emission import stopped
from tablewright.agent.plan_solve.news import News
from tablewright.domain.run import Run
from tablewright.errors import RunLimit


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnd:
    """The children of a round in the order of its tasks; `unbegun` tasks had no tokens left to begin with.

    `rests`: those that have not ended wait for a person.
    """

    children: tuple[Run, ...]
    unbegun: tuple[ChildTask, ...] = ()
    rests: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Executors:
    """Runs tasks as `children`. `news` tells that something has reached the parent meanwhile."""

    children: Children
    news: News
    at_once: int

    async def carry_out(self, tasks: Sequence[ChildTask]) -> RoundEnd:
        """Begin the tasks that have not begun, and return once all have ended, or wait for a person."""
        while True:
            end = await self._begun(tasks)
            if end.rests or (len(end.children) + len(end.unbegun) == len(tasks) and _ended(end.children)):
                return end
            await self._wait()

    async def _begun(self, tasks: Sequence[ChildTask]) -> RoundEnd:
        """Begin as many tasks as may be carried out now, and return how all of them are."""
        known = {child.task_id: child for child in await self.children.all()}
        mine = [known[task.task_id] for task in tasks if task.task_id in known]
        left = [task for task in tasks if task.task_id not in known]
        working = sum(child.state in {"queued", "running"} for child in mine)
        unbegun: tuple[ChildTask, ...] = ()
        if left and working < self.at_once:
            try:
                mine += await self.children.start(*left[: self.at_once - working])
            except RunLimit:
                unbegun = tuple(left)
            else:
                working = self.at_once
        waits = not working and any(child.state == "waiting" for child in mine)
        return RoundEnd(children=tuple(mine), unbegun=unbegun, rests=waits)

    async def _wait(self) -> None:
        """Wait until none of the children works any more, or something has reached the run: one has ended, perhaps."""
        waits = [asyncio.create_task(self.children.settled()), asyncio.create_task(self.news.come())]
        try:
            done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await stopped(*waits)
        for wait in done:
            wait.result()


def _ended(children: Sequence[Run]) -> bool:
    return all(child.state == "finished" for child in children)
