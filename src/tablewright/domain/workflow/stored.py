"""Workflows as they are kept: drafts, published versions, and who answers when nothing else is chosen."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from tablewright.domain.workflow.definition import Workflow

Visibility = Literal["private", "public"]
SettingsLevel = Literal["user", "tenant", "system"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredWorkflow:
    """A workflow as its owner sees it.

    `draft` is the definition as JSON values, which may be faulty; `definition_id`, `name`, `description` and `examples`
    are what could be read of it. `revision` counts the drafts, from 1. `latest` is the number of the newest version, 0
    before the first; `published` that with which runs begin. Others of the tenant see what is `public` and published.
    """

    id: str
    owner: str
    visibility: Visibility
    draft: dict[str, Any]
    definition_id: str
    name: str
    created_at: datetime
    updated_at: datetime
    description: str = ""
    examples: tuple[str, ...] = ()
    revision: int = 1
    latest: int = 0
    published: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowVersion:
    """A definition that was published; it never changes.

    The definition's `id` is that of the stored workflow. `definition_id` is the one that it has in its file.
    """

    workflow_id: str
    number: int
    definition: Workflow
    definition_id: str
    created_at: datetime
    created_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionNote:
    """When a version was published, and by whom."""

    number: int
    created_at: datetime
    created_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowEntry:
    """A workflow in a list: named as its published version is, or the draft where its owner has the list."""

    id: str
    owner: str
    visibility: Visibility
    definition_id: str
    name: str
    description: str
    examples: tuple[str, ...]
    published: int | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowChoices:
    """What one level has chosen; None leaves it to the next.

    `enabled`: whether messages are routed to workflows. `workflow`: who answers where nothing fits, the fallback of a
    user or the default of a tenant or the system: the id of a workflow, or a word of `service.workflows`.
    """

    enabled: bool | None = None
    workflow: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowCorrection:
    """What a user said of a choice: for `message`, not `workflow_id` but `wanted_id`; None: no workflow."""

    id: str
    message: str
    workflow_id: str | None
    wanted_id: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowSettings:
    """The choices that concern a caller, by level."""

    user: WorkflowChoices = field(default_factory=WorkflowChoices)
    tenant: WorkflowChoices = field(default_factory=WorkflowChoices)
    system: WorkflowChoices = field(default_factory=WorkflowChoices)
