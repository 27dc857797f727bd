"""A plan whose processes are killed at appends, and what must be true of it in the end.

Four of its tasks are carried out at the same time: one of them fails, and one hangs until its time is over. Each leaves
a trace of what it did outside; the model says the same whoever asks it.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.mortal_store import Life, Mortal
from tests.support.patience import PATIENCE_S, found
from tests.support.plan_bench import CHILD, PlanBench, plan_bench
from tests.support.work_bench import called, planning, results

from tablewright.agent.plan_solve.rules import PlanRules
from tablewright.domain.events import EventBody, PlanUpdated, RunFinished, RunStarted
from tablewright.domain.ids import ManualClock, SystemClock, Uuid7Ids
from tablewright.domain.run import Run, RunLimits
from tablewright.domain.scope import Scope
from tablewright.domain.task import PlanTasks, SumUp, UseTools
from tablewright.errors import ModelRejected, RunLimit
from tablewright.models.base import ModelRequest, ToolSpec
from tablewright.models.scripted import Fail, Reply, ScriptedModel
from tablewright.models.window import unpaired
from tablewright.service.runs.leases import process_alive
from tablewright.service.runs.parts import LEASE
from tablewright.store.base import Store
from tablewright.store.run_store import Instance
from tablewright.store.sql import SqlStore
from tablewright.texts.errors import error_text
from tablewright.tools.base import ToolContext, ToolResult

SLOW, FAILS, HANGS = "a", "fails", "hangs"
TASKS = (SLOW, FAILS, HANGS, "b", "c")
STEPS = ("a<sep>fails<sep>hangs<sep>b", "c")
OUTCOMES = {SLOW: "completed", FAILS: "failed", HANGS: "limit", "b": "completed", "c": "completed"}
AT_ONCE = 4
TASK_S = 60.0
RULES = PlanRules(
    at_once=AT_ONCE, task_limits=RunLimits(steps=CHILD.limits.steps, tokens=CHILD.limits.tokens, wall_clock_s=TASK_S)
)
REJECTED = ModelRejected(model="m")
CUT = RunLimit(limit="wall_clock_s", value=TASK_S)


@dataclass(frozen=True, slots=True)
class Letters:
    """Says what the planner, an executor or the one who sums up says: it follows from the task and what was done."""

    act: Callable[[str], None]

    def __call__(self, request: ModelRequest) -> Reply:
        task = request.task
        if isinstance(task, PlanTasks):
            if task.plan is None:
                return Reply.of("I plan.", planning("create", title="Letters", steps=[*STEPS]))
            return Reply.of("Go on.") if task.plan.next is not None else Reply.of(planning("finish"))
        if isinstance(task, SumUp):
            return Reply.of("\n".join(f"{done.text}: {done.result}" for done in task.tasks))
        assert isinstance(task, UseTools)
        if task.question == FAILS:
            self.act(FAILS)
            return Reply.of(Fail(error=REJECTED))
        return self._executed(task.question, request)

    @staticmethod
    def _executed(word: str, request: ModelRequest) -> Reply:
        """Act once, or twice for the one that is slower than those after it."""
        made = sum(part.text == word for part in results(request))
        if made == 1 + (word == SLOW):
            return Reply.of(f"{word} ", "is done.")
        return Reply.of("I act.", called("act", f"call-{word}-{made}", word=word))


@dataclass(frozen=True, slots=True)
class ActTool:
    """Does something outside, and returns its word; of one word it never returns."""

    act: Callable[[str], None]
    hang: Callable[[ToolContext], Awaitable[None]]

    @property
    def spec(self) -> ToolSpec:
        properties = {"word": {"type": "string"}}
        return ToolSpec(name="act", description="Acts.", parameters={"type": "object", "properties": properties})

    async def call(self, arguments: Mapping[str, Any], context: ToolContext) -> AsyncIterator[EventBody | ToolResult]:
        word = str(arguments["word"])
        self.act(word)
        if word == HANGS:
            await self.hang(context)
        await asyncio.sleep(0)
        yield ToolResult(text=word)


@dataclass(frozen=True, slots=True)
class Hanging:
    """Hangs, and lets the time of a task pass once the others of its step have ended."""

    store: Store
    clock: ManualClock

    async def __call__(self, context: ToolContext) -> None:
        scope = Scope()
        parent = (await self.store.runs.get(scope, context.run_id)).parent_id
        assert parent is not None

        async def alone() -> bool | None:
            children = await self.store.runs.children(scope, parent)
            others = [child for child in children if child.id != context.run_id]
            return all(child.state == "finished" for child in others) or None

        await found(alone)
        await self.clock.advance(TASK_S + 1)
        await asyncio.Event().wait()


async def check(told: PlanBench, store: Store, run: Run, acted: list[str], kept: Counter[str], kills: int) -> None:
    """Assert that nothing was lost or doubled, and that nothing of what had ended (`kept`) was done again."""
    scope = told.bench.scope
    ended = await store.runs.get(scope, run.id)
    assert ended.outcome == "completed", ended.failure
    log = await store.log.events(scope, run.id, limit=100_000)
    assert [event.seq for event in log] == list(range(1, len(log) + 1))
    children = await store.runs.children(scope, run.id)
    assert Counter(child.question for child in children) == Counter(TASKS)
    for child in children:
        bodies = [event.body for event in log if event.run_id == child.id]
        assert sum(isinstance(body, RunStarted) for body in bodies) == 1
        assert sum(isinstance(body, RunFinished) for body in bodies) == 1
        assert child.outcome == OUTCOMES[child.question]
        left = unpaired(await store.log.transcript(scope, child.id))
        assert left == (("call-hangs-0",) if child.question == HANGS else ())
    assert unpaired(await store.log.transcript(scope, run.id)) == ()
    plans = [event.body.plan for event in log if isinstance(event.body, PlanUpdated)]
    assert [step.status for step in plans[-1].steps] == ["completed", "completed"]
    assert plans[-1].round == len(STEPS)
    await _check_memory(store, ended, {child.question: child for child in children})
    _check_effects(Counter(acted), kept, kills)


async def _check_memory(store: Store, run: Run, children: Mapping[str, Run]) -> None:
    """Assert that what the tasks came to is told in their order, to the next task and in the answer."""
    words = {task: f"{task} is done." for task in TASKS}
    for task, code in ((FAILS, REJECTED.code), (HANGS, CUT.code)):
        failure = children[task].failure
        assert failure is not None
        assert failure.code == code
        words[task] = error_text(code, "en", failure.params)
    assert run.answer is not None
    assert run.answer.text == "\n".join(f"{task}: {words[task]}" for task in TASKS)
    read = "\n".join(message.text for message in await store.log.transcript(Scope(), children["c"].id))
    places = [read.index(words[task]) for task in TASKS]
    assert places == sorted(places)


def _check_effects(did: Counter[str], kept: Counter[str], kills: int) -> None:
    once = Counter(TASKS) + Counter([SLOW])
    assert {task: did[task] for task in kept} == dict(kept)
    assert all(once[task] <= did[task] <= once[task] + kills for task in TASKS)
    assert did.keys() <= once.keys()


async def kept_of(store: Store, run_id: str, acted: list[str]) -> Counter[str]:
    """Return how often the tasks have acted that have ended."""
    children = await store.runs.children(Scope(), run_id)
    over = {child.question for child in children if child.state == "finished"}
    return Counter(word for word in acted if word in over)


class PlanHistory:
    """A run of the plan: begun, killed and taken up by further processes on one store."""

    def __init__(self, store: Store, folder: Path) -> None:
        self.store = store
        self.kills = 0
        self.acted: list[str] = []
        self.kept = Counter[str]()
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
            self.kept = await kept_of(self.store, self.run.id, self.acted)
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
        store = Mortal(self.store, life)
        return plan_bench(
            self._folder,
            ScriptedModel(Letters(self._act), clock=self._clock),
            [ActTool(self._act, Hanging(store, self._clock))],
            rules=RULES,
            store=store,
            instance=instance,
            clock=self._clock,
            alive=lambda pid: pid == number,
        )


def service_on(store: SqlStore, folder: Path, instance: Instance) -> PlanBench:
    """Return a service of one process on the shared `store` and `folder`; its time passes where a task hangs."""
    effects = folder / "effects"
    clock = ManualClock(SystemClock().now())

    def act(word: str) -> None:
        with effects.open("a") as file:
            file.write(f"{word}\n")

    return plan_bench(
        folder,
        ScriptedModel(Letters(act), clock=clock),
        [ActTool(act, Hanging(store, clock))],
        rules=RULES,
        store=store,
        instance=instance,
        clock=clock,
        alive=process_alive,
    )
