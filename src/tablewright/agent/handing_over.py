"""Files that code wrote, handed over to the person as artifacts."""

from __future__ import annotations

import mimetypes
from collections.abc import Sequence
from pathlib import PurePosixPath

from tablewright.agent.emitting import Emit
from tablewright.agent.workspace import Workspace
from tablewright.domain.artifact import ArtifactRef, ArtifactSink
from tablewright.domain.events import ArtifactCreated, WarningRaised
from tablewright.errors import MachineError, TablewrightError

OUTPUT_FOLDER = "output"
"""Files in this folder of the session are handed over at the end, named or not."""


class HandOver:
    """Hands each file over once; one that has grown or shrunk since is handed over anew."""

    def __init__(self, workspace: Workspace, sink: ArtifactSink, emit: Emit) -> None:
        self._workspace = workspace
        self._sink = sink
        self._emit = emit
        self._kept: dict[str, ArtifactRef] = {}

    @property
    def kept(self) -> tuple[ArtifactRef, ...]:
        """The files handed over, in the order of their first time."""
        return tuple(self._kept.values())

    async def hand_over(self, path: str, step_id: str | None = None) -> ArtifactRef | None:
        """Store the file at `path` of the session; where it cannot be read, warn and return None."""
        name = PurePosixPath(path).name
        mime = mimetypes.guess_type(name)[0] or "application/octet-stream"
        session = await self._workspace.session()
        try:
            kept = await self._sink.put(name, mime, session.read(path))
        except MachineError:
            raise
        except (TablewrightError, OSError):
            self._emit(WarningRaised(code="file_not_kept", params={"name": name}, step_id=step_id))
            return None
        self._kept[path] = kept
        self._emit(ArtifactCreated(artifact=kept, step_id=step_id))
        return kept

    async def rest(self, step_ids: Sequence[str] = ()) -> None:
        """Hand over what lies in the session's output folder, and what has changed since."""
        if not self._workspace.used:
            return
        session = await self._workspace.session()
        last = step_ids[-1] if step_ids else None
        for file in await session.files():
            before = self._kept.get(file.path)
            written = PurePosixPath(file.path).parts[0] == OUTPUT_FOLDER and not file.earlier
            wanted = before is not None or written
            if wanted and (before is None or before.size_bytes != file.size_bytes):
                await self.hand_over(file.path, last)
