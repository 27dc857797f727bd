"""The SQL store: SQLite or PostgreSQL, chosen by URL, with the same code."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

from tablewright.domain.scope import SystemScope
from tablewright.store.base import BlobStore
from tablewright.store.bodies import Bodies
from tablewright.store.note_store import NoteStore
from tablewright.store.run_store import RunNotice
from tablewright.store.share_store import ShareStore
from tablewright.store.sql.connections import SqlConnections
from tablewright.store.sql.conversations import SqlConversations
from tablewright.store.sql.corrections import SqlCorrections
from tablewright.store.sql.database import Database
from tablewright.store.sql.faces import SqlFaces
from tablewright.store.sql.files import SqlFiles
from tablewright.store.sql.instances import SqlInstances
from tablewright.store.sql.integrity import check, require_database
from tablewright.store.sql.log import SqlLog
from tablewright.store.sql.notes import SqlNotes
from tablewright.store.sql.notices import listen
from tablewright.store.sql.runs import SqlRuns
from tablewright.store.sql.schedules import SqlSchedules
from tablewright.store.sql.shares import SqlShares
from tablewright.store.sql.upgrading import upgrade
from tablewright.store.sql.vocabulary import SqlVocabulary
from tablewright.store.sql.workbooks import SqlWorkbooks
from tablewright.store.sql.workflows import SqlWorkflows
from tablewright.store.vocabulary_store import VocabularyStore


class SqlStore:
    """Implements `Store` with a database.

    `url` is `sqlite+aiosqlite:///path` or `postgresql+psycopg://…`. `busy_timeout_s` is how long to wait for another
    process's lock on a SQLite file. Large events are stored in `blobs`, if given. A SQLite file is checked for damage
    when it is opened, for at most `check_s`. A database that has nothing is not opened while the folder
    `blobs_folder`, if given, has files.
    """

    def __init__(
        self,
        url: str,
        *,
        busy_timeout_s: float = 5.0,
        blobs: BlobStore | None = None,
        check_s: float = 0.0,
        blobs_folder: Path | None = None,
    ) -> None:
        self._check_s = check_s
        self._blobs_folder = blobs_folder
        self._database = Database(url, busy_timeout_s=busy_timeout_s)
        self._conversations = SqlConversations(self._database)
        self._files = SqlFiles(self._database)
        self._runs = SqlRuns(self._database)
        self._log = SqlLog(self._database, Bodies(blobs))
        self._instances = SqlInstances(self._database)
        self._workbooks = SqlWorkbooks(self._database)
        self._faces = SqlFaces(self._database)
        self._connections = SqlConnections(self._database)
        self._schedules = SqlSchedules(self._database)
        self._workflows = SqlWorkflows(self._database)
        self._corrections = SqlCorrections(self._database)
        self.vocabulary: VocabularyStore = SqlVocabulary(self._database)
        self.notes: NoteStore = SqlNotes(self._database)
        self.shares: ShareStore = SqlShares(self._database)

    @property
    def database(self) -> Database:
        return self._database

    @property
    def conversations(self) -> SqlConversations:
        return self._conversations

    @property
    def files(self) -> SqlFiles:
        return self._files

    @property
    def runs(self) -> SqlRuns:
        return self._runs

    @property
    def log(self) -> SqlLog:
        return self._log

    @property
    def instances(self) -> SqlInstances:
        return self._instances

    @property
    def workbooks(self) -> SqlWorkbooks:
        return self._workbooks

    @property
    def faces(self) -> SqlFaces:
        return self._faces

    @property
    def connections(self) -> SqlConnections:
        return self._connections

    @property
    def schedules(self) -> SqlSchedules:
        return self._schedules

    @property
    def workflows(self) -> SqlWorkflows:
        return self._workflows

    @property
    def corrections(self) -> SqlCorrections:
        return self._corrections

    def notices(self, scope: SystemScope) -> AsyncIterator[RunNotice]:
        """Yield notices from PostgreSQL; SQLite has none."""
        return listen(self._database)

    async def open(self) -> None:
        """Connect, and upgrade an older database.

        Raises `StoreUnavailable`, which includes `StoreDamaged` and `StoreMissing`.
        """
        if self._blobs_folder is not None:
            await require_database(self._database, self._blobs_folder)
        self._database.make_folder()
        if self._check_s and self._database.file is not None:
            await check(self._database.file, limit_s=self._check_s)
        await upgrade(self._database)

    async def close(self) -> None:
        """Close every connection."""
        await self._database.close()
