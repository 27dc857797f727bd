"""Puts the use cases of tool services together."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from tablewright.domain.dataset import StoredFile
from tablewright.domain.scope import Scope
from tablewright.routing.workflows.router import WorkflowRouter
from tablewright.service.conversations import Conversations
from tablewright.service.files.files import Files
from tablewright.service.files.permits import FilePermits
from tablewright.service.files.sources import Sources
from tablewright.service.runs.parts import EngineParts
from tablewright.service.runs.runs import Runs
from tablewright.service.tool_services.calls import ToolCalls
from tablewright.service.tool_services.files import ServiceFiles
from tablewright.service.tool_services.rows import kept_rows

KeepRows = Callable[[Scope, str, Sequence[Mapping[str, object]]], Awaitable[StoredFile]]
"""Keeps rows as a file of a session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolServices:
    """The calls of tool services, the files of their sessions, rows as such files; the router chooses procedures."""

    calls: ToolCalls
    files: ServiceFiles
    rows: KeepRows
    router: WorkflowRouter


def tool_services(
    parts: EngineParts,
    conversations: Conversations,
    runs: Runs,
    files: Files,
    permits: FilePermits,
    sources: Sources,
    router: WorkflowRouter,
) -> ToolServices:
    """Return the use cases."""
    store = parts.store
    kept = ServiceFiles(store, parts.blobs, files, conversations, parts.ids)
    return ToolServices(
        calls=ToolCalls(store, runs, kept, permits, sources),
        files=kept,
        rows=partial(_kept_rows, files, kept),
        router=router,
    )


async def _kept_rows(
    files: Files, kept: ServiceFiles, scope: Scope, session: str, rows: Sequence[Mapping[str, object]]
) -> StoredFile:
    return await kept_rows(files, scope, await kept.conversation(scope, session), rows)
