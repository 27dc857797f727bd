"""The files of a session of tool services, by name: the newest of a name is the one that counts."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tablewright.domain.dataset import StoredFile
from tablewright.domain.ids import Ids
from tablewright.domain.naming import storable
from tablewright.domain.scope import Scope
from tablewright.errors import FileEmpty, FileUnreadable, FormatUnsupported, InvalidInput, NotFound
from tablewright.service.conversations import KEY_CHARS, Conversations
from tablewright.service.files.byte_pieces import pieces
from tablewright.service.files.files import Files, OpenedFile, RunArtifacts, kind_of, mime_of
from tablewright.service.labels import file_name
from tablewright.store.base import BlobStore, Store

FACE = "tool_services"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceFile:
    """A file of the session whose conversation is `conversation_id`."""

    file: StoredFile
    conversation_id: str


class ServiceFiles:
    """Keeps and finds the files of sessions; a session is what its client calls a request."""

    def __init__(self, store: Store, blobs: BlobStore, files: Files, conversations: Conversations, ids: Ids) -> None:
        self._store = store
        self._blobs = blobs
        self._files = files
        self._conversations = conversations
        self._ids = ids

    async def keep(self, scope: Scope, session: str, name: str, content: AsyncIterator[bytes]) -> ServiceFile:
        """Keep a file, whatever it is; tables in it are read. Errors: `FileTooLarge`, `StorageFull`, `InvalidInput`."""
        conversation_id = await self.conversation(scope, session)
        if not (clean := file_name(name)):
            raise InvalidInput("file_name_missing", field="fileName")
        async with self._blobs.stage(scope, self._files.bounded(clean, content)) as staged:
            if kind_of(clean) != "other" and staged.ref.size_bytes:
                try:
                    file = await self._files.upload(
                        scope, name=clean, content=pieces(staged.path), conversation_id=conversation_id
                    )
                    return ServiceFile(file=file, conversation_id=conversation_id)
                except (FileEmpty, FileUnreadable, FormatUnsupported):
                    pass  # a text without a table, or a damaged file, is a file all the same
            await staged.keep()
            file = StoredFile(
                id=self._ids.new(),
                name=clean,
                mime=mime_of(clean),
                kind="other",
                size_bytes=staged.ref.size_bytes,
                sha256=staged.ref.sha256,
            )
            kept = await self._store.files.add(scope, file, refs=(staged.ref,), conversation_id=conversation_id)
        return ServiceFile(file=kept, conversation_id=conversation_id)

    @staticmethod
    def staged(path: Path) -> AsyncIterator[bytes]:
        """Return the bytes of a file that has been received already."""
        return pieces(path)

    async def made(self, scope: Scope, run_id: str, conversation_id: str, name: str, content: bytes) -> StoredFile:
        """Keep what was made from a run's answer; a name that is taken gets a number."""
        sink = RunArtifacts(
            self._store, self._blobs, self._ids, scope, run_id=run_id, conversation_id=conversation_id
        )  # fmt: skip
        ref = await sink.put(name, mime_of(name), content)
        return await self._store.files.get(scope, ref.id)

    async def named(self, scope: Scope, session: str, name: str) -> ServiceFile:
        """Return the newest file called `name`. Raises `NotFound`."""
        known = await self._known(scope, session)
        if known is None:
            raise NotFound(kind="file", id=name)
        file = await self._files.named(scope, file_name(name), conversation_id=known)
        return ServiceFile(file=file, conversation_id=known)

    async def all(self, scope: Scope, session: str) -> Sequence[ServiceFile]:
        """Return the files, the newest first, each name once."""
        known = await self._known(scope, session)
        if known is None:
            return ()
        newest = {file.name: file for file in await self._store.files.linked(scope, known)}
        return [ServiceFile(file=file, conversation_id=known) for file in reversed(newest.values())]

    async def open(self, scope: Scope, session: str, name: str) -> OpenedFile:
        """Return a file with its bytes. Raises `NotFound`."""
        return await self._files.open(scope, (await self.named(scope, session, name)).file.id)

    async def conversation(self, scope: Scope, session: str) -> str:
        """Return the conversation of a session, which begins with its first use."""
        return (await self._conversations.of_client(scope, FACE, session)).id

    async def _known(self, scope: Scope, session: str) -> str | None:
        found = await self._store.conversations.keyed(scope, FACE, storable(session)[:KEY_CHARS])
        return None if found is None else found.id
