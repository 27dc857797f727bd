"""Structured queries: a report asked for over their own wire, seen round by round, and let go on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass

from tablewright.domain.conversation import Conversation
from tablewright.domain.dataset import StoredFile
from tablewright.domain.events import Event
from tablewright.domain.language import Language, language_of
from tablewright.domain.run import OpenRequest, RequestAnswer, Run
from tablewright.domain.scope import Scope
from tablewright.domain.structured import STEPWISE, SUBJECT
from tablewright.errors import NotFound, QuestionMissing, RunInProgress
from tablewright.service.conversations import Conversations
from tablewright.service.runs.runs import Ask, Runs
from tablewright.store.base import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class StructuredQuery:
    """A request. Without a `query` it lets the conversation's run go on, or asks for a report on the files.

    `files` are ids or names. With `step`, the run waits after every round. `language` is that of the request.
    """

    query: str = ""
    conversation_id: str | None = None
    files: tuple[str, ...] = ()
    step: bool = False
    language: Language = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedQuery:
    """The run that a request is about; its response is made of the events after `after`."""

    run: Run
    after: int = 0


class StructuredQueries:
    """The use cases of structured queries. What belongs to another owner raises `NotFound`."""

    def __init__(self, store: Store, conversations: Conversations, runs: Runs) -> None:
        self._store = store
        self._conversations = conversations
        self._runs = runs

    async def take(self, scope: Scope, query: StructuredQuery) -> AcceptedQuery:
        """Start a run, or have a waiting one go on; a request that was sent before is told of the same run again.

        A new query ends a run of the conversation that waits to go on. Raises `QuestionMissing`, `NotFound`
        (conversation, file), `RunInProgress` or `ModelUnknown`.
        """
        wanted = query.query.strip()
        if query.conversation_id is None:
            if not wanted and not query.files:
                raise QuestionMissing(field="query")
            files = await self._files(scope, query.files, ())
            language = language_of(wanted, query.language)
            conversation = await self._conversations.create(scope, language=language)
            return await self._started(scope, conversation, query, files)
        conversation = await self._conversations.get(scope, query.conversation_id)
        linked = await self._store.files.linked(scope, conversation.id)
        files = await self._files(scope, query.files, linked)
        if wanted or files:
            return await self._started(scope, conversation, query, files, await self._waiting(scope, conversation.id))
        return await self._continued(scope, conversation, query, linked)

    def follow(self, scope: Scope, accepted: AcceptedQuery) -> AsyncIterator[Event]:
        """Yield the events of the run until it has ended or waits to go on."""
        return self._runs.follow(scope, accepted.run.id, after=accepted.after, until_rest=True)

    async def _started(
        self,
        scope: Scope,
        conversation: Conversation,
        query: StructuredQuery,
        files: Sequence[StoredFile],
        instead_of: str | None = None,
    ) -> AcceptedQuery:
        ask = Ask(
            text=query.query,
            file_ids=tuple(file.id for file in files),
            mode="report",
            opening=(STEPWISE,) if query.step else (),
            instead_of=instead_of,
        )
        return AcceptedQuery(run=await self._runs.start(scope, conversation.id, ask))

    async def _waiting(self, scope: Scope, conversation_id: str) -> str | None:
        """Return the id of the run that waits to go on, if there is one. Raises `RunInProgress` if one works."""
        live = await self._store.runs.live(scope, conversation_id)
        if live is None:
            return None
        if live.mode == "report" and _pause(await self._runs.requests(scope, live.id)) is not None:
            return live.id
        raise RunInProgress(run_id=live.id)

    async def _continued(
        self, scope: Scope, conversation: Conversation, query: StructuredQuery, linked: Sequence[StoredFile]
    ) -> AcceptedQuery:
        """Let the run go on that waits, follow the one that works, or tell of the last one again."""
        run = await self._store.runs.live(scope, conversation.id) or await self._last(scope, conversation.id)
        if run is None or run.mode != "report":
            if not linked:
                raise QuestionMissing(field="query")
            return await self._started(scope, conversation, query, ())
        pause = _pause(await self._runs.requests(scope, run.id)) if run.state != "finished" else None
        if pause is None:
            return AcceptedQuery(run=run)
        seen = (await self._runs.get(scope, run.id)).last_seq
        answer = RequestAnswer(decision="approve", values={"step": query.step})
        await self._runs.answer(scope, run.id, pause.id, answer)
        return AcceptedQuery(run=run, after=seen)

    async def _last(self, scope: Scope, conversation_id: str) -> Run | None:
        questions = await self._store.conversations.questions(scope, conversation_id)
        run_id = next((message.run_id for message in reversed(questions) if message.run_id is not None), None)
        return None if run_id is None else await self._runs.get(scope, run_id)

    async def _files(self, scope: Scope, named: Iterable[str], linked: Sequence[StoredFile]) -> tuple[StoredFile, ...]:
        """Return the files that are named by id or by name: those of the conversation first, else the newest."""
        return tuple([await self._file(scope, name, linked) for name in dict.fromkeys(named)])

    async def _file(self, scope: Scope, name: str, linked: Sequence[StoredFile]) -> StoredFile:
        own = {file.id: file for file in linked} | {file.name: file for file in linked}
        plain = name.removeprefix("data/")
        if (file := own.get(name) or own.get(plain)) is not None:
            return file
        try:
            return await self._store.files.get(scope, name)
        except NotFound:
            found = await self._store.files.find(scope, name=plain, limit=1)
        if not found.items:
            raise NotFound(kind="file", id=name, field="files")
        return found.items[0]


def _pause(requests: Sequence[OpenRequest]) -> OpenRequest | None:
    """Return the open request to let a run go on."""
    return next((each for each in requests if each.subject_kind == SUBJECT and each.answered_at is None), None)
