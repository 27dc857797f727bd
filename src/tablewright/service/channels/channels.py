"""Channels: a client's names for its workbooks in the workbook rounds, and the runs on them.

A conversation works on one run at a time, and a plan waiting to be confirmed is such a run. So a channel has several
conversations (lanes): while a plan waits in one, where it can still be confirmed, another request goes to the next.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass

from tablewright.domain.conversation import Conversation
from tablewright.domain.dataset import StoredFile
from tablewright.domain.language import Language
from tablewright.domain.run import OpenRequest, Run
from tablewright.domain.scope import Scope
from tablewright.errors import NotFound, RunInProgress
from tablewright.service.conversations import Conversations
from tablewright.service.runs.runs import Runs
from tablewright.service.workbooks.states import FACE, KINDS, WorkbookStates
from tablewright.store.base import Store

LANE_FACE = "excel.lane"
LANES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """One conversation of a channel, with its unfinished run and that run's unanswered requests."""

    conversation_id: str
    run: Run | None = None
    asked: tuple[OpenRequest, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingRequest:
    """A request of one of the channel's runs that waits for an answer."""

    run: Run
    request: OpenRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """The state of a channel: its workbook, if any, and its lanes, the main one first."""

    key: str
    conversation: Conversation
    workbook: StoredFile | None
    lanes: tuple[Lane, ...]

    @property
    def waiting(self) -> tuple[PendingRequest, ...]:
        """The unanswered requests on the channel, newest first."""
        asked = [PendingRequest(run=lane.run, request=one) for lane in self.lanes if lane.run for one in lane.asked]
        return tuple(sorted(asked, key=lambda one: (one.request.created_at, one.request.id), reverse=True))

    def must_rest(self) -> None:
        """Raise `RunInProgress` while a run of the channel is being worked on."""
        for lane in self.lanes:
            if lane.run is not None and not lane.asked:
                raise RunInProgress(run_id=lane.run.id)


class Channels:
    """Finds channels and provides conversations for them. Another owner's channels count as nonexistent."""

    def __init__(self, store: Store, conversations: Conversations, runs: Runs, states: WorkbookStates) -> None:
        self._store = store
        self._conversations = conversations
        self._runs = runs
        self._states = states

    async def open(self, scope: Scope, key: str, *, language: Language = "en") -> Channel:
        """Return the channel that clients call `key`, creating it on first use.

        The key may also be the id of a conversation, or of a file, which then is the workbook.
        """
        conversation = await self._known(scope, key)
        if conversation is None:
            conversation = await self._conversations.of_client(scope, FACE, key, language=language)
        return await self._at(scope, key, conversation)

    async def find(self, scope: Scope, key: str) -> Channel:
        """Return the channel, or raise `NotFound`."""
        conversation = await self._known(scope, key)
        if conversation is None and await self._file(scope, key) is not None:
            conversation = await self._conversations.of_client(scope, FACE, key)
        if conversation is None:
            raise NotFound(kind="channel", id=key, field="channelId")
        return await self._at(scope, key, conversation)

    async def free_lane(self, scope: Scope, channel: Channel) -> str:
        """Return a conversation of the channel for a new run. If all are occupied, the oldest run is cancelled."""
        free = next((lane for lane in channel.lanes if lane.run is None), None)
        if free is not None:
            return free.conversation_id
        if len(channel.lanes) < LANES:
            made = await self._conversations.of_client(
                scope,
                LANE_FACE,
                _lane(channel.conversation, len(channel.lanes) + 1),
                language=channel.conversation.language,
            )
            return made.id
        oldest = min(
            (lane for lane in channel.lanes if lane.run), key=lambda lane: lane.run.created_at if lane.run else 0
        )
        if oldest.run is not None:
            await self._runs.cancel(scope, oldest.run.id)
        return oldest.conversation_id

    async def _known(self, scope: Scope, key: str) -> Conversation | None:
        found = await self._store.conversations.keyed(scope, FACE, key)
        if found is not None:
            return found
        try:
            return await self._store.conversations.get(scope, key)
        except NotFound:
            return None

    async def _at(self, scope: Scope, key: str, conversation: Conversation) -> Channel:
        workbook = await self._states.of_conversation(scope, conversation.id) or await self._file(scope, key)
        lanes = [lane async for lane in self._lanes(scope, conversation)]
        return Channel(key=key, conversation=conversation, workbook=workbook, lanes=tuple(lanes))

    async def _file(self, scope: Scope, file_id: str) -> StoredFile | None:
        try:
            file = await self._store.files.get(scope, file_id)
        except NotFound:
            return None
        return file if file.kind in KINDS else None

    async def _lanes(self, scope: Scope, conversation: Conversation) -> AsyncIterator[Lane]:
        yield await self._lane(scope, conversation.id)
        for number in range(2, LANES + 1):
            further = await self._store.conversations.keyed(scope, LANE_FACE, _lane(conversation, number))
            if further is None:
                return
            yield await self._lane(scope, further.id)

    async def _lane(self, scope: Scope, conversation_id: str) -> Lane:
        run = await self._store.runs.live(scope, conversation_id)
        if run is None:
            return Lane(conversation_id=conversation_id)
        asked: Iterable[OpenRequest] = await self._runs.requests(scope, run.id) if run.state == "waiting" else ()
        return Lane(conversation_id=conversation_id, run=run, asked=tuple(one for one in asked if one.answer is None))


def _lane(conversation: Conversation, number: int) -> str:
    return f"{conversation.id}:{number}"
