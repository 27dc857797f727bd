"""The application: its use cases together, as the faces see them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tablewright.domain.scope import Scope, SystemScope
from tablewright.errors import TablewrightError
from tablewright.service.files.blob_check import BlobsFound, look_for_blobs

if TYPE_CHECKING:
    from tablewright.data.base import FileReaders
    from tablewright.domain.ids import Clock
    from tablewright.metrics import Metrics
    from tablewright.models.catalogue import Models
    from tablewright.sandbox.base import Layer
    from tablewright.sandbox.lazy import LazySandbox
    from tablewright.service.api_keys import ApiKeys
    from tablewright.service.channels.use_cases import ChannelUseCases
    from tablewright.service.chats.chats import Chats
    from tablewright.service.chats.keyed import KeyedChats
    from tablewright.service.conversations import Conversations
    from tablewright.service.databases.connections import Connections
    from tablewright.service.exports.exports import Exports
    from tablewright.service.exports.reports import ReportDocuments
    from tablewright.service.files.files import Files
    from tablewright.service.files.permits import FilePermits
    from tablewright.service.files.shapes import FileShapes
    from tablewright.service.files.sources import Sources
    from tablewright.service.files.suggesting import FileQuestions
    from tablewright.service.files.table_writer import TableWriter
    from tablewright.service.files.terms import TermsOfFiles
    from tablewright.service.later import Later
    from tablewright.service.model_keys import ModelKeys
    from tablewright.service.notes import Notes
    from tablewright.service.plan_files import PlanFiles
    from tablewright.service.retention.calls import CallRetention
    from tablewright.service.runs.keyed import KeyedRuns
    from tablewright.service.runs.runs import Runs
    from tablewright.service.saved_code import SavedCodes
    from tablewright.service.sessions.sessions import ConversationSessions
    from tablewright.service.shares.shares import Shares
    from tablewright.service.structured_queries import StructuredQueries
    from tablewright.service.task_plans import TaskPlans
    from tablewright.service.tool_services.use_cases import ToolServices
    from tablewright.service.vocabulary import Vocabulary
    from tablewright.service.workbooks.formats import WorkbookFormats
    from tablewright.service.workbooks.plan_previews import PlanPreviews
    from tablewright.service.workbooks.views import WorkbookViews
    from tablewright.service.workbooks.workbooks import Workbooks
    from tablewright.service.workflow_use_cases import WorkflowUseCases
    from tablewright.store.base import BlobStore, Store
    from tablewright.store.reserve import DiskReserve, Space
    from tablewright.tools.base import ToolProvider


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """Whether a part works, with a short detail; of the sandbox, also what isolates its sessions."""

    ok: bool
    detail: str
    layers: tuple[Layer, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Readiness:
    """The conditions that readiness depends on."""

    sandbox: Condition
    database: Condition
    disk: Condition
    space: Space
    models: tuple[str, ...]

    @property
    def ready(self) -> bool:
        """Whether questions can be answered."""
        return self.sandbox.ok and self.database.ok and self.disk.ok


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """The use cases, ready to be served; those that are called first are made with the first use."""

    conversations: Conversations
    files: Files
    workbooks: Workbooks
    plan_files: PlanFiles
    plan_previews: Later[PlanPreviews]
    excel: Later[ChannelUseCases]
    runs: Runs
    keyed_runs: KeyedRuns
    task_plans: TaskPlans
    agent_names: tuple[str, ...]
    queries: StructuredQueries
    chats: Callable[[], Chats]
    keyed_chats: Callable[[], KeyedChats]
    file_terms: TermsOfFiles
    file_permits: FilePermits
    tool_services: Later[ToolServices]
    sessions: ConversationSessions
    sources: Sources
    file_questions: FileQuestions
    file_shapes: FileShapes
    connections: Connections
    model_keys: ModelKeys
    table_writer: TableWriter
    formats: WorkbookFormats
    views: Later[WorkbookViews]
    calls: CallRetention
    exports: Later[Exports]
    shares: Shares
    reports: Later[ReportDocuments]
    saved_code: SavedCodes
    vocabulary: Vocabulary
    notes: Notes
    workflows: Callable[[], WorkflowUseCases]
    models: Models
    sandbox: LazySandbox
    tools: ToolProvider | None
    readers: FileReaders
    store: Store
    blobs: BlobStore
    keys: ApiKeys
    reserve: DiskReserve
    metrics: Metrics | None
    clock: Clock
    data_dir: Path
    default_model: str

    async def readiness(self) -> Readiness:
        """Check whether the sandbox has started, the database answers and the disk has room."""
        space = await self.reserve.space()
        return Readiness(
            sandbox=await self._sandbox_condition(),
            database=await self._database_condition(),
            disk=Condition(ok=not space.full, detail="storage_full" if space.full else "ok"),
            space=space,
            models=self.models.names,
        )

    async def look_for_blobs(self) -> BlobsFound:
        """Look whether the newest stored files are there."""
        return await look_for_blobs(self.store, self.blobs, SystemScope(instance_id="check"))

    async def _sandbox_condition(self) -> Condition:
        try:
            await self.sandbox.ready()
        except TablewrightError as error:
            return Condition(ok=False, detail=error.code)
        stats = self.sandbox.stats()
        if not stats.works:
            return Condition(ok=False, detail=stats.failure)
        return Condition(ok=True, detail=self.sandbox.level().name, layers=self.sandbox.layers())

    async def _database_condition(self) -> Condition:
        try:
            await self.store.conversations.find(Scope(), limit=1)
        except TablewrightError as error:
            return Condition(ok=False, detail=error.code)
        return Condition(ok=True, detail="ok")
