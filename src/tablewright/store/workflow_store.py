"""The port to stored workflows and their settings."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from tablewright.domain.page import Page
from tablewright.domain.scope import Scope
from tablewright.domain.workflow.stored import (
    SettingsLevel,
    StoredWorkflow,
    VersionNote,
    WorkflowChoices,
    WorkflowEntry,
    WorkflowSettings,
    WorkflowVersion,
)


class WorkflowStore(Protocol):
    """The workflows of one owner, and those that others of the tenant have published for all.

    What is another owner's and private, not published, or of another tenant, is `NotFound`.
    """

    async def add(self, scope: Scope, workflow: StoredWorkflow) -> None:
        """Store a new workflow of the caller."""
        ...

    async def get(self, scope: Scope, workflow_id: str) -> StoredWorkflow:
        """Return a workflow of the caller's own, or raise `NotFound`."""
        ...

    async def identify(self, scope: Scope, name: str) -> str:
        """Return the id of the workflow that a name stands for, or raise `NotFound`.

        It is that with this id, among those that the caller sees; or else, among the caller's own, the last changed one
        whose draft calls itself so.
        """
        ...

    async def entry(self, scope: Scope, workflow_id: str) -> WorkflowEntry:
        """Return a workflow that the caller sees as a list shows it, or raise `NotFound`."""
        ...

    async def find(self, scope: Scope, *, limit: int = 50, cursor: str | None = None) -> Page[WorkflowEntry]:
        """List the caller's own workflows and the published public ones of the tenant, each once, newest first."""
        ...

    async def save(self, scope: Scope, workflow: StoredWorkflow, *, expected: int) -> StoredWorkflow:
        """Replace the draft, its names and the visibility of the caller's workflow; return it with its next revision.

        Raises `Conflict` if the stored revision is not `expected`.
        """
        ...

    async def publish(self, scope: Scope, version: WorkflowVersion, *, expected: int) -> WorkflowVersion:
        """Add a version, which gets the next number, to the caller's workflow, and publish it.

        Raises `Conflict` if the stored revision is not `expected`.
        """
        ...

    async def withdraw(self, scope: Scope, workflow_id: str, *, at: datetime) -> None:
        """Leave the caller's own workflow without a published version, or raise `NotFound`; its versions stay."""
        ...

    async def remove(self, scope: Scope, workflow_id: str) -> None:
        """Remove a workflow of the caller's own with all versions, or raise `NotFound`."""
        ...

    async def version(self, scope: Scope, workflow_id: str, number: int | None = None) -> WorkflowVersion:
        """Return a version, the published one unless a number is given; of another owner's, only that is seen."""
        ...

    async def versions(self, scope: Scope, workflow_id: str) -> tuple[VersionNote, ...]:
        """Return what there is of the caller's own workflow, oldest first."""
        ...

    async def candidates(self, scope: Scope) -> tuple[WorkflowEntry, ...]:
        """Return what a message of the caller may be routed to, each once, oldest first.

        These are the caller's own published workflows and the published public ones of the tenant.
        """
        ...

    async def changes(self, scope: Scope) -> int:
        """Return a number that grows whenever the candidates of any caller of the tenant change."""
        ...

    async def settings(self, scope: Scope) -> WorkflowSettings:
        """Return the choices that concern the caller."""
        ...

    async def choose(self, scope: Scope, level: SettingsLevel, choices: WorkflowChoices) -> None:
        """Replace the choices of the caller, of its tenant, or of the system; who may do so is not decided here."""
        ...
