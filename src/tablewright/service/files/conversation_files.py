"""The files of a conversation as tools name and read them."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.data.base import ContentOptions, FileContent, FileProfile, FileReaders
from tablewright.domain.naming import free_name
from tablewright.domain.scope import Scope
from tablewright.store.base import BlobStore, Store
from tablewright.tools.base import ToolFile
from tablewright.tools.file_names import named_file

DOWNLOADS = "downloads"
"""The folder below `SHARED_FOLDER` that has the files which were fetched from web addresses."""


class ConversationFiles:
    """Implements `ToolFiles` for one conversation: whatever is linked to it when it is asked for, by whom it was made.

    A file has one name in all runs of its conversation.
    """

    def __init__(
        self, store: Store, blobs: BlobStore, readers: FileReaders, scope: Scope, conversation_id: str
    ) -> None:
        self._store = store
        self._blobs = blobs
        self._readers = readers
        self._scope = scope
        self._conversation_id = conversation_id

    async def all(self) -> Sequence[ToolFile]:
        linked = await self._store.files.linked(self._scope, self._conversation_id)
        names: dict[str, ToolFile] = {}
        for file in linked:
            name = free_name(file.name, names)
            path = await self._blobs.path(self._scope, file.read_from)
            place = f"{DOWNLOADS}/{name}" if file.downloaded else name
            made = file.run_id is not None and not file.downloaded
            names[name] = ToolFile(name=name, path=path, input_name=place, made=made)
        return tuple(names.values())

    async def find(self, name: str) -> ToolFile:
        return named_file(await self.all(), name)

    async def read(self, file: ToolFile, options: ContentOptions) -> FileContent:
        return await self._readers.read(file.path, file.name, options)

    async def profile(self, file: ToolFile) -> FileProfile:
        return await self._readers.profile(file.path, file.name)
