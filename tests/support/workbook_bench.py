"""A service of workbooks on real files: the package editor in this process, blobs in a folder, any store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.agent_bench import LocalSandbox
from tests.support.workbooks import InlineWorker, write_xlsx

from tablewright.agent.base import RunWorkbook
from tablewright.domain.conversation import Conversation
from tablewright.domain.dataset import StoredFile
from tablewright.domain.ids import Ids, SystemClock, Uuid7Ids
from tablewright.domain.rounds.plan import OperationPlan, PlanStep
from tablewright.domain.rounds.round import Round
from tablewright.domain.scope import Scope
from tablewright.domain.table import Cell
from tablewright.sandbox.base import Sandbox
from tablewright.service.workbooks.run_workbook import RunWorkbooks
from tablewright.service.workbooks.states import WorkbookStates, file_at
from tablewright.service.workbooks.workbooks import Workbooks
from tablewright.store.base import Store
from tablewright.store.blobs import BlobFolder
from tablewright.store.memory import MemoryStore
from tablewright.workbook.base import WorkbookEditor
from tablewright.workbook.package.editor import PackageEditor

Rows = Sequence[Sequence[Cell]]
SALES: Mapping[str, Rows] = {
    "Sales": [
        ["Region", "Amount", "Cost"],
        ["East", 30, 10],
        ["West", 50, 20],
        ["North", 40, 15],
    ],
    "Notes": [["About"], ["made by hand"]],
}


@dataclass(slots=True, kw_only=True)
class WorkbookBench:
    """The parts of one service process; those of one `store` and `folder` share everything that is kept."""

    folder: Path
    store: Store = field(default_factory=MemoryStore)
    editor: WorkbookEditor = field(default_factory=lambda: PackageEditor(InlineWorker()))
    sandbox: Sandbox = field(default_factory=LocalSandbox)
    scope: Scope = field(default_factory=Scope)
    ids: Ids = field(default_factory=Uuid7Ids)
    clock: SystemClock = field(default_factory=SystemClock)

    @property
    def blobs(self) -> BlobFolder:
        return BlobFolder(self.folder / "blobs", self.clock)

    @property
    def states(self) -> WorkbookStates:
        return WorkbookStates(self.store, self.blobs, self.editor, self.clock)

    @property
    def workbooks(self) -> Workbooks:
        return Workbooks(self.store, self.states, self.editor, self.ids)

    @property
    def run_workbooks(self) -> RunWorkbooks:
        return RunWorkbooks(
            self.store, self.states, editor=self.editor, sandbox=self.sandbox, clock=self.clock, ids=self.ids
        )

    def run_workbook(self, file: StoredFile, run_id: str = "run-1") -> RunWorkbook:
        return self.run_workbooks.at(self.scope, file.id, run_id=run_id, summary="do it")

    async def put(
        self, content: bytes | None = None, *, name: str = "sales.xlsx", conversation_id: str | None = None
    ) -> StoredFile:
        """Keep a file: `content`, or a workbook of sales."""
        if content is None:
            content = write_xlsx(self.folder / "sales.xlsx", SALES).read_bytes()
        ref = await self.blobs.put(self.scope, content)
        bare = StoredFile(id=self.ids.new(), name=name, mime="", kind="other", size_bytes=0, sha256="")
        file = file_at(bare, name, ref)
        return await self.store.files.add(self.scope, file, refs=(ref,), conversation_id=conversation_id)

    async def conversation(self) -> Conversation:
        now = self.clock.now()
        made = Conversation(id=self.ids.new(), title="", language="en", created_at=now, updated_at=now)
        await self.store.conversations.add(self.scope, made)
        return made

    async def bytes_of(self, file: StoredFile, number: int | None = None) -> bytes:
        """The bytes of a version, of the head without a number."""
        version = await self.workbooks.version(self.scope, file.id, number)
        return b"".join([piece async for piece in self.workbooks.content(self.scope, version)])

    async def file_bytes(self, file: StoredFile) -> bytes:
        """The bytes that the file's own blob has: what a download gives."""
        stored = await self.store.files.get(self.scope, file.id)
        return b"".join([piece async for piece in self.blobs.open(self.scope, stored.sha256)])

    async def contents(self, file: StoredFile, sheet: str | None = None) -> dict[str, Cell]:
        """What the cells of a sheet hold, formulas as such."""
        page = await self.workbooks.cells(self.scope, file.id, sheet)
        return {cell.ref: cell.formula if cell.formula is not None else cell.value for cell in page.cells}

    async def execute(
        self, file: StoredFile, *steps: PlanStep, plan_id: str = "plan-1", number: int = 2, run_id: str = "run-1"
    ) -> Round:
        """Execute a plan made on the workbook as it is."""
        run_workbook = self.run_workbook(file, run_id)
        plan = OperationPlan(steps=steps, base_version=await run_workbook.version(), number=number)
        return await run_workbook.execute(plan, plan_id=plan_id)


def step(number: int, function: str, /, **parameters: object) -> PlanStep:
    return PlanStep(step=number, function=function, parameters=parameters)


def kept_bytes(folder: Path) -> int:
    """How much the blobs weigh."""
    return sum(path.stat().st_size for path in (folder / "blobs").rglob("??/*") if path.is_file())
