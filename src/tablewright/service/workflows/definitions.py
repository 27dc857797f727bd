"""Make, change, check, publish and remove workflows."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tablewright.domain.ids import Clock, Ids
from tablewright.domain.language import Language
from tablewright.domain.page import Page
from tablewright.domain.scope import Scope
from tablewright.domain.workflow import SubWorkflowNode, Workflow
from tablewright.domain.workflow.definition import all_nodes
from tablewright.domain.workflow.stored import (
    StoredWorkflow,
    VersionNote,
    Visibility,
    WorkflowEntry,
    WorkflowVersion,
)
from tablewright.errors import WorkflowUnknown
from tablewright.service.workflows.drafts import Draft, draft_of
from tablewright.service.workflows.library import Found, WorkflowLibrary, pinned
from tablewright.service.workflows.names import NodeNames
from tablewright.store.workflow_store import WorkflowStore
from tablewright.workflows.definition import as_values
from tablewright.workflows.faults import Fault, invalid
from tablewright.workflows.library import template_named, templates
from tablewright.workflows.validate import faults_of
from tablewright.workflows.validate.shape import place_of


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowView:
    """A workflow as its caller sees it: `definition` is the draft of the caller's own, else the published one.

    `revision` is that of an own draft, `faults` are its faults, and `versions` what was published of it.
    """

    entry: WorkflowEntry
    definition: dict[str, Any]
    revision: int | None = None
    faults: tuple[Fault, ...] = ()
    versions: tuple[VersionNote, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Checked:
    faults: tuple[Fault, ...]
    workflow: Workflow | None
    known: Mapping[str, Found]


class WorkflowDefinitions:
    """The use cases of definitions. Another owner's workflow that is not public and published is `NotFound`."""

    def __init__(
        self, store: WorkflowStore, library: WorkflowLibrary, names: NodeNames, clock: Clock, ids: Ids
    ) -> None:
        self._store = store
        self._library = library
        self._names = names
        self._clock = clock
        self._ids = ids

    def templates(self) -> tuple[Workflow, ...]:
        """Return the templates."""
        return tuple(templates().values())

    async def list(self, scope: Scope, *, limit: int = 50, cursor: str | None = None) -> Page[WorkflowEntry]:
        """List the caller's own workflows and the published public ones of the tenant, newest first."""
        return await self._store.find(scope, limit=limit, cursor=cursor)

    async def get(self, scope: Scope, name: str) -> WorkflowView:
        """Return a workflow by its id, or an own one by what its draft calls itself. Raises `NotFound`."""
        workflow_id = await self._store.identify(scope, name)
        entry = await self._store.entry(scope, workflow_id)
        if entry.owner == scope.owner:
            return await self._view(scope, await self._store.get(scope, workflow_id))
        return WorkflowView(entry=entry, definition=_file(await self._store.version(scope, workflow_id)))

    async def create(
        self, scope: Scope, definition: Mapping[str, Any], *, visibility: Visibility = "private"
    ) -> WorkflowView:
        """Keep a definition as a draft, faulty or not. Raises `WorkflowInvalid` for one that is too large to keep."""
        draft, now = await asyncio.to_thread(draft_of, definition), self._clock.now()
        made = StoredWorkflow(
            id=self._ids.new(),
            owner=scope.owner,
            visibility=visibility,
            created_at=now,
            updated_at=now,
            **_words(draft),
        )
        await self._store.add(scope, made)
        return await self._view(scope, made)

    async def from_template(self, scope: Scope, name: str, *, visibility: Visibility = "private") -> WorkflowView:
        """Keep a template's definition as a draft. Raises `WorkflowUnknown`."""
        template = template_named(name)
        if template is None:
            raise WorkflowUnknown(name=name)
        return await self.create(scope, as_values(template), visibility=visibility)

    async def save(
        self,
        scope: Scope,
        name: str,
        *,
        definition: Mapping[str, Any] | None = None,
        visibility: Visibility | None = None,
        revision: int | None = None,
        language: Language = "en",
    ) -> WorkflowView:
        """Replace the draft or the visibility; what is None stays.

        Raises `NotFound`, `WorkflowInvalid` if what is published cannot be public, or `Conflict` if the draft is not at
        `revision`.
        """
        before = await self._own(scope, name)
        words = {} if definition is None else _words(await asyncio.to_thread(draft_of, definition))
        wanted = replace(before, visibility=visibility or before.visibility, updated_at=self._clock.now(), **words)
        if wanted.visibility == "public" != before.visibility and before.published is not None:
            published = (await self._store.version(scope, before.id)).definition
            if faults := tuple(_private(published, await self._library.below(scope, published))):
                raise invalid(faults, language)
        expected = before.revision if revision is None else revision
        return await self._view(scope, await self._store.save(scope, wanted, expected=expected))

    async def faults(self, scope: Scope, name: str, definition: Mapping[str, Any] | None = None) -> tuple[Fault, ...]:
        """Return what keeps the draft, or another definition in its place, from being published."""
        own = await self._own(scope, name)
        draft = await asyncio.to_thread(draft_of, own.draft if definition is None else definition)
        return (await self._checked(scope, own, draft)).faults

    async def check(self, scope: Scope, definition: Mapping[str, Any]) -> tuple[Fault, ...]:
        """Return what would keep a definition of the caller from being published; nothing is stored."""
        draft, now = await asyncio.to_thread(draft_of, definition), self._clock.now()
        fresh = StoredWorkflow(
            id=self._ids.new(), owner=scope.owner, visibility="private", created_at=now, updated_at=now, **_words(draft)
        )
        return (await self._checked(scope, fresh, draft)).faults

    async def publish(
        self, scope: Scope, name: str, *, revision: int | None = None, language: Language = "en"
    ) -> WorkflowVersion:
        """Publish the draft as the next version. Runs that go on stay on theirs.

        Raises `NotFound`, `WorkflowInvalid` with all faults, or `Conflict` if the draft is not at `revision`.
        """
        own = await self._own(scope, name)
        checked = await self._checked(scope, own, await asyncio.to_thread(draft_of, own.draft))
        if checked.workflow is None or checked.faults:
            raise invalid(checked.faults, language)
        version = WorkflowVersion(
            workflow_id=own.id,
            number=own.latest + 1,
            definition=pinned(checked.workflow, checked.known),
            definition_id=own.definition_id,
            created_at=self._clock.now(),
            created_by=scope.owner,
        )
        return await self._store.publish(scope, version, expected=own.revision if revision is None else revision)

    async def withdraw(self, scope: Scope, name: str) -> WorkflowView:
        """Take back what is published of the caller's workflow: it can be started no more, and is no candidate.

        Its versions stay, and so do runs on theirs. Raises `NotFound`.
        """
        own = await self._own(scope, name)
        await self._store.withdraw(scope, own.id, at=self._clock.now())
        return await self._view(scope, await self._store.get(scope, own.id))

    async def delete(self, scope: Scope, name: str) -> None:
        """Remove a workflow of the caller's own; runs of it go on with the version that they carry."""
        await self._store.remove(scope, (await self._own(scope, name)).id)

    async def file(self, scope: Scope, name: str) -> dict[str, Any]:
        """Return a workflow as the values of one file: a template, what is published, or an own draft."""
        template = template_named(name)
        if template is not None:
            return as_values(template)
        workflow_id = await self._store.identify(scope, name)
        if (await self._store.entry(scope, workflow_id)).published is None:
            return (await self._store.get(scope, workflow_id)).draft
        return _file(await self._store.version(scope, workflow_id))

    async def _own(self, scope: Scope, name: str) -> StoredWorkflow:
        return await self._store.get(scope, await self._store.identify(scope, name))

    async def _view(self, scope: Scope, own: StoredWorkflow) -> WorkflowView:
        checked = await self._checked(scope, own, await asyncio.to_thread(draft_of, own.draft))
        return WorkflowView(
            entry=await self._store.entry(scope, own.id),
            definition=own.draft,
            revision=own.revision,
            faults=checked.faults,
            versions=await self._store.versions(scope, own.id),
        )

    async def _checked(self, scope: Scope, own: StoredWorkflow, draft: Draft) -> _Checked:
        """Look for the faults of a draft of `own`, whose names stand for what they would once it is published."""
        if draft.workflow is None:
            return _Checked(faults=draft.faults, workflow=None, known={})
        workflow = replace(draft.workflow, id=own.id)
        below = await self._library.below(scope, workflow)
        itself = {name: Found(definition=workflow) for name in (own.id, draft.definition_id)}
        known = {**itself, **{name: found for name, found in below.items() if found.definition.id != own.id}}
        named = {name: found.definition for name, found in known.items()}
        names = await self._names.of(scope, workflow)
        faults = await asyncio.to_thread(faults_of, workflow, named.get, names)
        private = tuple(_private(workflow, known)) if own.visibility == "public" else ()
        return _Checked(faults=(*faults, *private), workflow=workflow, known=known)


def _private(workflow: Workflow, known: Mapping[str, Found]) -> Iterator[Fault]:
    """Yield the sub-workflows that others, who may run a public workflow, do not see."""
    for placed in all_nodes(workflow):
        node = placed.node
        if isinstance(node, SubWorkflowNode) and node.workflow in known:
            found = known[node.workflow]
            if found.visibility == "private":
                yield Fault(code="part_private", place=f"{place_of(placed)}.workflow", params={"name": node.workflow})


def _words(draft: Draft) -> dict[str, Any]:
    return {
        "draft": draft.values,
        "definition_id": draft.definition_id,
        "name": draft.name,
        "description": draft.description,
        "examples": draft.examples,
    }


def _file(version: WorkflowVersion) -> dict[str, Any]:
    return as_values(replace(version.definition, id=version.definition_id))
