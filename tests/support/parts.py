"""Small stand-ins for the parts of an application: a sandbox that runs nothing, tables read by the csv module, an agent
that plays a script."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.support.service_bench import Items, Script, ScriptedAgent
from tests.support.workbooks import InlineWorker

from tablewright.agent.base import Agent, AgentContext, AgentInput
from tablewright.bootstrap.assembly import Adapters, open_app
from tablewright.bootstrap.databases import LazyDatabases
from tablewright.bootstrap.gauges import Loaded
from tablewright.bootstrap.workflows import WorkflowParts
from tablewright.data.base import ContentOptions, DatasetProfile, FileContent, FileProfile, FileReaders, OpenLimits
from tablewright.domain.answer import Answer
from tablewright.domain.column_shape import ColumnShape
from tablewright.domain.dataset import ColumnFacts, DatasetFacts, ReadOptions
from tablewright.domain.events import AnswerCompleted, OutputText, StepAnnounced, StepFinished, StepStarted
from tablewright.domain.ids import SystemClock, Uuid7Ids
from tablewright.domain.run import Run
from tablewright.domain.table import Table
from tablewright.errors import FileTooLarge, FileUnreadable, NotFound, SandboxUnavailable
from tablewright.metrics import Metrics
from tablewright.models.base import BUILTIN
from tablewright.models.catalogue import Models
from tablewright.models.scripted import ScriptedModel
from tablewright.sandbox.base import Input, Layer, LeaseScope, Level, Limits, PoolStats, Sandbox, Session
from tablewright.sandbox.lazy import LazySandbox
from tablewright.service.app import App
from tablewright.service.files.suggesting import NoQuestions, QuestionSuggester
from tablewright.service.runs.kinds import AgentKinds
from tablewright.store.blobs import BlobFolder
from tablewright.store.memory import MemoryStore
from tablewright.workbook.base import WorkbookEditor
from tablewright.workbook.package.editor import PackageEditor
from tablewright.workbook.package.viewer import PackageViewer
from tablewright.workbook.views import WorkbookViewer


class CsvTables:
    """Implements `FileReaders` for plain CSV."""

    async def profile(self, path: Path, name: str, limits: OpenLimits | None = None) -> FileProfile:
        table = self._read(path, name)
        facts = DatasetFacts(
            id="t1",
            name=Path(name).stem,
            file_name=name,
            path=f"/data/shared/{name}",
            read=ReadOptions(kind="csv"),
            rows=table.total_rows,
            columns=tuple(ColumnFacts(name=column, kind="text") for column in table.columns),
            sample=table,
            profile_ref="",
        )
        return FileProfile(kind="csv", datasets=(DatasetProfile(facts=facts, values={}),))

    async def preview(self, path: Path, name: str, *, sheet: str | int = 0, rows: int = 20) -> Table:
        if sheet not in {0, Path(name).stem}:
            raise NotFound(kind="sheet", id=str(sheet))
        return self._read(path, name)

    async def uncomputed(self, path: Path, name: str) -> bool:
        return False

    async def read(self, path: Path, name: str, options: ContentOptions) -> FileContent:
        return FileContent(format="csv", table=self._read(path, name))

    async def shapes(self, path: Path, dataset: DatasetFacts) -> tuple[ColumnShape, ...]:
        rows = self._read(path, dataset.file_name).rows
        if len(rows) > 100:
            raise FileTooLarge(name=dataset.file_name, limit_bytes=1)
        return tuple(
            ColumnShape(column=column.name, common=tuple(Counter(str(row[place]) for row in rows).most_common()))
            for place, column in enumerate(dataset.columns)
        )

    @staticmethod
    def _read(path: Path, name: str) -> Table:
        data = path.read_bytes()
        try:
            header, *rows = list(csv.reader(data.decode("utf-8").splitlines()))
        except ValueError as error:
            raise FileUnreadable("file_damaged", name=name, field="file") from error
        if b"\0" in data:
            raise FileUnreadable("file_damaged", name=name, field="file")
        return Table(columns=tuple(header), rows=tuple(tuple(row) for row in rows), total_rows=len(rows))


class NoSandbox:
    """Implements `Sandbox`, without any session to give."""

    def __init__(self, problem: Exception | None = None) -> None:
        self.problem = problem
        self.stopped = False
        self.failure = ""

    async def start(self) -> None:
        if self.problem is not None:
            raise self.problem

    async def stop(self) -> None:
        self.stopped = True

    async def acquire(self, scope: LeaseScope, inputs: Sequence[Input] = (), limits: Limits | None = None) -> Session:
        raise SandboxUnavailable(level="NONE", required="L1")

    def layers(self) -> tuple[Layer, ...]:
        return ("namespaces", "seccomp", "limits")

    def level(self) -> Level:
        return Level.L2

    def stats(self) -> PoolStats:
        return PoolStats(idle=0, leased=0, waiting=0, limit=0, failure=self.failure)


async def one_step(given: AgentInput, context: AgentContext) -> Items:
    """Announce a step, print a line, answer."""
    yield StepAnnounced(step_id="s1", name="数行")
    yield StepStarted(step_id="s1")
    yield OutputText(step_id="s1", text="counting\n")
    yield StepFinished(step_id="s1", status="ok", elapsed_s=0.1)
    rows = given.datasets[0].rows if given.datasets else 0
    table = Table(columns=("rows",), rows=((rows,),), total_rows=1)
    answer = Answer(text=f"There are {rows} rows.", outcome="completed", result=table, table=table)
    yield AnswerCompleted(answer=answer)


@dataclass(slots=True, kw_only=True)
class FakeParts:
    """What a test may choose about its application."""

    folder: Path
    script: Script = one_step
    others: Mapping[str, Script] = field(default_factory=dict[str, Script])
    """What runs of other agents or modes play, by their names."""
    sandbox: NoSandbox = field(default_factory=NoSandbox)
    running: Sandbox | None = None
    """A sandbox that has sessions, in its place."""
    store: MemoryStore = field(default_factory=MemoryStore)
    tables: FileReaders = field(default_factory=CsvTables)
    editor: WorkbookEditor = field(default_factory=lambda: PackageEditor(InlineWorker()))
    viewer: WorkbookViewer = field(default_factory=lambda: PackageViewer(InlineWorker()))
    suggester: QuestionSuggester = field(default_factory=NoQuestions)
    pools: dict[str, Loaded] = field(default_factory=dict[str, Loaded])
    kinds: AgentKinds = field(default_factory=AgentKinds)
    databases: LazyDatabases = field(default_factory=LazyDatabases)
    workflows: WorkflowParts = field(default_factory=WorkflowParts)
    workflows_enabled: bool = True
    models: Models = field(default_factory=lambda: Models({BUILTIN: ScriptedModel([], name=BUILTIN)}))

    @asynccontextmanager
    async def opening(self) -> AsyncIterator[App]:
        """Open the application on these parts."""
        clock = SystemClock()
        sandbox = LazySandbox(self.running or self.sandbox)
        await sandbox.start()

        def agents(run: Run) -> Agent:
            return ScriptedAgent(self.others.get(run.agent or run.mode, self.script))

        adapters = Adapters(
            store=self.store,
            blobs=BlobFolder(self.folder / "blobs", clock),
            tables=self.tables,
            editor=self.editor,
            viewer=lambda: self.viewer,
            sandbox=sandbox,
            models=self.models,
            agents=agents,
            clock=clock,
            ids=Uuid7Ids(),
            kinds=self.kinds,
            metrics=Metrics(),
            pools=self.pools,
            databases=self.databases,
            suggester=self.suggester,
            workflows=replace(self.workflows, enabled=self.workflows_enabled),
        )
        async with open_app(adapters, data_dir=self.folder) as app:
            yield app
        await sandbox.stop()
