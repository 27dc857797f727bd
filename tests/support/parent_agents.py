"""A parent with four children, all of which can be taken over, and leave traces of what they did outside.

Each step of a child first says what it is about to do, waits until that is stored, and then adds a line to a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.support.service_bench import Bench, Items, Script, bench

from tablewright.agent.base import AgentContext, AgentInput, ChildTask
from tablewright.domain.answer import Answer
from tablewright.domain.events import AnswerCompleted, ProgressReported, TextFinished
from tablewright.domain.run import Run, RunLimits
from tablewright.service.runs.kinds import AgentKind, AgentKinds
from tablewright.service.runs.leases import process_alive
from tablewright.store.run_store import Instance
from tablewright.store.sql import SqlStore

TASKS = ("a", "b", "c", "d")
STEPS = 3
KIND = AgentKind(limits=RunLimits(tokens=1_000, wall_clock_s=3_600.0), takeover=True)
KINDS = AgentKinds({"parent": KIND, "child": KIND})


def scripts(effects: Path) -> Mapping[str, Script]:
    """Return the two agents; a child's effects are lines of `effects`."""

    async def child(given: AgentInput, context: AgentContext) -> Items:
        assert context.stored is not None
        said = [event.body for event in given.log]
        begun = [body.message for body in said if isinstance(body, ProgressReported)]
        done = {body.text for body in said if isinstance(body, TextFinished)}
        for step in (f"{given.question}{number}" for number in range(STEPS)):
            if step in done:
                continue
            if step not in begun:
                yield ProgressReported(message=step)
                await context.stored()
            act(effects, step)
            yield TextFinished(text=step)
        yield _answer(given.question)

    async def parent(given: AgentInput, context: AgentContext) -> Items:
        assert context.children is not None
        await context.children.start(*(ChildTask(task_id=task, agent="child", question=task) for task in TASKS))
        children = await context.children.settled()
        yield _answer(" ".join(child.answer.text if child.answer else str(child.outcome) for child in children))

    return {"parent": parent, "child": child}


def act(effects: Path, step: str) -> None:
    """Add a line for the step, unless it is there: what had begun may have been done, as with an idempotency key."""
    if not effects.exists() or step not in effects.read_text().split():
        with effects.open("a") as file:
            file.write(f"{step}\n")


def _answer(text: str) -> AnswerCompleted:
    return AnswerCompleted(answer=Answer(text=text, outcome="completed"))


def service_on(store: SqlStore, folder: Path, instance: Instance) -> Bench:
    """Return a service of one process on the shared `store` and `folder`."""
    others = scripts(folder / "effects")
    parent = others["parent"]
    return bench(folder, parent, store=store, instance=instance, alive=process_alive, others=others, kinds=KINDS)


async def whole(service: Bench, run: Run) -> None:
    """Assert that nothing of the run was lost or doubled, and that its stream has no gap."""
    events = await service.events(run)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    ended = await service.runs.get(service.scope, run.id)
    assert ended.answer is not None
    assert ended.answer.text == " ".join(TASKS)
    children = await service.store.runs.children(service.scope, run.id)
    assert [child.task_id for child in children] == list(TASKS)
    for child in children:
        own = [event.body for event in await service.events(child)]
        assert sum(body.type == "run.started" for body in own) == 1
        assert sum(body.type == "run.finished" for body in own) == 1
        for kind in (ProgressReported, TextFinished):
            assert sum(isinstance(body, kind) for body in own) == STEPS
