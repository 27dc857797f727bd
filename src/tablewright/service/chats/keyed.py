"""Chats of clients that name their sessions and requests, and bring no files: what they say and what it is about."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from tablewright.domain.conversation import EarlierTurn
from tablewright.domain.dataset import StoredFile
from tablewright.domain.events import Event
from tablewright.domain.ids import Clock, Ids
from tablewright.domain.language import Language, language_of
from tablewright.domain.message import Message, TextPart
from tablewright.domain.naming import storable
from tablewright.domain.run import Approvals, Mode, OpenRequest, Run
from tablewright.domain.scope import Scope
from tablewright.errors import AlreadyAnswered, Conflict, NotFound, QuestionMissing, RequestIdTaken, RunInProgress
from tablewright.service.chats.answers import answer_in_words
from tablewright.service.chats.places import TakenTurn
from tablewright.service.conversations import KEY_CHARS, Conversations
from tablewright.service.runs.keyed import KeyedRuns
from tablewright.service.runs.runs import Ask, Runs
from tablewright.service.workflow_chat.chat import WorkflowChat
from tablewright.store.base import Store
from tablewright.store.workbook_store import FaceMessage

FILES = 200
"""Among how many of the newest files those that a message names are looked for."""
NAME_CHARS = 2
"""A name without its ending must be as long as this to be looked for."""
PAGE = 1000
EARLIER = 20
"""How many messages that were said elsewhere are told to the first run of a session."""
ROUTED = frozenset({"auto", "workflow"})
"""The modes of messages that may be for a workflow."""
AFTER, ANSWERED, SAID = "after", "request_id", "said"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedMessage:
    """What is said in a session of a face. A `request_id` is that of one message."""

    face: str
    session_id: str | None
    request_id: str
    text: str
    mode: Mode
    language: Language | None = None
    earlier: tuple[EarlierTurn, ...] = ()
    """What was said elsewhere before; told to the first run of a session."""
    approvals: Approvals = "ask"
    """Whether what its run asks can be answered: by the next message of the session, where there is one."""
    agent: str | None = None
    """The name of the agent that is to take it; None leaves it to the mode."""
    brief: str | None = None
    """What its agent should hold to, beside what is configured."""


class KeyedChats:
    """Takes messages, each once.

    A message begins a run, or answers the one that waits in its session; the same request again finds what it has led
    to. A session that has no file yet gets those that the message names, else the newest that was uploaded.
    """

    def __init__(
        self,
        store: Store,
        conversations: Conversations,
        runs: Runs,
        keyed: KeyedRuns,
        clock: Clock,
        ids: Ids,
        continue_words: Collection[str],
        workflows: Callable[[], WorkflowChat],
    ) -> None:
        self._workflows = workflows
        self._store = store
        self._conversations = conversations
        self._runs = runs
        self._keyed = keyed
        self._clock = clock
        self._ids = ids
        self._continue_words = continue_words

    async def take(self, scope: Scope, said: KeyedMessage) -> TakenTurn:
        """Do what a message asks for. Raises what `Runs.start` raises, `RunInProgress` while the session's last one is
        worked on, `RequestIdTaken` where the request was another message or came in another session."""
        said = replace(said, request_id=storable(said.request_id))
        if (known := await self._known(scope, said)) is not None:
            return known
        conversation = await self._conversations.of_client(
            scope, said.face, said.session_id or said.request_id, language=said.language or language_of(said.text)
        )
        live = await self._store.runs.live(scope, conversation.id)
        if live is not None and live.state == "waiting":
            return await self._answered(scope, said, live)
        files = await self._files(scope, conversation.id, said.text)
        new = not await self._store.conversations.latest_messages(scope, conversation.id, 1)
        ask = Ask(
            text=said.text,
            mode=said.mode,
            agent=said.agent,
            approvals=said.approvals,
            language=said.language,
            file_ids=files,
            opening=_opening(said),
            earlier=said.earlier[-EARLIER:] if new else (),
        )
        if said.mode in ROUTED:
            return await self._routed(scope, said, conversation.id, ask)
        begun = await self._keyed.start(scope, said.face, said.request_id, ask, session_id=said.session_id)
        if begun.repeated:
            await self._check(scope, said, begun.run, _mark(begun.run.question))
        return TakenTurn(run=begun.run)

    async def language(self, scope: Scope, face: str, session_id: str, words: str) -> Language:
        """Return the language of a session, or that of the words where there is none yet."""
        session = await self._store.conversations.keyed(scope, face, storable(session_id)[:KEY_CHARS])
        return language_of(words) if session is None else session.language

    def new_request_id(self) -> str:
        """Return an id for the request of a client that names none."""
        return self._ids.new()

    def follow(self, scope: Scope, turn: TakenTurn) -> AsyncIterator[Event]:
        """Yield what happens until the run has ended or waits for a person."""
        return self._runs.follow(scope, turn.run.id, after=turn.after, until_rest=True)

    async def before(self, scope: Scope, turn: TakenTurn) -> AsyncIterator[Event]:
        """Yield what had happened in the run before its reply begins."""
        after = 0
        while after < turn.after and (page := await self._page(scope, turn, after)):
            for event in page:
                if event.seq > turn.after:
                    return
                yield event
            after = page[-1].seq

    async def waits_for(self, scope: Scope, turn: TakenTurn) -> tuple[OpenRequest, ...]:
        """Return what the run waits for, the oldest first."""
        return tuple(one for one in await self._runs.requests(scope, turn.run.id) if one.answered_at is None)

    async def _page(self, scope: Scope, turn: TakenTurn, after: int) -> Sequence[Event]:
        return await self._store.log.events(scope, turn.run.id, after=after, limit=PAGE)

    async def _known(self, scope: Scope, said: KeyedMessage) -> TakenTurn | None:
        """Return what the same request has led to before."""
        if (run := await self._keyed.find(scope, said.face, said.request_id)) is not None:
            await self._check(scope, said, run, _mark(run.question))
            return TakenTurn(run=run)
        try:
            note = await self._store.faces.get(scope, said.face, said.request_id)
            run = await self._runs.get(scope, note.run_id or "")
        except NotFound:
            return None
        await self._check(scope, said, run, note.details.get(SAID))
        return TakenTurn(run=run, after=int(note.details.get(AFTER, 0)), answered=note.details.get(ANSWERED))

    async def _check(self, scope: Scope, said: KeyedMessage, run: Run, mark: str | None) -> None:
        """Raise `RequestIdTaken` unless a request is the one that has led to `run`: its message has the `mark`, and
        its session is that of the run. Whoever only comes back to the run need not say again what was asked."""
        key = storable(said.session_id or said.request_id)[:KEY_CHARS]
        session = await self._store.conversations.keyed(scope, said.face, key)
        same = mark is None or not said.text.strip() or mark == _mark(said.text)
        if not same or session is None or session.id != run.conversation_id:
            raise RequestIdTaken(request_id=said.request_id)

    async def _answered(self, scope: Scope, said: KeyedMessage, run: Run) -> TakenTurn:
        """Give the message to the run that waits. Of two who answer at once the second comes while it works."""
        if not said.text.strip():
            raise QuestionMissing(field="query")
        waiting = await self.waits_for(scope, TakenTurn(run=run))
        if not waiting:
            raise RunInProgress(run_id=run.id)
        answer = answer_in_words(waiting[0], said.text, self._continue_words)
        try:
            await self._runs.answer(scope, run.id, waiting[0].id, answer, said=said.text)
        except (AlreadyAnswered, Conflict) as error:
            raise RunInProgress(run_id=run.id) from error
        turn = TakenTurn(run=run, after=run.last_seq, answered=waiting[0].id)
        await self._store.faces.put(scope, self._note(said, turn))
        return turn

    async def _routed(self, scope: Scope, said: KeyedMessage, conversation_id: str, ask: Ask) -> TakenTurn:
        """Give the message to the workflow that it is for; in mode `auto` to an agent where there is none."""
        taken = await self._workflows().take(scope, conversation_id, ask)
        turn = TakenTurn(run=taken.run, after=taken.after)
        await self._store.faces.put(scope, self._note(said, turn))
        return turn

    def _note(self, said: KeyedMessage, turn: TakenTurn) -> FaceMessage:
        return FaceMessage(
            id=self._ids.new(),
            face=said.face,
            message_id=said.request_id,
            channel_id=said.session_id or said.request_id,
            uid="",
            created_at=self._clock.now(),
            run_id=turn.run.id,
            details={AFTER: turn.after, ANSWERED: turn.answered, SAID: _mark(said.text)},
        )

    async def _files(self, scope: Scope, conversation_id: str, words: str) -> tuple[str, ...]:
        """Return the files that a message is about, beside those that its session has. The newest of a name counts."""
        known = await self._store.files.find(scope, limit=FILES)
        uploaded = [file for file in known.items if file.run_id is None and file.datasets and not file.of_one_call]
        uploaded = list({file.name: file for file in reversed(uploaded)}.values())[::-1]
        named = [file.id for file in uploaded if _named(file, words)]
        if named or await self._store.files.linked(scope, conversation_id):
            return tuple(named)
        return tuple(file.id for file in uploaded[:1])


def _mark(text: str) -> str:
    """Return what tells messages apart, as a run keeps their words."""
    return hashlib.sha256(storable(text).strip().encode()).hexdigest()


def _opening(said: KeyedMessage) -> tuple[Message, ...]:
    """Return what the transcript of a run with a brief begins with."""
    if said.brief is None:
        return ()
    return tuple(
        Message(role="user", parts=(TextPart(text=storable(words), origin="user"),))
        for words in (said.brief, said.text)
    )


def _named(file: StoredFile, words: str) -> bool:
    """Return whether the name of a file stands in the words, with its ending or without."""
    words, name = words.casefold(), file.name.casefold()
    stem = PurePath(name).stem
    return name in words or (len(stem) >= NAME_CHARS and stem in words)
