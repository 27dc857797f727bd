"""Files in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tablewright.domain.artifact import BlobRef
from tablewright.domain.dataset import StoredFile
from tablewright.domain.naming import free_name
from tablewright.domain.page import Page
from tablewright.domain.scope import Scope, SystemScope
from tablewright.store.cursors import bounded, page_of, read_cursor
from tablewright.store.memory.rows import FileRow, MemoryRows, same_owner


class MemoryFiles:
    """Implements `FileStore`."""

    def __init__(self, rows: MemoryRows) -> None:
        self._rows = rows

    async def add(
        self, scope: Scope, file: StoredFile, *, refs: Sequence[BlobRef], conversation_id: str | None
    ) -> StoredFile:
        if conversation_id is not None:
            self._rows.conversation(scope, conversation_id).file_ids[file.id] = None
        if file.run_id is not None:
            file = replace(file, name=free_name(file.name, self._rows.file_names(scope)))
        self._rows.files[file.id] = FileRow(scope=scope, value=file, hashes=frozenset(ref.sha256 for ref in refs))
        return file

    async def get(self, scope: Scope, file_id: str) -> StoredFile:
        return self._rows.file(scope, file_id).value

    async def find(
        self,
        scope: Scope,
        *,
        conversation_id: str | None = None,
        name: str | None = None,
        prefix: str = "",
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[StoredFile]:
        if conversation_id is None:
            found = [row.value for row in self._rows.files.values() if same_owner(row.scope, scope)]
        else:
            found = list(await self.linked(scope, conversation_id))
        found = [file for file in found if file.name.startswith(prefix) and name in {None, file.name}]
        found.sort(key=lambda file: file.id, reverse=True)
        if cursor is not None:
            (last,) = read_cursor(cursor, str)
            found = [file for file in found if file.id < str(last)]
        return page_of(found, bounded(limit), lambda file: (file.id,))

    async def replace(self, scope: Scope, file: StoredFile, *, refs: Sequence[BlobRef]) -> None:
        row = self._rows.file(scope, file.id)
        if row.value.sha256 == file.sha256:
            row.value, row.hashes = file, frozenset(ref.sha256 for ref in refs)

    async def remove(self, scope: Scope, file_id: str) -> tuple[str, ...]:
        row = self._rows.file(scope, file_id)
        del self._rows.files[file_id]
        for conversation in self._rows.conversations.values():
            conversation.file_ids.pop(file_id, None)
        return tuple({*row.hashes, *(row.workbook.hashes if row.workbook else ())})

    async def link(self, scope: Scope, conversation_id: str, file_ids: Sequence[str]) -> None:
        found = [self._rows.file(scope, file_id).value.id for file_id in file_ids]
        for file_id in found:
            self._rows.conversation(scope, conversation_id).file_ids.setdefault(file_id, None)

    async def linked(self, scope: Scope, conversation_id: str) -> tuple[StoredFile, ...]:
        ids = self._rows.conversation(scope, conversation_id).file_ids
        return tuple(self._rows.files[file_id].value for file_id in ids)

    async def in_use(self, scope: Scope, file_id: str) -> bool:
        mine = [row for row in self._rows.conversations.values() if same_owner(row.scope, scope)]
        return any(file_id in row.file_ids for row in mine)

    async def conversations(self, scope: Scope, file_id: str) -> tuple[str, ...]:
        mine = [row for row in self._rows.conversations.values() if same_owner(row.scope, scope)]
        found = [row.value for row in mine if file_id in row.file_ids]
        return tuple(one.id for one in sorted(found, key=lambda one: (one.updated_at, one.id), reverse=True))

    async def referenced(self, scope: SystemScope, limit: int) -> tuple[tuple[str, str], ...]:
        files = [(key, row.scope.tenant, sorted(row.hashes)) for key, row in self._rows.files.items()]
        logs = [(key, row.scope.tenant, sorted(row.hashes)) for key, row in self._rows.runs.items()]
        newest = sorted([*files, *logs], reverse=True)
        found = ((tenant, sha256) for _, tenant, hashes in newest for sha256 in hashes)
        return tuple(dict.fromkeys(found))[:limit]

    async def unreferenced(self, scope: SystemScope, tenant: str, hashes: Sequence[str]) -> frozenset[str]:
        mine = [row for row in self._rows.files.values() if row.scope.tenant == tenant]
        kept = {sha256 for row in mine for sha256 in (*row.hashes, *(row.workbook.hashes if row.workbook else ()))}
        logs = (row for row in self._rows.runs.values() if row.scope.tenant == tenant)
        return frozenset(hashes) - kept - {sha256 for row in logs for sha256 in row.hashes}
