"""One workflow on processes that are killed at appends, and what must be true of it in the end."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.support.mortal_store import Life, Mortal
from tests.support.patience import PATIENCE_S
from tests.support.reference_interpreter import FAILED, Fails, Interpreter
from tests.support.service_bench import Items
from tests.support.workflow_bench import WorkflowBench, node, workflow

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.domain.answer import Answer
from tablewright.domain.events import AnswerCompleted, NodeOutput
from tablewright.domain.ids import ManualClock, Uuid7Ids
from tablewright.domain.run import OpenRequest, RequestAnswer, Run
from tablewright.domain.workflow import (
    AgentNode,
    AskUserNode,
    Node,
    StartNode,
    SubWorkflowNode,
    TemplateNode,
    ToolNode,
    WaitNode,
    Workflow,
)
from tablewright.domain.workflow.definition import all_nodes
from tablewright.errors import NodeFailed
from tablewright.service.runs.leases import LOSSES
from tablewright.service.runs.parts import LEASE
from tablewright.store.base import Store
from tablewright.store.run_store import Instance
from tablewright.workflows.expressions.language import template

MOST_TURNS = 64
"""More turns than loops in loops of random workflows have."""
Death = tuple[int, bool] | None
"""The appends until a process dies, and whether the last of them arrives; or it lives on."""
INNER = workflow(
    [
        node("start", "start"),
        node("asked", "ask_user", prompt="?"),
        node("acted", "tool", tool="act"),
        node("end", "end", text="{{ asked.text }}{{ acted.text }}"),
    ],
    "start > asked > acted > end",
    name="inner",
)


def effect(one: Node, variables: Mapping[str, Any], place: str) -> Any:
    """Return what the nodes of a random workflow come to; tools and people say where they were asked."""
    match one:
        case StartNode():
            return variables["inputs"]
        case TemplateNode(text=text):
            return {"text": template(text).evaluate(variables)}
        case ToolNode(arguments=given, retry=retry) if given.get("fails", 0) >= retry.attempts:
            raise Fails(place)
        case AgentNode():
            return {"text": "<helper>", "columns": [], "rows": [], "files": []}
        case WaitNode():
            return WAITED
        case ToolNode():
            return {"text": f"<{place}>"}
        case AskUserNode():
            return {"text": f"<{place}>"} if not one.expires else ANSWERED
        case SubWorkflowNode():
            return {"text": "<asked><acted>", "outputs": {}}
        case _:
            raise AssertionError(one)


WAITED, ANSWERED = {"until": "…"}, {"text": "…", "expired": "…"}
"""What depends on when something happened."""


def plain(value: Any) -> Any:
    """Return an output without what depends on when something happened, and on which failure came first."""
    match value:
        case {"error": {"code": _}}:
            return FAILED
        case {"until": str(), **rest} if not rest:
            return WAITED
        case {"text": _, "expired": _, **rest} if not rest:
            return ANSWERED
        case dict():
            return {name: plain(each) for name, each in value.items()}
        case list():
            return [plain(each) for each in value]
        case _:
            return value


async def helps(given: AgentInput, _context: AgentContext) -> Items:
    """Answer as an agent."""
    yield AnswerCompleted(answer=Answer(text="<helper>", outcome="completed"))


class WorkflowHistory:
    """A run of `definition`: begun, answered, killed and taken up by further processes on one store."""

    def __init__(self, definition: Workflow, store: Store, folder: Path) -> None:
        self.definition = definition
        self.store = store
        self.kills = 0
        self._losses = 0
        self.acted: list[str] = []
        self._folder = folder
        self._clock = ManualClock()
        self._ids = Uuid7Ids()
        self._alive: set[int] = set()
        self.life = Life()
        self.bench: WorkflowBench
        self.run: Run

    async def begin(self, death: Death = None) -> None:
        """Start the first process, and the run in it."""
        self._born()
        self.run = await self.bench.start(self.definition)
        self.doom(death)
        await self.quiet()

    def doom(self, death: Death) -> None:
        """Let the process die at one of its next appends."""
        if death is not None and not self.life.dead and self._losses < LOSSES:
            self.life.left, self.life.written = death

    async def answer(self, *places: int) -> None:
        """Answer open requests, all at the same time."""
        asked = await self.open()
        chosen = {place % len(asked): asked[place % len(asked)] for place in places} if asked else {}
        await asyncio.gather(*map(self._answer, chosen.values()), return_exceptions=True)
        await self.quiet()

    async def pass_time(self, seconds: float) -> None:
        """Let time pass while the run rests, and wake what has waited for it."""
        if self.life.dead:
            return
        await self._clock.advance(seconds)
        leases = self.bench.bench.leases
        for look in (leases.beat, leases.wake_due):  # the process may die meanwhile
            await asyncio.gather(look(), return_exceptions=True)
        await self.quiet()

    async def restart(self, death: Death = None) -> None:
        """Start another process where the last was killed."""
        if not self.life.dead:
            return
        self.kills += 1
        self._losses += 1
        left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        self._alive.clear()
        self._born()
        self.doom(death)
        await asyncio.gather(self.bench.bench.runs.open_up(), return_exceptions=True)
        await self._clock.advance(2 * LEASE.total_seconds())
        await asyncio.gather(self.bench.bench.leases.beat(), return_exceptions=True)
        await self.quiet()

    async def finish(self) -> None:
        """Bring the run to its end without further deaths."""
        async with asyncio.timeout(PATIENCE_S):
            while (await self._now()).state != "finished":
                await self.restart()
                self.life.left = None
                await self.answer(*range(10))
                await self.pass_time(1_000)
                await asyncio.sleep(0)
        await self.restart()  # it may have died with the end of the run
        await self.bench.close()

    async def quiet(self) -> None:
        """Return once the run rests or has ended, or its process has died."""
        async with asyncio.timeout(PATIENCE_S):
            while not self.life.dead:
                children = await self.store.runs.children(self.bench.bench.scope, self.run.id)
                states = {each.state for each in (await self._now(), *children)}
                if states <= {"waiting", "finished"}:
                    self._losses = 0  # a run that rests has survived
                    return
                await asyncio.sleep(0)

    async def open(self) -> list[OpenRequest]:
        """Return the open requests."""
        asked = await self.store.log.requests(self.bench.bench.scope, self.run.id)
        return [request for request in asked if request.answer is None]

    async def check(self) -> None:
        """Assert that it came to what a plain interpreter comes to, and did nothing outside more often than it may."""
        ended = await self._now()
        expected, outputs = Interpreter(self.definition, effect), None
        try:
            outputs = expected.run({})
        except Fails:
            assert ended.outcome == "failed"
        else:
            assert ended.outcome == "completed", ended.failure
        log = await self.store.log.events(self.bench.bench.scope, self.run.id, limit=100_000)
        assert [event.seq for event in log] == list(range(1, len(log) + 1))
        own = [event.body for event in log if event.run_id == self.run.id]
        given = [body for body in own if isinstance(body, NodeOutput) and not body.path]
        assert len(given) == len({body.node_id for body in given})
        told = {body.node_id: plain(body.output) for body in given}
        assert outputs is None or told == {name: plain(each) for name, each in outputs.items()}
        self._check_effects(expected)

    def _check_effects(self, expected: Interpreter) -> None:
        kinds = {placed.id: placed for placed in _nodes(self.definition)}
        ran = [(place, kinds[place.rpartition("/")[2]]) for place in expected.ran]
        inner = sum(isinstance(each, SubWorkflowNode) for _, each in ran)
        tools = [(place, each) for place, each in ran if isinstance(each, ToolNode)]
        wanted = Counter({f"{place}#{n}": 1 for place, each in tools for n in range(1, attempts_of(each) + 1)})
        if inner:
            wanted["acted#1"] = inner
        did = Counter(self.acted)
        if expected.cut:  # what a failure was too late or too early for, nobody can tell
            inner = sum(isinstance(each, SubWorkflowNode) for each in kinds.values()) * MOST_TURNS
            assert all(count <= (inner if key == "acted#1" else 1) * (1 + self.kills) for key, count in did.items())
            return
        assert set(did) == set(wanted)
        for key, count in did.items():
            # a death may interrupt each of those that share a key, as those of several inner workflows do
            assert wanted[key] <= count <= wanted[key] * (1 + self.kills)

    async def _now(self) -> Run:
        return await self.store.runs.get(self.bench.bench.scope, self.run.id)

    async def _answer(self, request: OpenRequest) -> None:
        place = (request.subject_ref or "").rpartition("#")[0]
        answer = RequestAnswer(decision="answer", text=f"<{place}>")
        await self.bench.bench.runs.answer(self.bench.bench.scope, self.run.id, request.id, answer)

    async def _act(self, given: Mapping[str, Any], key: str) -> str:
        self.life.check()
        self.acted.append(key)
        await asyncio.sleep(0)
        if int(key.rpartition("#")[2]) <= given.get("fails", 0):
            raise NodeFailed(words="no")
        return f"<{key.rpartition('#')[0]}>"

    def _born(self) -> None:
        self.life = Life()
        number = self.kills + 1
        self._alive.add(number)
        instance = Instance(id=self._ids.new(), host="here", pid=number, boot_id="boot", heartbeat_at=self._clock.now())
        self.bench = WorkflowBench(
            self._folder,
            {"act": self._act},
            workflows=(INNER,),
            agents={"helper": helps},
            store=Mortal(self.store, self.life),
            instance=instance,
            clock=self._clock,
            alive=lambda pid: pid in self._alive,
        )


def attempts_of(node: ToolNode) -> int:
    """Return how often a tool is tried until it works or fails for good."""
    return min(int(node.arguments.get("fails", 0)) + 1, node.retry.attempts)


def _nodes(definition: Workflow) -> list[Node]:
    return [placed.node for placed in all_nodes(definition)]
