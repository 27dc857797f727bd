"""Plans on the real runs service: a planner and executors with a scripted model that is told what to say to whom."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.support.service_bench import Bench, Script, bench
from tests.support.structured_bench import FixedTools
from tests.support.work_bench import Says, planning

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.plan_solve.agent import PlanSolve
from tablewright.agent.plan_solve.rules import EXECUTOR, PlanRules
from tablewright.agent.react.agent import React
from tablewright.agent.react.rules import ToolRules
from tablewright.domain.answer import Answer
from tablewright.domain.events import Event, EventBody, PlanUpdated
from tablewright.domain.message import TranscriptEntry
from tablewright.domain.run import Run, RunLimits
from tablewright.domain.task import PlanTasks, SumUp, UseTools
from tablewright.models.base import Model, ModelRequest
from tablewright.models.scripted import Reply, ScriptedModel
from tablewright.service.runs.kinds import AgentKind, AgentKinds
from tablewright.store.base import Store
from tablewright.tools.base import Tool, ToolProvider

PARENT = AgentKind(limits=RunLimits(steps=40, tokens=10_000_000, wall_clock_s=3_600.0), takeover=True)
CHILD = AgentKind(limits=RunLimits(steps=40, tokens=1_000_000, wall_clock_s=3_600.0), takeover=True)
KINDS = AgentKinds({"plan_solve": PARENT, EXECUTOR: CHILD, "react": CHILD})


def plan(*steps: str, title: str = "The plan") -> Reply:
    """A planner's first turn."""
    return Reply.of("I plan.", planning("create", title=title, steps=[*steps]))


def finish() -> Reply:
    """A planner's last turn."""
    return Reply.of(planning("finish"))


@dataclass(slots=True, kw_only=True)
class Roles:
    """A script by roles: the planner takes its replies in order, executors answer by their task, the summary is one.

    What an executor says is a reply, a text, or a function of the request, which may call tools.
    """

    planner: Sequence[Reply | str]
    tasks: Mapping[str, Reply | str | Says] = field(default_factory=dict[str, "Reply | str | Says"])
    summary: Reply | str | Says = "All in all."
    turns: int = 0
    requests: list[ModelRequest] = field(default_factory=list[ModelRequest])

    def __call__(self, request: ModelRequest) -> Reply | str:
        self.requests.append(request)
        task = request.task
        if isinstance(task, PlanTasks):
            self.turns += 1
            return self.planner[self.turns - 1] if self.turns <= len(self.planner) else finish()
        if isinstance(task, SumUp):
            return self._said(self.summary, request)
        assert isinstance(task, UseTools)
        return self._said(self.tasks.get(task.question, f"Done: {task.question}"), request)

    @staticmethod
    def _said(words: Reply | str | Says, request: ModelRequest) -> Reply | str:
        return words(request) if callable(words) else words

    def of(self, kind: type) -> list[ModelRequest]:
        """The requests with tasks of a kind."""
        return [request for request in self.requests if isinstance(request.task, kind)]


@dataclass(slots=True, kw_only=True)
class PlanBench:
    """A service whose runs plan."""

    bench: Bench

    async def start(self, question: str = "Compare the years.", **more: object) -> Run:
        return await self.bench.ask(question, agent="plan_solve", mode="plan", **more)

    async def ended(self, run: Run) -> Run:
        await self.bench.events(run)
        return await self.bench.runs.get(self.bench.scope, run.id)

    async def answer(self, run: Run) -> Answer:
        answer = (await self.ended(run)).answer
        assert answer is not None
        return answer

    async def children(self, run: Run) -> tuple[Run, ...]:
        return await self.bench.store.runs.children(self.bench.scope, run.id)

    async def log(self, run: Run) -> list[Event]:
        return list(await self.bench.store.log.events(self.bench.scope, run.id, own=True))

    async def plans(self, run: Run) -> list[list[tuple[str, str]]]:
        """The steps of the plan and their states, as often as it was told."""
        bodies = [event.body for event in await self.log(run)]
        return [
            [(step.text, step.status) for step in body.plan.steps] for body in bodies if isinstance(body, PlanUpdated)
        ]

    async def close(self) -> None:
        await self.bench.runs.close()


def plan_bench(
    folder: Path,
    script: Roles | Model,
    tools: Sequence[Tool] | ToolProvider = (),
    *,
    rules: PlanRules | None = None,
    executor: ToolRules | None = None,
    store: Store | None = None,
    kinds: AgentKinds = KINDS,
    **more: object,
) -> PlanBench:
    """Return a service with a scripted model; executors have `tools`, which runs share, or a provider of them."""
    model = ScriptedModel(script) if isinstance(script, Roles) else script
    others = scripts(model, tools, rules=rules, executor=executor)
    made = bench(folder, others["react"], others=others, kinds=kinds, store=store, **more)  # type: ignore[arg-type]
    return PlanBench(bench=made)


def scripts(
    model: Model,
    tools: Sequence[Tool] | ToolProvider = (),
    *,
    rules: PlanRules | None = None,
    executor: ToolRules | None = None,
) -> dict[str, Script]:
    """Return the agents that work with tools, by their names, each with this model."""
    planner = PlanSolve(rules or PlanRules(at_once=4, task_limits=CHILD.limits))
    provider = FixedTools(given=tools) if isinstance(tools, Sequence) else tools
    doing = React(executor or ToolRules(part="executor"), provider)
    alone = React(ToolRules(), provider)
    return {
        "plan_solve": _with(planner.run, model),
        EXECUTOR: _with(doing.run, model),
        "react": _with(alone.run, model),
    }


def _with(script: Script, model: Model) -> Script:
    async def played(given: AgentInput, context: AgentContext) -> AsyncIterator[EventBody | TranscriptEntry]:
        async for item in script(given, replace(context, model=model)):
            yield item

    return played
