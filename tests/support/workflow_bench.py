"""Workflows on the real runs service: definitions in short, a bench, and what is seen of a run."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.support.patience import found
from tests.support.service_bench import Bench, Script, bench

from tablewright.domain.events import Event, NodeFinished, NodeOutput, NodeStarted
from tablewright.domain.run import OpenRequest, RequestAnswer, Run, RunLimits
from tablewright.domain.workflow import Workflow
from tablewright.service.runs.kinds import AgentKind, AgentKinds
from tablewright.service.runs.runs import Ask
from tablewright.store.base import Store
from tablewright.store.run_store import Instance
from tablewright.workflows.definition import of_values
from tablewright.workflows.engine import ServicesOf, WorkflowAgent
from tablewright.workflows.memory import Function, MemoryServices
from tablewright.workflows.opening import WORKFLOW, opening

KIND = AgentKind(limits=RunLimits(tokens=1_000_000, wall_clock_s=3_600.0), takeover=True)
CHILD = AgentKind(limits=RunLimits(tokens=10_000, wall_clock_s=3_600.0), takeover=True)


def node(name: str, kind: str, **config: Any) -> dict[str, Any]:
    return {"id": name, "kind": kind, **config}


def edges(*ways: str) -> list[dict[str, str]]:
    """Return edges: `a > b > c`, with a port as `a:true > b`."""
    made: list[dict[str, str]] = []
    for way in ways:
        names = [name.strip() for name in way.split(">")]
        for source, target in pairwise(names):
            name, _, port = source.partition(":")
            made.append({"source": name, "target": target.partition(":")[0], **({"port": port} if port else {})})
    return made


def workflow(nodes: Sequence[dict[str, Any]], *ways: str, name: str = "flow", **more: Any) -> Workflow:
    values = {"id": name, "name": name, "nodes": list(nodes), "edges": edges(*ways), **more}
    return of_values(values)


class WorkflowBench:
    """A service whose runs are workflows; `functions` are their tools and code, `agents` the agents of their nodes.

    `services` makes what nodes use in place of the fake.
    """

    def __init__(
        self,
        folder: Path,
        functions: Mapping[str, Function] | None = None,
        *,
        workflows: Sequence[Workflow] = (),
        agents: Mapping[str, Script] | None = None,
        store: Store | None = None,
        instance: Instance | None = None,
        services: ServicesOf | None = None,
        **more: Any,
    ) -> None:
        self.services = MemoryServices(functions, workflows=workflows)
        agent = WorkflowAgent(services or (lambda _given, _context: self.services))
        others: dict[str, Script] = {WORKFLOW: agent.run, **(agents or {})}
        kinds = AgentKinds({WORKFLOW: KIND, **dict.fromkeys(agents or {}, CHILD)})
        self.bench: Bench = bench(folder, agent.run, store=store, others=others, kinds=kinds, instance=instance, **more)

    async def start(self, definition: Workflow, inputs: Mapping[str, Any] | None = None, **more: Any) -> Run:
        conversation = await self.bench.conversations.create(self.bench.scope)
        told = opening(definition, inputs or {})
        ask = Ask(text=definition.name, agent=WORKFLOW, mode="workflow", opening=(told,), **more)
        return await self.bench.runs.start(self.bench.scope, conversation.id, ask)

    async def ended(self, run: Run) -> Run:
        await self.bench.events(run)
        return await self.bench.runs.get(self.bench.scope, run.id)

    async def open_requests(self, run: Run, count: int) -> tuple[OpenRequest, ...]:
        """Return the open requests of a run, once there are so many."""

        async def look() -> tuple[OpenRequest, ...] | None:
            asked = await self.bench.runs.requests(self.bench.scope, run.id)
            left = tuple(request for request in asked if request.answer is None)
            return left if len(left) == count else None

        return await found(look)

    async def state(self, run: Run, state: str) -> Run:
        """Return the run, once it is in a state."""

        async def look() -> Run | None:
            now = await self.bench.runs.get(self.bench.scope, run.id)
            return now if now.state == state else None

        return await found(look)

    async def answer(self, request: OpenRequest, text: str | None = None, **values: Any) -> None:
        answer = RequestAnswer(decision="answer", text=text, values=values or None)
        await self.bench.runs.answer(self.bench.scope, request.run_id, request.id, answer)

    async def log(self, run: Run) -> list[Event]:
        """Return what the run itself has written so far."""
        return list(await self.bench.store.log.events(self.bench.scope, run.id, own=True))

    async def places(self, run: Run, kind: type[NodeStarted | NodeFinished] = NodeFinished) -> list[str]:
        """Return the places of nodes that began or ended, in order."""
        return [place_of(event.body) for event in await self.log(run) if isinstance(event.body, kind)]

    async def outputs(self, run: Run) -> dict[str, Any]:
        """Return what nodes put out, by place."""
        return {
            place_of(event.body): event.body.output
            for event in await self.log(run)
            if isinstance(event.body, NodeOutput)
        }

    async def close(self) -> None:
        await self.bench.runs.close()


def place_of(body: NodeStarted | NodeFinished | NodeOutput) -> str:
    return f"{body.path}/{body.node_id}" if body.path else body.node_id


class Gate:
    """A function that says it has begun, and goes on when it is let."""

    def __init__(self, result: Any = "ok") -> None:
        self.begun = asyncio.Event()
        self.free = asyncio.Event()
        self.result = result

    async def __call__(self, given: Mapping[str, Any], key: str) -> Any:
        self.begun.set()
        await self.free.wait()
        return self.result
