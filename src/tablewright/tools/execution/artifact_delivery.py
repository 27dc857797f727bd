"""Delivers files that code wrote to the person as artifacts."""

from __future__ import annotations

import mimetypes
from collections.abc import Sequence
from contextlib import suppress
from pathlib import PurePosixPath

from tablewright.domain.artifact import ArtifactRef, ArtifactSink
from tablewright.domain.events import ArtifactCreated, WarningRaised
from tablewright.domain.ids import Clock
from tablewright.domain.naming import storable
from tablewright.errors import MachineError, TablewrightError
from tablewright.sandbox.base import SessionFile
from tablewright.tools.base import Emit
from tablewright.tools.execution.workspace import Workspace

OUTPUT_FOLDER = "output"
"""Files in this folder of the session are delivered at the end, whether the code named them or not."""
QUIET_NS = 2_000_000_000
"""After a step is stopped, a file counts as finished if it was last written this long before."""
MOST_BYTES = 1024**3
MOST_FILES = 1_000
"""The limit for one run: delivered files are kept outside the session, where its own limits do not apply."""
MOST_WARNINGS = 20
"""The number of missing files that are reported individually."""


class ArtifactDelivery:
    """Delivers each file once; a file that has changed since is delivered again.

    `earlier` files of the run, which others delivered, count towards its limits.
    """

    def __init__(
        self,
        workspace: Workspace,
        sink: ArtifactSink,
        emit: Emit,
        clock: Clock,
        earlier: Sequence[ArtifactRef] = (),
    ) -> None:
        self._workspace = workspace
        self._sink = sink
        self._emit = emit
        self._clock = clock
        self._kept: dict[str, ArtifactRef] = {}
        self._kept_at: dict[str, int] = {}
        self._bytes = sum(file.size_bytes for file in earlier)
        self._files = len(earlier)
        self._full = False
        self._missing = 0
        self._before_step: dict[str, SessionFile] | None = None
        self._stopped_at: int | None = None

    @property
    def kept(self) -> tuple[ArtifactRef, ...]:
        """The delivered files, in the order of their first delivery."""
        return tuple(self._kept.values())

    async def step_begins(self) -> None:
        """Note which files are complete, before a step that may be stopped in the middle of writing one.

        The files are listed because their times do not tell: those lag behind the clock by up to a tick of the kernel.
        """
        session = await self._workspace.session()
        self._before_step = {file.path: file for file in await session.files()}

    def step_ended(self) -> None:
        """Note that the step has ended: the files it wrote are complete."""
        self._before_step = None

    async def hand_over(self, path: str, step_id: str | None = None) -> ArtifactRef | None:
        """Store the session's file at `path`.

        If it cannot be read or a limit is reached, emit a warning and return None.
        """
        name = PurePosixPath(path).name
        if self._full or self._files >= MOST_FILES or self._bytes >= MOST_BYTES:
            self._take_no_more(step_id)
            return None
        mime = mimetypes.guess_type(name)[0] or "application/octet-stream"
        session, began_at = await self._workspace.session(), self._now_ns()
        try:
            kept = await self._sink.put(name, mime, session.read(path))
        except MachineError:
            raise
        except (TablewrightError, OSError):
            self._missing += 1
            if self._missing <= MOST_WARNINGS:
                self._emit(WarningRaised(code="file_not_kept", params={"name": storable(name)}, step_id=step_id))
            return None
        self._kept[path], self._kept_at[path] = kept, began_at
        self._files += 1
        self._bytes += kept.size_bytes
        self._emit(ArtifactCreated(artifact=kept, step_id=step_id))
        return kept

    async def rest(self, step_ids: Sequence[str] = ()) -> None:
        """Deliver what this run left in the session's output folder, and delivered files that have changed since."""
        if not self._workspace.used:
            return
        session = await self._workspace.session()
        last = step_ids[-1] if step_ids else None
        for file in await session.files():
            if self._is_wanted(file):
                await self.hand_over(file.path, last)

    async def finished(self) -> None:
        """Deliver the files that were finished when the run was stopped: at the first call, however long the stop
        takes.

        Raises neither `TablewrightError` nor `OSError`: a stopped run should not fail as well.
        """
        if not self._workspace.leased:
            return
        stopped_at = self._stopped_at = self._stopped_at or self._now_ns()
        with suppress(TablewrightError, OSError):
            session = await self._workspace.session()
            for file in await session.files():
                if self._is_wanted(file) and self._is_complete(file, stopped_at):
                    await self.hand_over(file.path)

    def _is_wanted(self, file: SessionFile) -> bool:
        before = self._kept.get(file.path)
        if before is None:
            return PurePosixPath(file.path).parts[0] == OUTPUT_FOLDER and not file.earlier
        return before.size_bytes != file.size_bytes or file.modified_ns > self._kept_at[file.path]

    def _is_complete(self, file: SessionFile, stopped_at: int) -> bool:
        if self._before_step is None or file.modified_ns < stopped_at - QUIET_NS:
            return True
        before = self._before_step.get(file.path)
        return before is not None and before == file and before.modified_ns == file.modified_ns

    def _take_no_more(self, step_id: str | None) -> None:
        if not self._full:
            self._full = True
            most: dict[str, str | int | float | None] = {"files": MOST_FILES, "size_mb": MOST_BYTES // 1024**2}
            self._emit(WarningRaised(code="files_too_many", params=most, step_id=step_id))

    def _now_ns(self) -> int:
        return int(self._clock.now().timestamp() * 1e9)
