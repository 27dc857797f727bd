"""Puts the use cases of tool services together."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.domain.ids import Ids
from tablewright.service.conversations import Conversations
from tablewright.service.files.files import Files
from tablewright.service.files.permits import FilePermits
from tablewright.service.files.sources import Sources
from tablewright.service.runs.runs import Runs
from tablewright.service.tool_services.calls import ToolCalls
from tablewright.service.tool_services.files import ServiceFiles
from tablewright.store.base import BlobStore, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolServices:
    """The calls of tool services, and the files of their sessions."""

    calls: ToolCalls
    files: ServiceFiles


def tool_services(
    store: Store,
    blobs: BlobStore,
    ids: Ids,
    conversations: Conversations,
    runs: Runs,
    files: Files,
    permits: FilePermits,
    sources: Sources,
) -> ToolServices:
    """Return the use cases."""
    kept = ServiceFiles(store, blobs, files, conversations, ids)
    return ToolServices(calls=ToolCalls(store, runs, kept, permits, sources), files=kept)
