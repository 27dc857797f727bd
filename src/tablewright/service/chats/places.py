"""Where a chat stands: which conversation its messages have led to, and whether the conversation is still there.

Each request leaves a note under the hash of its messages (`trail`), in the scope of its caller. The next request has
these messages and our answer to them: the note is found by the hash, and believed if the answer is what the log of the
run gives.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from tablewright.domain.events import Event, RequestAnswered
from tablewright.domain.ids import Clock, Ids
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.errors import NotFound
from tablewright.service.chats.request import ChatTurn
from tablewright.service.chats.trail import plain
from tablewright.store.base import Store
from tablewright.store.workbook_store import FaceMessage

FACE = "chats"
SAME = 8
"""How many conversations with the same messages are looked at, the newest first."""
BACK = 5
"""How many of the person's messages are gone back to find what a branch has grown from."""
PAGE = 1000
CONVERSATION, AFTER, ANSWERED, KEY = "conversation_id", "after", "request_id", "key"

Told = Callable[[Run, Iterable[Event]], str]
"""Returns what a client is given to read of some events of a run: the face's own fold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenTurn:
    """What was done with a message: begin `run`, or answer its request `answered`. Its reply is made of the events
    after `after`."""

    run: Run
    after: int = 0
    answered: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A conversation that messages led to. `here`: it stands where they end, with `turn` as its last; otherwise only
    its files are theirs. Without a `turn` it has just begun."""

    conversation_id: str
    turn: TakenTurn | None = None
    here: bool = False


class ChatPlaces:
    """Keeps and finds the notes."""

    def __init__(self, store: Store, clock: Clock, ids: Ids) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids

    async def keep(self, scope: Scope, trail: str, turn: TakenTurn, *, key: str | None) -> None:
        """Note that the messages up to `trail` have led to `turn`; `key` is that of the request, if it has one."""
        place = turn.run.conversation_id
        details: dict[str, Any] = {AFTER: turn.after, ANSWERED: turn.answered, KEY: key}
        await self._store.faces.put(
            scope,
            FaceMessage(
                id=self._ids.new(),
                face=FACE,
                message_id=place,
                channel_id=trail,
                uid="",
                created_at=self._clock.now(),
                run_id=turn.run.id,
                details=details,
            ),
        )

    async def repeated(self, scope: Scope, trail: str, *, key: str | None) -> TakenTurn | None:
        """Return what the same request has led to before: the newest that has not failed, or that with the `key`."""
        for note in await self._store.faces.latest(scope, FACE, trail, limit=SAME):
            if key is not None and note.details.get(KEY) != key:
                continue
            turn = await self._turn(scope, note)
            if turn is not None and (key is not None or turn.run.outcome != "failed"):
                return turn
        return None

    async def found(self, scope: Scope, turns: Sequence[ChatTurn], trail: Sequence[str], told: Told) -> Place | None:
        """Return where the messages before the last have led to; else the place that most of them have led to."""
        asked = [at for at, turn in enumerate(turns[:-1]) if turn.role == "user"]
        passed: Place | None = None
        for back, at in enumerate(reversed(asked[-BACK:])):
            until = next((later for later in asked if later > at), len(turns) - 1)
            spoken = "".join(turn.text for turn in turns[at + 1 : until])
            if back and not plain(spoken):
                continue
            for turn in await self._said(scope, trail[at], spoken, told):
                if back == 0 and await self._is_last(scope, turn):
                    return Place(conversation_id=turn.run.conversation_id, turn=turn, here=True)
                if passed is None and plain(spoken):
                    passed = Place(conversation_id=turn.run.conversation_id, turn=turn)
        return passed

    async def of_conversation(self, scope: Scope, conversation_id: str) -> TakenTurn | None:
        """Return the last turn of a conversation, or None before the first question."""
        run_id = await self._last_run(scope, conversation_id)
        if run_id is None:
            return None
        with suppress(NotFound):
            note = await self._store.faces.get(scope, FACE, conversation_id)
            if note.run_id == run_id and (turn := await self._turn(scope, note)) is not None:
                return turn
        return TakenTurn(run=await self._store.runs.get(scope, run_id))

    async def ends_with(self, scope: Scope, turn: TakenTurn, spoken: str, told: Told) -> bool:
        """Return whether `spoken` is what was said in `turn`, or its beginning: a client may have left early."""
        events = [event async for event in self.events(scope, turn)]
        return plain(told(turn.run, events)).startswith(plain(spoken))

    async def _said(self, scope: Scope, trail: str, spoken: str, told: Told) -> list[TakenTurn]:
        """Return the turns that messages have led to and in which `spoken` was said, the newest first."""
        notes = await self._store.faces.latest(scope, FACE, trail, limit=SAME)
        turns = [turn for note in notes if (turn := await self._turn(scope, note)) is not None]
        return [turn for turn in turns if await self.ends_with(scope, turn, spoken, told)]

    async def _is_last(self, scope: Scope, turn: TakenTurn) -> bool:
        """Return whether nothing has been said in the conversation since: by another branch, or on the page."""
        if turn.run.id != await self._last_run(scope, turn.run.conversation_id):
            return False
        if turn.run.approvals == "auto":
            return True
        types = ("request.answered",)
        since = await self._store.log.events(scope, turn.run.id, after=turn.after, types=types)
        bodies = [event.body for event in since]
        return all(isinstance(one, RequestAnswered) and one.request_id == turn.answered for one in bodies)

    async def _turn(self, scope: Scope, note: FaceMessage) -> TakenTurn | None:
        """Return what a note is about; one whose conversation has been deleted is removed."""
        try:
            run = await self._store.runs.get(scope, note.run_id or "")
        except NotFound:
            await self._store.faces.remove(scope, FACE, note.id)
            return None
        return TakenTurn(run=run, after=int(note.details.get(AFTER, 0)), answered=note.details.get(ANSWERED))

    async def _last_run(self, scope: Scope, conversation_id: str) -> str | None:
        messages = await self._store.conversations.latest_messages(scope, conversation_id, SAME)
        return next((message.run_id for message in reversed(messages) if message.run_id is not None), None)

    async def events(self, scope: Scope, turn: TakenTurn, *, until: int | None = None) -> AsyncIterator[Event]:
        """Yield the stored events of a run after those of earlier turns, up to that numbered `until`."""
        after = turn.after
        while page := await self._store.log.events(scope, turn.run.id, after=after, limit=PAGE):
            for event in page:
                if until is not None and event.seq > until:
                    return
                yield event
            after = page[-1].seq
