"""A process that reports in structured rounds and dies as it stores an event: `python -m … URL FOLDER NUMBER`.

The model asks for two calls in each of three rounds and then reports what they returned; each call leaves a line in a
file.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.support.service_bench import Bench, Items, bench
from tests.support.structured_bench import KINDS, FixedTools, call, calls, report

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.structured.agent import Structured
from tablewright.domain.events import EventBody
from tablewright.domain.ids import SystemClock, Uuid7Ids
from tablewright.domain.scope import Scope
from tablewright.domain.task import StructuredRound
from tablewright.models.base import ModelRequest, ToolSpec
from tablewright.models.scripted import ScriptedModel
from tablewright.service.runs.leases import process_alive, this_instance
from tablewright.store.run_store import Batch
from tablewright.store.sql import SqlStore
from tablewright.tools.base import ToolContext, ToolResult

ROUNDS = 3


def says(request: ModelRequest) -> str:
    """Ask for two calls, or report the texts of all outcomes."""
    task = request.task
    assert isinstance(task, StructuredRound)
    if len(task.rounds) < ROUNDS:
        wanted = [call("note", f"r{task.round}{name}", text=f"{task.round}{name}") for name in "ab"]
        return calls(*wanted, number=task.round)
    return report(" ".join(outcome.text for each in task.rounds for outcome in each.outcomes), number=task.round)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteTool:
    """Adds a line to a file, once what has happened so far is stored."""

    file: Path
    stored: Callable[[], Awaitable[None]]

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(name="note", description="Note.", parameters={"type": "object", "properties": {"text": {}}})

    async def call(self, arguments: Mapping[str, Any], context: ToolContext) -> AsyncIterator[EventBody | ToolResult]:
        await self.stored()
        with self.file.open("a") as file:
            file.write(f"{arguments['text']}\n")
        yield ToolResult(text=str(arguments["text"]))


def service_on(store: SqlStore, folder: Path) -> Bench:
    """Return a service of one process on the shared `store` and `folder`."""

    def script(given: AgentInput, context: AgentContext) -> Items:
        assert context.stored is not None
        agent = Structured(tools=FixedTools(given=[NoteTool(file=folder / "notes", stored=context.stored)]))
        return agent.run(given, replace(context, model=ScriptedModel(says)))

    instance = this_instance(Uuid7Ids().new(), SystemClock().now())
    return bench(folder, script, store=store, instance=instance, alive=process_alive, kinds=KINDS)


async def main(url: str, folder: Path, number: int) -> None:
    """Begin a report, tell its id, and die with the event of this number: before it is stored if that is odd."""
    store = SqlStore(url)
    await store.open()
    append, stored = store.log.append, 0

    async def dying(scope: Scope, batch: Batch) -> int:
        nonlocal stored
        dies = stored < number <= stored + len(batch.events)
        stored += len(batch.events)
        if dies and number % 2:
            os.kill(os.getpid(), signal.SIGKILL)
        last = await append(scope, batch)
        if dies:
            os.kill(os.getpid(), signal.SIGKILL)
        return last

    store.log.append = dying  # type: ignore[method-assign]
    service = service_on(store, folder)
    await service.runs.open_up()
    run = await service.ask("", mode="report")
    sys.stdout.write(f"{run.id}\n")
    sys.stdout.flush()
    await service.events(run)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])))
