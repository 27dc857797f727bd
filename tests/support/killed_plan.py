"""A plan of three tasks on processes that are killed at appends, and what must be true of it in the end.

Each task calls a tool that leaves a trace of what it did outside; the model says the same whoever asks it.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.mortal_store import Life, Mortal
from tests.support.patience import PATIENCE_S
from tests.support.plan_bench import PlanBench, plan_bench
from tests.support.work_bench import called, planning

from tablewright.domain.events import EventBody, PlanUpdated, RunFinished, RunStarted
from tablewright.domain.ids import ManualClock, Uuid7Ids
from tablewright.domain.message import ToolResultPart
from tablewright.domain.run import Run
from tablewright.domain.task import PlanTasks, SumUp, UseTools
from tablewright.models.base import ModelRequest, ToolSpec
from tablewright.models.scripted import Reply, ScriptedModel
from tablewright.models.window import unpaired
from tablewright.service.runs.leases import process_alive
from tablewright.service.runs.parts import LEASE
from tablewright.store.base import Store
from tablewright.store.run_store import Instance
from tablewright.store.sql import SqlStore
from tablewright.tools.base import ToolContext, ToolResult

TASKS = ("a", "b", "c")
STEPS = ("a<sep>b", "c")
ANSWER = "a is done. b is done. c is done."


def says(request: ModelRequest) -> Reply:
    """Say what the planner, an executor or the one who sums up says: it follows from the task alone."""
    task = request.task
    if isinstance(task, PlanTasks):
        if task.plan is None:
            return Reply.of("I plan.", planning("create", title="Letters", steps=[*STEPS]))
        return Reply.of("Go on.") if task.plan.next is not None else Reply.of(planning("finish"))
    if isinstance(task, SumUp):
        return Reply.of(" ".join(done.result for done in task.tasks))
    assert isinstance(task, UseTools)
    made = [part for message in request.messages for part in message.parts if isinstance(part, ToolResultPart)]
    if any(part.text == task.question for part in made):
        return Reply.of(f"{task.question} ", "is done.")
    return Reply.of("I act.", called("act", f"call-{task.question}", word=task.question))


@dataclass(frozen=True, slots=True)
class ActTool:
    """Does something outside, and returns its word."""

    act: Callable[[str], None]

    @property
    def spec(self) -> ToolSpec:
        properties = {"word": {"type": "string"}}
        return ToolSpec(name="act", description="Acts.", parameters={"type": "object", "properties": properties})

    async def call(self, arguments: Mapping[str, Any], context: ToolContext) -> AsyncIterator[EventBody | ToolResult]:
        self.act(str(arguments["word"]))
        await asyncio.sleep(0)
        yield ToolResult(text=str(arguments["word"]))


async def check(told: PlanBench, store: Store, run: Run, acted: list[str], kills: int) -> None:
    """Assert that nothing was lost, and that nothing that had ended was done again."""
    scope = told.bench.scope
    ended = await store.runs.get(scope, run.id)
    assert ended.outcome == "completed", ended.failure
    assert ended.answer is not None
    assert ended.answer.text == ANSWER
    log = await store.log.events(scope, run.id, limit=100_000)
    assert [event.seq for event in log] == list(range(1, len(log) + 1))
    children = await store.runs.children(scope, run.id)
    assert sorted((child.task_id, child.question) for child in children) == [("1.1", "a"), ("1.2", "b"), ("2.1", "c")]
    for child in children:
        bodies = [event.body for event in log if event.run_id == child.id]
        assert sum(isinstance(body, RunStarted) for body in bodies) == 1
        assert sum(isinstance(body, RunFinished) for body in bodies) == 1
        assert unpaired(await store.log.transcript(scope, child.id)) == ()
    assert unpaired(await store.log.transcript(scope, run.id)) == ()
    plans = [event.body.plan for event in log if isinstance(event.body, PlanUpdated)]
    assert [step.status for step in plans[-1].steps] == ["completed", "completed"]
    assert plans[-1].round == len(STEPS)
    did = Counter(acted)
    assert set(did) == set(TASKS)
    assert all(count <= 1 + kills for count in did.values())
    assert sum(did.values()) <= len(TASKS) + kills * 2  # two tasks at most work when a process dies


class PlanHistory:
    """A run of the plan: begun, killed and taken up by further processes on one store."""

    def __init__(self, store: Store, folder: Path) -> None:
        self.store = store
        self.kills = 0
        self.acted: list[str] = []
        self._folder = folder
        self._clock = ManualClock()
        self._ids = Uuid7Ids()
        self.life = Life()
        self.told = self._born()
        self.run: Run

    async def begin(self, left: int, *, written: bool) -> None:
        """Start the run in a process that dies with its append number `left`."""
        await self.told.bench.runs.open_up()
        self.life.left, self.life.written = left, written
        try:
            self.run = await self.told.start()
        except asyncio.CancelledError:
            if not self.life.dead:
                raise
        await self._quiet()

    async def finish(self) -> None:
        """Bring the run to its end in another process, if the first has died."""
        if self.life.dead:
            self.kills += 1
            left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)
            self.told = self._born()
            await self.told.bench.runs.open_up()
            await self._clock.advance(2 * LEASE.total_seconds())
            await self.told.bench.leases.beat()
        await self._quiet()
        await self.told.close()

    async def _quiet(self) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not self.life.dead:
                if (await self.store.runs.get(self.told.bench.scope, self.run.id)).state == "finished":
                    return
                await asyncio.sleep(0)

    def _act(self, word: str) -> None:
        self.life.check()
        self.acted.append(word)

    def _born(self) -> PlanBench:
        self.life = life = Life()
        number = self.kills + 1
        instance = Instance(id=self._ids.new(), host="here", pid=number, boot_id="boot", heartbeat_at=self._clock.now())
        return plan_bench(
            self._folder,
            ScriptedModel(says, clock=self._clock),
            [ActTool(self._act)],
            store=Mortal(self.store, life),
            instance=instance,
            clock=self._clock,
            alive=lambda pid: pid == number,
        )


def service_on(store: SqlStore, folder: Path, instance: Instance) -> PlanBench:
    """Return a service of one process on the shared `store` and `folder`."""
    effects = folder / "effects"

    def act(word: str) -> None:
        with effects.open("a") as file:
            file.write(f"{word}\n")

    model = ScriptedModel(says)
    return plan_bench(folder, model, [ActTool(act)], store=store, instance=instance, alive=process_alive)
