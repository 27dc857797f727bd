"""A service around a scripted agent: real store, bus, engine and leases; no model, no sandbox, no reader of tables."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.patience import PATIENCE_S

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.data.base import DatasetProfile, FileProfile, OpenLimits
from tablewright.domain.dataset import ColumnFacts, DatasetFacts, DistinctValues, ReadOptions
from tablewright.domain.events import Event, EventBody
from tablewright.domain.ids import Clock, Ids, SystemClock, Uuid7Ids
from tablewright.domain.message import TranscriptEntry
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope, SystemScope
from tablewright.domain.table import Table
from tablewright.errors import FileUnreadable
from tablewright.models.base import BUILTIN, Model
from tablewright.models.catalogue import Models
from tablewright.models.scripted import ScriptedModel
from tablewright.sandbox.base import Sandbox
from tablewright.sandbox.memory import MemorySandbox
from tablewright.service.conversations import Conversations
from tablewright.service.files.files import FileLimits, Files
from tablewright.service.runs.engine import RunEngine
from tablewright.service.runs.event_bus import EventBus
from tablewright.service.runs.kinds import AgentKinds
from tablewright.service.runs.leases import Leases
from tablewright.service.runs.parts import EngineParts
from tablewright.service.runs.runs import Ask, Runs
from tablewright.service.sessions.sessions import ConversationSessions
from tablewright.store.base import Store
from tablewright.store.blobs import BlobFolder
from tablewright.store.memory import MemoryStore
from tablewright.store.run_store import Instance
from tablewright.workbook.memory import MemoryEditor

Items = AsyncIterator[EventBody | TranscriptEntry]
Script = Callable[[AgentInput, AgentContext], Items]


class ScriptedAgent:
    """Plays `script`, and remembers what it was given at each iteration."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self.given: list[AgentInput] = []

    def run(self, given: AgentInput, context: AgentContext) -> Items:
        self.given.append(given)
        return self._script(given, context)


class PlainTables:
    """Reads a file as one table with one text column of its lines; `broken` is no table.

    While `free` is not set, files are being read.
    """

    def __init__(self) -> None:
        self.profiled: list[str] = []
        self.free = asyncio.Event()
        self.free.set()

    async def profile(self, path: Path, name: str, limits: OpenLimits | None = None) -> FileProfile:
        await self.free.wait()
        lines = (await asyncio.to_thread(path.read_text, encoding="utf-8")).splitlines()
        if "broken" in lines:
            raise FileUnreadable(name=name)
        self.profiled.append(name)
        facts = DatasetFacts(
            id="0",
            name=Path(name).stem,
            file_name=name,
            path=f"/data/shared/{name}",
            read=ReadOptions(kind="csv"),
            rows=len(lines),
            columns=(ColumnFacts(name="line", kind="text"),),
            sample=_table(lines[:3], len(lines)),
            profile_ref="",
        )
        values = {"line": DistinctValues(values=tuple(lines), counts=(1,) * len(lines), complete=True)}
        return FileProfile(kind="csv", datasets=(DatasetProfile(facts=facts, values=values),))

    async def preview(self, path: Path, name: str, *, sheet: str | int = 0, rows: int = 20) -> Table:
        lines = (await asyncio.to_thread(path.read_text, encoding="utf-8")).splitlines()
        return _table(lines[:rows], len(lines))

    async def uncomputed(self, path: Path, name: str) -> bool:
        return False


@dataclass(slots=True, kw_only=True)
class Bench:
    """The parts of one service process."""

    agent: ScriptedAgent
    others: Mapping[str, ScriptedAgent]
    store: Store
    blobs: BlobFolder
    tables: PlainTables
    bus: EventBus
    engine: RunEngine
    leases: Leases
    files: Files
    runs: Runs
    sessions: ConversationSessions
    conversations: Conversations
    ids: Ids
    scope: Scope = field(default_factory=Scope)

    @property
    def agents(self) -> tuple[ScriptedAgent, ...]:
        """All agents that runs may have."""
        return (self.agent, *self.others.values())

    async def ask(self, text: str = "how many?", **given: object) -> Run:
        """Ask in a new conversation."""
        conversation = await self.conversations.create(self.scope)
        return await self.runs.start(self.scope, conversation.id, Ask(text=text, **given))  # type: ignore[arg-type]

    async def events(self, run: Run, *, after: int = 0) -> list[Event]:
        """Watch a run to its end."""
        async with asyncio.timeout(PATIENCE_S):
            return [event async for event in self.runs.follow(self.scope, run.id, after=after)]

    async def types(self, run: Run) -> list[str]:
        """The wire words of a run's events, watched to its end."""
        return [event.body.type for event in await self.events(run)]

    async def settled(self, run: Run, scope: Scope | None = None) -> Run:
        """Return the run once this process no longer executes it: it has finished, or waits for a person."""
        working = [task for task in asyncio.all_tasks() if task.get_name() == f"run {run.id}"]
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*working)
        return await self.runs.get(scope or self.scope, run.id)


def bench(
    folder: Path,
    script: Script,
    *,
    store: Store | None = None,
    clock: Clock | None = None,
    ids: Ids | None = None,
    instance: Instance | None = None,
    limits: FileLimits | None = None,
    sandbox: Sandbox | None = None,
    alive: Callable[[int], bool] = lambda _: True,
    others: Mapping[str, Script] | None = None,
    kinds: AgentKinds | None = None,
    model: Model | None = None,
) -> Bench:
    """Put a service together; those of one `store` and `folder` share everything that is kept.

    A run that names its agent is played by that of `others`, any other by `script`.
    """
    clock, ids, store = clock or SystemClock(), ids or Uuid7Ids(), store or MemoryStore()
    instance = instance or Instance(id=ids.new(), host="here", pid=1, boot_id="boot", heartbeat_at=clock.now())
    system = SystemScope(instance_id=instance.id)
    blobs, tables, agent = BlobFolder(folder / "blobs", clock), PlainTables(), ScriptedAgent(script)
    by_name = {name: ScriptedAgent(other) for name, other in (others or {}).items()}
    model = model or ScriptedModel([], name=BUILTIN)
    models = Models({BUILTIN: model, model.name: model})
    bus = EventBus(store, clock)
    sessions = ConversationSessions(sandbox or MemorySandbox({}), store, clock)
    files = Files(store, blobs, tables=tables, editor=MemoryEditor(), clock=clock, ids=ids, limits=limits)
    parts = EngineParts(
        store=store, blobs=blobs, bus=bus, models=models, agents=lambda run: by_name.get(run.agent or "", agent),
        sessions=sessions, clock=clock, ids=ids, kinds=kinds or AgentKinds(), files=files,
    )  # fmt: skip
    engine = RunEngine(parts)
    leases = Leases(store, bus, engine, clock, system, instance=instance, alive=alive)
    runs = Runs(store, bus, engine, leases, models=models, clock=clock, ids=ids, kinds=kinds)
    return Bench(
        agent=agent,
        others=by_name,
        store=store,
        blobs=blobs,
        tables=tables,
        bus=bus,
        engine=engine,
        leases=leases,
        files=files,
        runs=runs,
        sessions=sessions,
        conversations=Conversations(store, runs, clock, ids, sessions=sessions),
        ids=ids,
    )


def _table(lines: Sequence[str], total: int) -> Table:
    return Table(columns=("line",), rows=tuple((line,) for line in lines), total_rows=total)
