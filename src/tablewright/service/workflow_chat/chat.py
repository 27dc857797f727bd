"""The use cases of the chat: take a message, follow what comes of it, and cancel the workflow."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Protocol

from tablewright.domain.conversation import NOTHING_WAITS, Conversation, ConversationState
from tablewright.domain.events import Event
from tablewright.domain.ids import Clock
from tablewright.domain.naming import storable
from tablewright.domain.run import OpenRequest, Run
from tablewright.domain.scope import Scope
from tablewright.errors import (
    AlreadyAnswered,
    Conflict,
    InputMissing,
    NotFound,
    QuestionMissing,
    RunInProgress,
    WorkflowAbsent,
)
from tablewright.service.conversations import Conversations
from tablewright.service.runs.runs import Ask, Runs
from tablewright.service.workflow_chat.answers import answer_of
from tablewright.service.workflow_chat.base import ChosenWorkflow, WorkflowDesk, chosen_event
from tablewright.service.workflow_chat.fit import fits
from tablewright.service.workflows.launch import Launch
from tablewright.service.workflows.launches import WorkflowLaunches
from tablewright.store.base import Store
from tablewright.workflows.assistant import QUESTION
from tablewright.workflows.opening import is_published, opened
from tablewright.workflows.state import SUBJECT, node_of

log = logging.getLogger(__name__)
WORKING = frozenset({"queued", "running"})


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedMessage:
    """The run that a message has begun or resumed; what comes of it is the events after `after`."""

    run: Run
    after: int = 0


class Choosing(Protocol):
    """Chooses a workflow, as the desk does, for a message that is known already."""

    async def __call__(self, *, without: Collection[str]) -> ChosenWorkflow | None:
        """Return the workflow, passing over those whose ids are in `without`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedNode:
    """The request that the next message answers, and the node of the workflow that asks it, itself or through its
    agent."""

    request: OpenRequest
    node_id: str


class WorkflowChat:
    """Takes what is said in a conversation; a conversation of another owner raises `NotFound`.

    A question that was asked longer than `restart_after` ago is not resumed by typed text: its workflow begins anew.
    """

    def __init__(
        self,
        store: Store,
        conversations: Conversations,
        runs: Runs,
        launches: WorkflowLaunches,
        desk: WorkflowDesk,
        *,
        clock: Clock,
        restart_after: timedelta,
        continue_words: Collection[str],
    ) -> None:
        self._store = store
        self._conversations = conversations
        self._runs = runs
        self._launches = launches
        self._desk = desk
        self._clock = clock
        self._restart_after = restart_after
        self._continue_words = frozenset(word.strip().casefold() for word in continue_words)

    async def take(self, scope: Scope, conversation_id: str, ask: Ask) -> AcceptedMessage:
        """Begin the workflow that the message is for, or give it to the one that waits for it.

        Where none fits, a message of mode `workflow` goes to the fallback or the default, any other to the agent of its
        mode. Where workflows are switched off all go to an agent, and what had waited has ended.
        Raises `QuestionMissing`, `NotFound`, `RunInProgress`, or `WorkflowAbsent` if there is none to begin.
        """
        ask = replace(ask, text=storable(ask.text).strip())
        if not ask.text:
            raise QuestionMissing(field="text")
        conversation = await self._conversations.get(scope, conversation_id)
        await self.state(scope, conversation_id)
        live = await self._store.runs.live(scope, conversation_id)
        if live is None:
            return await self._begun(scope, conversation, ask)
        asked = None if live.state in WORKING or live.workflow_id is None else await self.asked(scope, live.id)
        if asked is None or live.workflow_id is None:
            raise RunInProgress(run_id=live.id)
        if not await self._desk.enabled(scope):
            return await self._plain(scope, conversation, replace(ask, mode="auto", instead_of=live.id))
        waiting = await self._definition(scope, live.id)
        valid = await self._fits(scope, asked.request, ask.text)
        choose = partial(
            self._desk.new_intent, scope, conversation, ask.text, valid=valid, workflow_id=live.workflow_id
        )
        begun = await self._first_startable(scope, conversation, replace(ask, instead_of=live.id), choose)
        if begun is not None:
            return begun
        if self._clock.now() - asked.request.created_at > self._restart_after:
            return await self._started(scope, conversation, replace(ask, instead_of=live.id), waiting)
        return await self._answered(scope, live, asked.request, ask)

    async def _fits(self, scope: Scope, request: OpenRequest, words: str) -> bool | None:
        """Return whether words are what a request demands. A node may be of a workflow that runs within another one."""
        of_node = request.kind == "question" and request.subject_kind == SUBJECT
        asking = (await self._definition(scope, request.run_id)).definition if of_node else None
        return fits(request, asking, words, continue_words=self._continue_words)

    def follow(self, scope: Scope, accepted: AcceptedMessage) -> AsyncIterator[Event]:
        """Yield what happens until the run has ended or waits for a person again."""
        return self._runs.follow(scope, accepted.run.id, after=accepted.after, until_rest=True)

    async def asked(self, scope: Scope, run_id: str) -> AskedNode | None:
        """Return what the next message of a conversation answers: the oldest open request of its run, if any."""
        asked = [each for each in await self._runs.requests(scope, run_id) if each.answered_at is None]
        if not asked:
            return None
        request = asked[0]
        place = request.subject_ref if request.run_id == run_id else await self._task(scope, request.run_id, run_id)
        return AskedNode(request=request, node_id=node_of(place or ""))

    async def _task(self, scope: Scope, run_id: str, top_id: str) -> str | None:
        """Return the task of the child of `top_id` that `run_id` is, or is below."""
        run = await self._runs.get(scope, run_id)
        while run.parent_id not in {None, top_id}:
            run = await self._runs.get(scope, run.parent_id or "")
        return run.task_id

    async def state(self, scope: Scope, conversation_id: str) -> ConversationState:
        """Return which workflow waits in the conversation; a state that cannot be is healed, and logged."""
        state = await self._store.conversations.state(scope, conversation_id)
        if state == NOTHING_WAITS or await self._true(scope, conversation_id, state):
            return state
        if await self._store.conversations.set_state(scope, conversation_id, NOTHING_WAITS, instead_of=state):
            log.warning("conversation %s was in a state that cannot be: %s", conversation_id, state)
            return NOTHING_WAITS
        return await self._store.conversations.state(scope, conversation_id)

    async def cancel(self, scope: Scope, conversation_id: str) -> None:
        """Stop what runs or waits in the conversation; nothing happens if nothing does."""
        try:
            await self._conversations.get(scope, conversation_id)
        except NotFound:
            return
        if (live := await self._store.runs.live(scope, conversation_id)) is not None:
            await self._runs.cancel(scope, live.id)
        state = await self._store.conversations.state(scope, conversation_id)
        if state != NOTHING_WAITS and (live is None or state.run_id in {None, live.id}):
            await self._store.conversations.set_state(scope, conversation_id, NOTHING_WAITS, instead_of=state)

    async def _true(self, scope: Scope, conversation_id: str, state: ConversationState) -> bool:
        if state.contradictory or state.run_id is None:
            return False
        try:
            run = await self._runs.get(scope, state.run_id)
        except NotFound:
            return False
        return run.state != "finished" and run.conversation_id == conversation_id and run.parent_id is None

    async def _definition(self, scope: Scope, run_id: str) -> ChosenWorkflow:
        """Return the workflow that a run was begun with, and what it was given but its question."""
        transcript = await self._store.log.transcript(scope, run_id)
        definition, inputs = opened(transcript)
        given = {name: value for name, value in inputs.items() if value is not None and name != QUESTION}
        return ChosenWorkflow(definition=definition, published=is_published(transcript), inputs=given)

    async def _answered(self, scope: Scope, live: Run, request: OpenRequest, ask: Ask) -> AcceptedMessage:
        """Give the message to the run, and its files to the conversation.

        Whoever is second, of two who answer at once, comes while the run works.
        """
        answer = answer_of(request, ask.text, continue_words=self._continue_words)
        seen = (await self._runs.get(scope, live.id)).last_seq
        try:
            await self._runs.answer(scope, live.id, request.id, answer, said=ask.text, file_ids=ask.file_ids)
        except (AlreadyAnswered, Conflict) as error:
            raise RunInProgress(run_id=live.id) from error
        return AcceptedMessage(run=live, after=seen)

    async def _begun(self, scope: Scope, conversation: Conversation, ask: Ask) -> AcceptedMessage:
        if not await self._desk.enabled(scope):
            return await self._plain(scope, conversation, replace(ask, mode="auto"))
        choose = partial(self._desk.choose, scope, conversation, ask.text, otherwise=ask.mode == "workflow")
        begun = await self._first_startable(scope, conversation, ask, choose)
        if begun is not None:
            return begun
        if ask.mode == "workflow":
            raise WorkflowAbsent
        return await self._plain(scope, conversation, ask)

    async def _first_startable(
        self, scope: Scope, conversation: Conversation, ask: Ask, choose: Choosing
    ) -> AcceptedMessage | None:
        """Begin the workflow that is chosen, or None where there is none.

        What lacks an input is passed over as if it had not fitted: whoever writes a message has not named it, and can
        fill nothing but its question and its files.
        """
        lacking: set[str] = set()
        while (chosen := await choose(without=lacking)) is not None:
            try:
                return await self._started(scope, conversation, ask, chosen)
            except InputMissing:
                if chosen.definition.id in lacking:
                    raise
                lacking.add(chosen.definition.id)
        return None

    async def _plain(self, scope: Scope, conversation: Conversation, ask: Ask) -> AcceptedMessage:
        return AcceptedMessage(run=await self._runs.start(scope, conversation.id, ask))

    async def _started(
        self, scope: Scope, conversation: Conversation, ask: Ask, chosen: ChosenWorkflow
    ) -> AcceptedMessage:
        launch = Launch(
            inputs=chosen.inputs,
            text=ask.text,
            conversation_id=conversation.id,
            file_ids=ask.file_ids,
            model=ask.model,
            approvals=ask.approvals,
            instead_of=ask.instead_of,
            told=() if chosen.decision is None else (chosen_event(chosen.decision),),
        )
        run = await self._launches.start_definition(scope, chosen.definition, launch, published=chosen.published)
        return AcceptedMessage(run=run)
