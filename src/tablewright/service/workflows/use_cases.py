"""The use cases of workflows together."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.domain.ids import Clock, Ids
from tablewright.service.conversations import Conversations
from tablewright.service.runs.runs import Runs
from tablewright.service.workflows.choices import WorkflowChoosing
from tablewright.service.workflows.definitions import WorkflowDefinitions
from tablewright.service.workflows.launches import WorkflowLaunches
from tablewright.service.workflows.library import WorkflowLibrary
from tablewright.store.base import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowUseCases:
    """The use cases of workflows."""

    library: WorkflowLibrary
    definitions: WorkflowDefinitions
    launches: WorkflowLaunches
    choices: WorkflowChoosing


def workflow_use_cases(
    store: Store, conversations: Conversations, runs: Runs, clock: Clock, ids: Ids, *, enabled: bool = True
) -> WorkflowUseCases:
    """Return the use cases; `enabled` is the setting `workflow.enabled`."""
    library = WorkflowLibrary(store.workflows)
    return WorkflowUseCases(
        library=library,
        definitions=WorkflowDefinitions(store.workflows, library, clock, ids),
        launches=WorkflowLaunches(library, conversations, runs),
        choices=WorkflowChoosing(store.workflows, library, enabled=enabled),
    )
