"""What is known of a channel's clients: the sheets each sent last, and the version it was last given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tablewright.domain.dataset import StoredFile
from tablewright.domain.ids import Clock
from tablewright.domain.scope import Scope
from tablewright.errors import NotFound
from tablewright.service.channels.channels import Channel
from tablewright.service.channels.client_sheets import SeenSheet, from_stored, to_stored
from tablewright.service.workbooks.states import FACE
from tablewright.store.base import Store
from tablewright.store.workbook_store import FaceMessage

SEEN_FACE = "excel.seen"
LAST_ANSWERS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelClient:
    """A client of a channel; clients of the same channel are distinguished by `uid`."""

    channel: Channel
    uid: str = ""

    @property
    def key(self) -> str:
        """The key under which the knowledge of the client is stored."""
        return f"{self.channel.conversation.id}:{self.uid}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientState:
    """The sheets that a client sent last, and the workbook's version after its edits were applied."""

    sheets: Mapping[str, SeenSheet] = field(default_factory=dict[str, SeenSheet])
    version: int = 1


class ClientMemory:
    """Stores what is known of clients."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def known(self, scope: Scope, client: ChannelClient, workbook: StoredFile) -> ClientState:
        """Return what the client is known to have of the workbook; empty if nothing is known."""
        try:
            kept = await self._store.faces.get(scope, SEEN_FACE, client.key)
        except NotFound:
            return ClientState()
        if kept.details["workbook"] != workbook.id:
            return ClientState()
        return ClientState(sheets=from_stored(kept.details["sheets"]), version=kept.details["version"])

    async def remember(self, scope: Scope, client: ChannelClient, workbook_id: str, known: ClientState) -> None:
        """Store what the client has now."""
        details = {"workbook": workbook_id, "version": known.version, "sheets": to_stored(known.sheets)}
        await self._store.faces.put(
            scope,
            FaceMessage(
                id=client.key,
                face=SEEN_FACE,
                message_id=client.key,
                channel_id=client.channel.key,
                uid=client.uid,
                created_at=self._clock.now(),
                details=details,
            ),
        )

    async def given(self, scope: Scope, client: ChannelClient, workbook: StoredFile) -> int | None:
        """Return the version of the workbook that the client was last given, or None."""
        answers = await self._store.faces.latest(scope, FACE, client.channel.key, limit=LAST_ANSWERS)
        versions = (_version(one, workbook) for one in answers if one.uid == client.uid)
        return next((one for one in versions if one is not None), None)


def _version(message: FaceMessage, workbook: StoredFile) -> int | None:
    response = message.response or {}
    version = response.get("version")
    return version if isinstance(version, int) and response.get("workbookId") == workbook.id else None
