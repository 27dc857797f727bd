"""The use cases of workflows together."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from tablewright.domain.ids import Clock, Ids
from tablewright.routing.continuation import CONTINUE_WORDS
from tablewright.routing.workflows.router import WorkflowRouter
from tablewright.service.conversations import Conversations
from tablewright.service.databases.connections import Secrets
from tablewright.service.runs.runs import Runs
from tablewright.service.schedules.schedules import WorkflowSchedules
from tablewright.service.workbooks.workbooks import Workbooks
from tablewright.service.workflow_chat.chat import WorkflowChat
from tablewright.service.workflow_chat.desk import RoutedDesk
from tablewright.service.workflow_drafts.drafts import WorkflowDrafts
from tablewright.service.workflow_drafts.record import ConversationWork
from tablewright.service.workflows.choices import WorkflowChoosing
from tablewright.service.workflows.corrections import WorkflowCorrections
from tablewright.service.workflows.definitions import WorkflowDefinitions
from tablewright.service.workflows.history import WorkflowHistory
from tablewright.service.workflows.launches import WorkflowLaunches
from tablewright.service.workflows.library import WorkflowLibrary
from tablewright.service.workflows.names import NodeNames, NodeParts
from tablewright.store.base import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowUseCases:
    """The use cases of workflows."""

    library: WorkflowLibrary
    definitions: WorkflowDefinitions
    launches: WorkflowLaunches
    choices: WorkflowChoosing
    drafts: WorkflowDrafts
    schedules: WorkflowSchedules
    corrections: WorkflowCorrections
    history: WorkflowHistory
    chat: WorkflowChat


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowDefaults:
    """What holds where nobody has chosen otherwise: whether messages go to workflows, and how a chat treats answers.

    `restart_after` and `continue_words` are those of `WorkflowChat`.
    """

    enabled: bool = True
    restart_after: timedelta = timedelta(minutes=30)
    continue_words: tuple[str, ...] = CONTINUE_WORDS


def workflow_use_cases(
    store: Store,
    conversations: Conversations,
    runs: Runs,
    workbooks: Workbooks,
    clock: Clock,
    ids: Ids,
    router: WorkflowRouter,
    secrets: Secrets,
    defaults: WorkflowDefaults,
    nodes: NodeParts,
) -> WorkflowUseCases:
    """Return the use cases."""
    library = WorkflowLibrary(store.workflows)
    launches = WorkflowLaunches(library, conversations, runs, store.files)
    choices = WorkflowChoosing(store.workflows, library, enabled=defaults.enabled)
    words = defaults.continue_words
    definitions = WorkflowDefinitions(store.workflows, library, NodeNames(store.connections, nodes), clock, ids)
    desk = RoutedDesk(store, library, choices, router, continue_words=words)
    return WorkflowUseCases(
        library=library,
        definitions=definitions,
        launches=launches,
        choices=choices,
        schedules=WorkflowSchedules(store, library, secrets, clock, ids),
        drafts=WorkflowDrafts(store, ConversationWork(store, workbooks), definitions),
        corrections=WorkflowCorrections(store.corrections, library, clock, ids),
        history=WorkflowHistory(store),
        chat=WorkflowChat(
            store,
            conversations,
            runs,
            launches,
            desk,
            clock=clock,
            restart_after=defaults.restart_after,
            continue_words=words,
        ),
    )
