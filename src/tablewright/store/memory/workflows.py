"""Workflows in memory."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime

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
from tablewright.errors import Conflict, NotFound
from tablewright.store.cursors import bounded, page_of, read_cursor
from tablewright.store.memory.rows import same_owner


@dataclass(slots=True, kw_only=True)
class WorkflowRow:
    """A workflow with its versions."""

    scope: Scope
    value: StoredWorkflow
    versions: list[WorkflowVersion] = field(default_factory=list[WorkflowVersion])

    @property
    def published(self) -> WorkflowVersion | None:
        """The published version."""
        return None if self.value.published is None else self.versions[self.value.published - 1]

    def shown_to(self, scope: Scope) -> bool:
        """Return whether a caller sees it."""
        public = self.value.visibility == "public" and self.value.published is not None
        return same_owner(self.scope, scope) or (self.scope.tenant == scope.tenant and public)


class MemoryWorkflows:
    """Implements `WorkflowStore`."""

    def __init__(self) -> None:
        self._rows: dict[str, WorkflowRow] = {}
        self._changes: dict[str, int] = {}
        self._choices: dict[tuple[str, ...], WorkflowChoices] = {}

    async def add(self, scope: Scope, workflow: StoredWorkflow) -> None:
        self._rows[workflow.id] = WorkflowRow(scope=scope, value=replace(workflow, owner=scope.owner))

    async def get(self, scope: Scope, workflow_id: str) -> StoredWorkflow:
        return self._own(scope, workflow_id).value

    async def identify(self, scope: Scope, name: str) -> str:
        row = self._rows.get(name)
        if row is not None and row.shown_to(scope):
            return name
        own = [row.value for row in self._rows.values() if same_owner(row.scope, scope)]
        called = [value for value in own if value.definition_id == name]
        if not called:
            raise NotFound(kind="workflow", id=name)
        return max(called, key=lambda value: (value.updated_at, value.id)).id

    async def entry(self, scope: Scope, workflow_id: str) -> WorkflowEntry:
        row = self._rows.get(workflow_id)
        if row is None or not row.shown_to(scope):
            raise NotFound(kind="workflow", id=workflow_id)
        return _entry(row, own=same_owner(row.scope, scope))

    async def find(self, scope: Scope, *, limit: int = 50, cursor: str | None = None) -> Page[WorkflowEntry]:
        rows = [row for row in self._rows.values() if row.shown_to(scope)]
        found = sorted((_entry(row, own=same_owner(row.scope, scope)) for row in rows), key=_id, reverse=True)
        if cursor is not None:
            last = read_cursor(cursor, str)
            found = [entry for entry in found if (entry.id,) < last]
        return page_of(found, bounded(limit), lambda entry: (entry.id,))

    async def save(self, scope: Scope, workflow: StoredWorkflow, *, expected: int) -> StoredWorkflow:
        row = self._expected(scope, workflow.id, expected)
        row.value = replace(
            row.value,
            visibility=workflow.visibility,
            draft=workflow.draft,
            definition_id=workflow.definition_id,
            name=workflow.name,
            description=workflow.description,
            examples=workflow.examples,
            updated_at=workflow.updated_at,
            revision=expected + 1,
        )
        self._count(scope)
        return row.value

    async def publish(self, scope: Scope, version: WorkflowVersion, *, expected: int) -> WorkflowVersion:
        row = self._expected(scope, version.workflow_id, expected)
        numbered = replace(version, number=row.value.latest + 1)
        row.versions.append(numbered)
        row.value = replace(row.value, latest=numbered.number, published=numbered.number, updated_at=version.created_at)
        self._count(scope)
        return numbered

    async def withdraw(self, scope: Scope, workflow_id: str, *, at: datetime) -> None:
        row = self._own(scope, workflow_id)
        row.value = replace(row.value, published=None, updated_at=at)
        self._count(scope)

    async def remove(self, scope: Scope, workflow_id: str) -> None:
        self._own(scope, workflow_id)
        del self._rows[workflow_id]
        self._count(scope)

    async def version(self, scope: Scope, workflow_id: str, number: int | None = None) -> WorkflowVersion:
        row = self._rows.get(workflow_id)
        if row is None or not row.shown_to(scope):
            raise NotFound(kind="workflow", id=workflow_id)
        wanted = row.value.published if number is None else number
        if wanted is None or not (wanted == row.value.published or same_owner(row.scope, scope)):
            raise NotFound(kind="version", id=str(wanted or ""))
        if not 1 <= wanted <= len(row.versions):
            raise NotFound(kind="version", id=str(wanted))
        return row.versions[wanted - 1]

    async def versions(self, scope: Scope, workflow_id: str) -> tuple[VersionNote, ...]:
        kept = self._own(scope, workflow_id).versions
        return tuple(
            VersionNote(number=each.number, created_at=each.created_at, created_by=each.created_by) for each in kept
        )

    async def candidates(self, scope: Scope) -> tuple[WorkflowEntry, ...]:
        rows = [row for row in self._rows.values() if row.shown_to(scope) and row.value.published is not None]
        return tuple(sorted((_entry(row, own=False) for row in rows), key=_id))

    async def changes(self, scope: Scope) -> int:
        return self._changes.get(scope.tenant, 0)

    async def settings(self, scope: Scope) -> WorkflowSettings:
        nothing = WorkflowChoices()
        return WorkflowSettings(
            user=self._choices.get(_level(scope, "user"), nothing),
            tenant=self._choices.get(_level(scope, "tenant"), nothing),
            system=self._choices.get(_level(scope, "system"), nothing),
        )

    async def choose(self, scope: Scope, level: SettingsLevel, choices: WorkflowChoices) -> None:
        self._choices[_level(scope, level)] = choices

    def _own(self, scope: Scope, workflow_id: str) -> WorkflowRow:
        row = self._rows.get(workflow_id)
        if row is None or not same_owner(row.scope, scope):
            raise NotFound(kind="workflow", id=workflow_id)
        return row

    def _expected(self, scope: Scope, workflow_id: str, revision: int) -> WorkflowRow:
        row = self._own(scope, workflow_id)
        if row.value.revision != revision:
            raise Conflict("workflow_changed", revision=row.value.revision, base=revision)
        return row

    def _count(self, scope: Scope) -> None:
        self._changes[scope.tenant] = self._changes.get(scope.tenant, 0) + 1


def _level(scope: Scope, level: SettingsLevel) -> tuple[str, ...]:
    match level:
        case "user":
            return level, scope.tenant, scope.owner
        case "tenant":
            return level, scope.tenant
        case "system":
            return (level,)


def _entry(row: WorkflowRow, *, own: bool) -> WorkflowEntry:
    """Return a workflow as its draft names it if it is the caller's `own`, else as its published version does."""
    value, version = row.value, row.published
    if own or version is None:
        words = (value.definition_id, value.name, value.description, value.examples)
    else:
        definition = version.definition
        words = (version.definition_id, definition.name, definition.description, definition.examples)
    return WorkflowEntry(
        id=value.id,
        owner=value.owner,
        visibility=value.visibility,
        definition_id=words[0],
        name=words[1],
        description=words[2],
        examples=words[3],
        published=value.published,
        created_at=value.created_at,
        updated_at=value.updated_at,
    )


def _id(entry: WorkflowEntry) -> str:
    return entry.id
