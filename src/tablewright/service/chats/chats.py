"""The use cases of chats: take a message with all that was said before it, and follow what comes of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from tablewright.domain.conversation import EarlierTurn
from tablewright.domain.events import Event
from tablewright.domain.language import Language, language_of
from tablewright.domain.run import OpenRequest, RequestAnswer, Run
from tablewright.domain.scope import Scope
from tablewright.errors import (
    AlreadyAnswered,
    Conflict,
    InvalidInput,
    NotFound,
    QuestionMissing,
    RunInProgress,
    TablewrightError,
)
from tablewright.service.chats.answers import answer_in_words
from tablewright.service.chats.attachments import ChatAttachments
from tablewright.service.chats.places import ChatPlaces, Place, TakenTurn, Told
from tablewright.service.chats.request import ChatName, ChatRequest
from tablewright.service.chats.trail import name_of, trail_of
from tablewright.service.conversations import Conversations
from tablewright.service.runs.runs import Ask, Runs
from tablewright.service.workflow_chat.chat import WORKING, WorkflowChat
from tablewright.store.base import Store

FACE = "chats"
EARLIER = 20
"""How many messages of a chat that we do not know are told to its first run."""
EARLIER_CHARS = 20_000
LANGUAGE_CHARS = 1_000
TEXT_CHARS = 100_000
"""The longest message, without the tables in it."""
AnswerMaker = Callable[[OpenRequest], RequestAnswer]
"""Makes the answer to a request once it is known what was asked."""
ROUTED = frozenset({"auto", "workflow"})
"""The modes of messages that may be for a workflow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatParts:
    """What chats are made of. `workflows` is loaded with the first message that may be for one."""

    store: Store
    conversations: Conversations
    runs: Runs
    attachments: ChatAttachments
    places: ChatPlaces
    workflows: Callable[[], WorkflowChat]
    continue_words: Collection[str]


class Chats:
    """Takes what is said in chats. What belongs to another owner is `NotFound`, or not found by its messages.

    A chat goes on in the conversation that its messages have led to. A message that goes back behind what was said,
    or that comes while another one is worked on, is a branch: it begins a conversation of its own, which has the files
    and is told what was said.
    """

    def __init__(self, parts: ChatParts) -> None:
        self._parts = parts
        self._store = parts.store
        self._runs = parts.runs

    async def take(self, scope: Scope, request: ChatRequest, told: Told) -> TakenTurn:
        """Do what the new message asks for: begin a run, or give it to the run that waits for it.

        Raises `QuestionMissing`, `NotFound` (a file, a conversation), `ModelUnknown`, `RunInProgress`,
        `WorkflowAbsent` and the errors of files.
        """
        trail, repetition = await asyncio.to_thread(trail_of, request), request.repetition
        if repetition.again or repetition.key is not None:
            before = await self._parts.places.repeated(scope, trail[-1], key=repetition.key)
            if before is not None:
                return before
        place = await self._place(scope, request, trail, told)
        turn = None
        if place is not None and place.here:
            try:
                turn = await self._continued(scope, request, place)
            except RunInProgress:
                if not request.before:
                    raise
        if turn is None:
            turn = await self._branch(scope, request, place)
        await self._parts.places.keep(scope, trail[-1], turn, key=repetition.key)
        return turn

    def follow(self, scope: Scope, turn: TakenTurn) -> AsyncIterator[Event]:
        """Yield what happens until the run has ended or waits for a person."""
        return self._runs.follow(scope, turn.run.id, after=turn.after, until_rest=True)

    async def asked(self, scope: Scope, run_id: str) -> OpenRequest | None:
        """Return what the next message of a chat answers: the oldest open request of its run, if any."""
        return next(iter(await self.open_requests(scope, run_id)), None)

    async def open_requests(self, scope: Scope, run_id: str) -> tuple[OpenRequest, ...]:
        """Return all that a run waits for, the oldest first."""
        return tuple(one for one in await self._runs.requests(scope, run_id) if one.answered_at is None)

    async def before(self, scope: Scope, turn: TakenTurn) -> AsyncIterator[Event]:
        """Yield what had happened in the run before its reply begins."""
        if turn.after:
            async for event in self._parts.places.events(scope, replace(turn, after=0), until=turn.after):
                yield event

    async def resume(
        self, scope: Scope, chat: ChatName, answers: Mapping[str, AnswerMaker], *, language: Language
    ) -> TakenTurn:
        """Answer requests of the run that waits in a chat, by their ids: all of them, or none is known.

        Raises `NotFound` (a request that is not open there), `AlreadyAnswered`, and what `answers` raise.
        """
        conversation_id = await self._named(scope, chat, "", language)
        run = await self._store.runs.live(scope, conversation_id)
        asked = {} if run is None else {one.id: one for one in await self._runs.requests(scope, run.id)}
        missing = next((key for key in answers if key not in asked), None)
        if run is None or missing is not None:
            raise NotFound(kind="request", id=missing or "", field="resume")
        given = {key: make(asked[key]) for key, make in answers.items()}
        for key, answer in given.items():
            await self._runs.answer(scope, run.id, key, answer)
        turn = TakenTurn(run=run, after=run.last_seq, answered=next(iter(given), None))
        await self._parts.places.keep(scope, f"resumed {run.id}", turn, key=None)
        return turn

    async def _place(self, scope: Scope, request: ChatRequest, trail: Sequence[str], told: Told) -> Place | None:
        if request.chat is None:
            return await self._parts.places.found(scope, request.turns, trail, told)
        conversation_id = await self._named(scope, request.chat, request.person, _language(request))
        last = await self._parts.places.of_conversation(scope, conversation_id)
        there = Place(conversation_id=conversation_id, turn=last, here=True)
        if last is None or (request.chat.certain and not request.before):
            return there
        spoken = _last_spoken(request)
        if spoken and await self._parts.places.ends_with(scope, last, spoken, told):
            return there
        branch = await self._parts.places.found(scope, request.turns, trail, told)
        return branch if branch is not None and branch.here else replace(there, here=False)

    async def _named(self, scope: Scope, chat: ChatName, person: str, language: Language) -> str:
        """Return the conversation that a client calls by its id, or by a name of its own."""
        with suppress(NotFound):
            return (await self._parts.conversations.get(scope, chat.key)).id
        key = name_of(person, chat.key)
        return (await self._parts.conversations.of_client(scope, FACE, key, language=language)).id

    async def _continued(self, scope: Scope, request: ChatRequest, place: Place) -> TakenTurn:
        if place.turn is None:
            return await self._begun(scope, request, place.conversation_id, whole=True)
        run = await self._runs.get(scope, place.turn.run.id)
        if run.state in WORKING and request.before:  # its person has left it and says something else
            run = await self._runs.cancel(scope, run.id)
        if run.state == "waiting":
            return await self._answered(scope, request, run)
        return await self._begun(scope, request, place.conversation_id, follows=run.id)

    async def _answered(self, scope: Scope, request: ChatRequest, run: Run) -> TakenTurn:
        """Give the message to the run that waits. Of two who answer at once the second comes while it works."""
        if not request.new.text.strip():
            raise QuestionMissing(field="messages")
        asked = await self.asked(scope, run.id)
        if asked is None:
            raise RunInProgress(run_id=run.id)
        if run.workflow_id is not None:
            return await self._routed(scope, run.conversation_id, Ask(text=request.new.text, mode="workflow"), asked)
        words = request.new.text
        answer = answer_in_words(asked, words, self._parts.continue_words)
        try:
            await self._runs.answer(scope, run.id, asked.id, answer, said=words)
        except (AlreadyAnswered, Conflict) as error:
            raise RunInProgress(run_id=run.id) from error
        return TakenTurn(run=run, after=run.last_seq, answered=asked.id)

    async def _routed(
        self, scope: Scope, conversation_id: str, ask: Ask, asked: OpenRequest | None = None
    ) -> TakenTurn:
        """Give the message to workflows: it may begin one, answer one, or be for none."""
        taken = await self._parts.workflows().take(scope, conversation_id, ask)
        answered = asked.id if asked is not None and taken.after else None
        return TakenTurn(run=taken.run, after=taken.after, answered=answered)

    async def _branch(self, scope: Scope, request: ChatRequest, place: Place | None) -> TakenTurn:
        """Begin a conversation of its own for the message."""
        linked = () if place is None else await self._store.files.linked(scope, place.conversation_id)
        language = _language(request)
        made = await self._parts.conversations.create(scope, language=language)
        try:
            files = tuple(file.id for file in linked if file.run_id is None)
            return await self._begun(scope, request, made.id, whole=True, files=files)
        except TablewrightError:
            await self._parts.conversations.delete(scope, made.id)
            raise

    async def _begun(
        self,
        scope: Scope,
        request: ChatRequest,
        conversation_id: str,
        *,
        whole: bool = False,
        files: Sequence[str] = (),
        follows: str | None = None,
    ) -> TakenTurn:
        """Begin a run. The `whole` chat is told where the conversation knows nothing of it yet."""
        known = [await self._store.files.get(scope, file_id) for file_id in files]
        known += await self._store.files.linked(scope, conversation_id)
        turns = request.turns if whole else (request.new,)
        brought = await self._parts.attachments.bring(scope, turns, request.background, known=known)
        if (problem := _problem(brought.text)) is not None:
            await self._parts.attachments.forget(scope, brought.uploaded)
            raise problem
        ask = Ask(
            text=brought.text,
            file_ids=(*files, *brought.file_ids),
            model=request.model,
            mode=request.mode,
            approvals=request.approvals,
            earlier=_earlier(request) if whole else (),
            follows=follows,
        )
        try:
            return await self._started(scope, conversation_id, ask)
        except TablewrightError:
            await self._parts.attachments.forget(scope, brought.uploaded)
            raise

    async def _started(self, scope: Scope, conversation_id: str, ask: Ask) -> TakenTurn:
        if ask.mode in ROUTED:
            return await self._routed(scope, conversation_id, ask)
        return TakenTurn(run=await self._runs.start(scope, conversation_id, ask))


def _language(request: ChatRequest) -> Language:
    return language_of(request.new.text[:LANGUAGE_CHARS], request.language)


def _problem(text: str) -> InvalidInput | None:
    """Return why a message cannot be asked, once its tables are out of it."""
    if not text.strip():
        return QuestionMissing(field="messages")
    if len(text) > TEXT_CHARS:
        return InvalidInput("chat_message_long", field="messages", limit=TEXT_CHARS)
    return None


def _last_spoken(request: ChatRequest) -> str:
    """Return what the client says that we answered last."""
    spoken: list[str] = []
    for turn in reversed(request.before):
        if turn.role == "user":
            break
        spoken.insert(0, turn.text)
    return "".join(spoken).strip()


def _earlier(request: ChatRequest) -> tuple[EarlierTurn, ...]:
    said = [turn for turn in request.before if turn.text.strip()][-EARLIER:]
    return tuple(EarlierTurn(author=turn.role, text=turn.text[:EARLIER_CHARS]) for turn in said)
