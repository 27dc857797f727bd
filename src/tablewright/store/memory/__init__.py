"""An in-memory store for tests and embedding: behaves like the databases, and forgets everything at exit."""

from __future__ import annotations

from collections.abc import AsyncIterator

from tablewright.domain.scope import SystemScope
from tablewright.store.memory.connections import MemoryConnections
from tablewright.store.memory.conversations import MemoryConversations
from tablewright.store.memory.corrections import MemoryCorrections
from tablewright.store.memory.files import MemoryFiles
from tablewright.store.memory.log import MemoryLog
from tablewright.store.memory.notes import MemoryNotes
from tablewright.store.memory.rows import MemoryRows
from tablewright.store.memory.runs import MemoryInstances, MemoryRuns
from tablewright.store.memory.schedules import MemorySchedules
from tablewright.store.memory.shares import MemoryShares
from tablewright.store.memory.vocabulary import MemoryVocabulary
from tablewright.store.memory.workbooks import MemoryFaces, MemoryWorkbooks
from tablewright.store.memory.workflows import MemoryWorkflows
from tablewright.store.note_store import NoteStore
from tablewright.store.run_store import RunNotice
from tablewright.store.share_store import ShareStore
from tablewright.store.vocabulary_store import VocabularyStore


class MemoryStore:
    """Implements `Store`. Several services in one process may share an instance."""

    def __init__(self) -> None:
        rows = MemoryRows()
        self._conversations = MemoryConversations(rows)
        self._files = MemoryFiles(rows)
        self._runs = MemoryRuns(rows)
        self._log = MemoryLog(rows)
        self._instances = MemoryInstances(rows)
        self._workbooks = MemoryWorkbooks(rows)
        self._faces = MemoryFaces()
        self._connections = MemoryConnections()
        self._schedules = MemorySchedules(rows)
        self._workflows = MemoryWorkflows()
        self._corrections = MemoryCorrections()
        self.vocabulary: VocabularyStore = MemoryVocabulary()
        self.notes: NoteStore = MemoryNotes()
        self.shares: ShareStore = MemoryShares(rows)

    @property
    def conversations(self) -> MemoryConversations:
        return self._conversations

    @property
    def files(self) -> MemoryFiles:
        return self._files

    @property
    def runs(self) -> MemoryRuns:
        return self._runs

    @property
    def log(self) -> MemoryLog:
        return self._log

    @property
    def instances(self) -> MemoryInstances:
        return self._instances

    @property
    def workbooks(self) -> MemoryWorkbooks:
        return self._workbooks

    @property
    def faces(self) -> MemoryFaces:
        return self._faces

    @property
    def connections(self) -> MemoryConnections:
        return self._connections

    @property
    def schedules(self) -> MemorySchedules:
        return self._schedules

    @property
    def workflows(self) -> MemoryWorkflows:
        return self._workflows

    @property
    def corrections(self) -> MemoryCorrections:
        return self._corrections

    async def notices(self, scope: SystemScope) -> AsyncIterator[RunNotice]:
        """End at once: there is no other process."""
        nothing: tuple[RunNotice, ...] = ()
        for notice in nothing:
            yield notice

    async def open(self) -> None:
        """Do nothing: there is nothing to open."""

    async def close(self) -> None:
        """Do nothing: there is nothing to close."""
