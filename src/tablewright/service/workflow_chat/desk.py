"""Which workflow a message is for: the router's choice among what the caller may start, and the settings."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tablewright.domain.conversation import Conversation
from tablewright.domain.scope import Scope
from tablewright.domain.workflow.stored import WorkflowCorrection, WorkflowEntry
from tablewright.routing.continuation import NewIntent, WaitingQuestion, answer_or_intent
from tablewright.routing.workflows.candidates import Candidate, Correction, RoutingDecision
from tablewright.routing.workflows.router import WorkflowRouter
from tablewright.service.workflow_chat.base import ChosenWorkflow
from tablewright.service.workflows.choices import WorkflowChoosing
from tablewright.service.workflows.library import WorkflowLibrary
from tablewright.store.base import Store


class RoutedDesk:
    """Implements `WorkflowDesk`."""

    def __init__(
        self,
        store: Store,
        library: WorkflowLibrary,
        choices: WorkflowChoosing,
        router: WorkflowRouter,
        *,
        continue_words: Collection[str],
    ) -> None:
        self._store = store
        self._library = library
        self._choices = choices
        self._router = router
        self._continue_words = tuple(continue_words)

    async def enabled(self, scope: Scope) -> bool:
        return await self._choices.enabled(scope)

    async def choose(
        self,
        scope: Scope,
        conversation: Conversation,
        message: str,
        *,
        otherwise: bool,
        without: Collection[str] = (),
    ) -> ChosenWorkflow | None:
        decision = await self._route(scope, conversation, message, without)
        if decision.workflow_id is not None:
            chosen = await self._chosen(scope, decision.workflow_id, decision)
            if chosen is not None:
                return chosen
        responder = await self._choices.responder(scope, without=without) if otherwise else None
        if responder is None:
            return None
        return ChosenWorkflow(definition=responder.workflow, decision=decision)

    async def new_intent(
        self,
        scope: Scope,
        conversation: Conversation,
        message: str,
        *,
        valid: bool | None,
        workflow_id: str,
        without: Collection[str] = (),
    ) -> ChosenWorkflow | None:
        question = WaitingQuestion(workflow_id=workflow_id, valid=valid)
        decision = await self._route(scope, conversation, message, without)
        meant = answer_or_intent(message, question, decision, self._continue_words)
        return await self._chosen(scope, meant.workflow_id, decision) if isinstance(meant, NewIntent) else None

    async def _chosen(self, scope: Scope, workflow_id: str, decision: RoutingDecision) -> ChosenWorkflow | None:
        """Return the published version; None if it was withdrawn meanwhile."""
        found = await self._library.find(scope, workflow_id)
        if found is None:
            return None
        return ChosenWorkflow(definition=found.definition, published=found.version is not None, decision=decision)

    async def _route(
        self, scope: Scope, conversation: Conversation, message: str, without: Collection[str]
    ) -> RoutingDecision:
        entries = await self._store.workflows.candidates(scope)
        return await self._router.route(
            message,
            tenant=_index_of(scope, entries),
            candidates=[_candidate(entry) for entry in entries],
            among=[entry.id for entry in entries if entry.id not in without] if without else None,
            corrections=[_correction(said) for said in await self._store.corrections.all(scope)] if entries else (),
            tables=bool(entries) and bool(await self._store.files.linked(scope, conversation.id)),
            language=conversation.language,
        )


def _index_of(scope: Scope, entries: Sequence[WorkflowEntry]) -> str:
    """Return the name of the index: all who have no workflows of their own share that of their tenant."""
    shared = all(entry.visibility == "public" for entry in entries)
    return scope.tenant if shared else f"{scope.tenant}\0{scope.owner}"


def _candidate(entry: WorkflowEntry) -> Candidate:
    return Candidate(id=entry.id, name=entry.name, description=entry.description, utterances=entry.examples)


def _correction(said: WorkflowCorrection) -> Correction:
    return Correction(utterance=said.message, workflow_id=said.workflow_id, wanted_id=said.wanted_id)
