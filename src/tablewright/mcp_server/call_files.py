"""The files of one call of a built-in tool: those that it names by place, and those that its code makes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

from tablewright.data.base import ContentOptions, FileContent, FileProfile, FileReaders
from tablewright.domain.artifact import ArtifactRef
from tablewright.mcp_server.translate import INLINE_BYTES
from tablewright.service.app import App
from tablewright.service.files.local_outputs import write_new
from tablewright.service.files.sources import DOWNLOAD_PATH, Caller
from tablewright.tools.base import ToolFile


class PlaceFiles:
    """Implements `ToolFiles` for one file, whatever it is called: the caller has named its place."""

    def __init__(self, readers: FileReaders, file: ToolFile) -> None:
        self._readers = readers
        self._file = file

    async def all(self) -> Sequence[ToolFile]:
        return (self._file,)

    async def find(self, name: str) -> ToolFile:  # noqa: ARG002  # the place has been resolved
        return self._file

    async def read(self, file: ToolFile, options: ContentOptions) -> FileContent:
        return await self._readers.read(file.path, file.name, options)

    async def profile(self, file: ToolFile) -> FileProfile:
        return await self._readers.profile(file.path, file.name)


@dataclass(slots=True, kw_only=True)
class CallArtifacts:
    """Implements `ArtifactSink` for one call: small figures stay in line, files go where the caller reaches them.

    `places` says where, by the artifact's id.
    """

    app: App
    caller: Caller
    call_id: str
    conversation_id: str | None = None
    images: dict[str, tuple[str, bytes]] = field(default_factory=dict[str, tuple[str, bytes]])
    places: dict[str, str] = field(default_factory=dict[str, str])

    async def put(self, name: str, mime: str, content: bytes | AsyncIterator[bytes]) -> ArtifactRef:
        number = f"{self.call_id}-{len(self.images) + len(self.places)}"
        if isinstance(content, bytes) and mime.startswith("image/") and len(content) < INLINE_BYTES:
            self.images[number] = (mime, content)
            return ArtifactRef(id=number, name=name, mime=mime, size_bytes=len(content))
        pieces = _counted(content)
        if self.caller.local:
            folder = self.app.calls.outputs / self.call_id
            folder.mkdir(parents=True, exist_ok=True)
            await write_new(folder / name, pieces)
            self.places[number] = str(folder / name)
            return ArtifactRef(id=number, name=name, mime=mime, size_bytes=(folder / name).stat().st_size)
        return await self._kept(name, pieces)

    async def _kept(self, name: str, content: AsyncIterator[bytes]) -> ArtifactRef:
        """Keep a table as a file of the caller, as long as files of calls are kept."""
        scope = self.caller.scope
        if self.conversation_id is None:
            self.conversation_id = (await self.app.conversations.create(scope)).id
        file = await self.app.files.upload(scope, name=name, content=content, conversation_id=self.conversation_id)
        await self.app.calls.note(scope, self.conversation_id, [file.id])
        self.places[file.id] = DOWNLOAD_PATH.format(id=file.id)
        return ArtifactRef(id=file.id, name=file.name, mime=file.mime, size_bytes=file.size_bytes)


async def _counted(content: bytes | AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    if isinstance(content, bytes):
        yield content
        return
    async for piece in content:
        yield piece
