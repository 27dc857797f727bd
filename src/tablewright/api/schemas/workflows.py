"""Workflows over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from tablewright.api.schemas.native import Id, Text, WireModel
from tablewright.domain.language import Language
from tablewright.domain.run import Approvals
from tablewright.domain.workflow.stored import Visibility

Revision = Annotated[int, Field(ge=1, le=2**31 - 1)]
Definition = dict[str, Any]


class NewWorkflow(WireModel):
    """A workflow to keep: a `definition`, which may still have faults, or the id of a `template` to begin with."""

    definition: Definition | None = None
    template: Id | None = None
    visibility: Visibility = "private"


class ConversationWorkflow(WireModel):
    """How the draft that is made of a conversation is called; without a `name`, as the conversation."""

    name: Annotated[str, Field(max_length=200)] = ""
    visibility: Visibility = "private"


class WorkflowDefinition(WireModel):
    """A definition to look at."""

    definition: Definition


class WorkflowChange(WireModel):
    """What is to be other; what is left out stays. With `revision`, only if the draft is still that one."""

    definition: Definition | None = None
    visibility: Visibility | None = None
    revision: Revision | None = None


class WorkflowToCheck(WireModel):
    """A definition to look at in the place of the draft."""

    definition: Definition | None = None


class WorkflowToPublish(WireModel):
    """With `revision`, the draft is published only if it is still that one."""

    revision: Revision | None = None


class WorkflowToRun(WireModel):
    """What a run is given: `inputs` by name, and files. Without `conversation_id`, a conversation is made.

    `text` is what the person said; a workflow with an input `question` is given it there. `approvals: auto` asks
    nobody."""

    inputs: dict[str, Any] = Field(default_factory=dict)
    text: Text = ""
    conversation_id: Id | None = None
    files: list[Id] = Field(default_factory=list, max_length=100)
    model: Annotated[str, Field(max_length=200)] | None = None
    approvals: Approvals = "ask"
    language: Language | None = None


class WorkflowFault(WireModel):
    """Something that keeps a definition from being published: its place (`nodes.ask.prompt`) and what is wrong."""

    code: str
    place: str
    message: str


class WorkflowLine(WireModel):
    """A workflow in a list. `published` is the number of the version with which runs begin; `mine` if it is the
    caller's own; `definition_id` is what its definition calls itself."""

    id: str
    name: str
    description: str
    examples: list[str]
    owner: str
    mine: bool
    visibility: Visibility
    definition_id: str
    published: int | None
    created_at: datetime
    updated_at: datetime


class WorkflowVersionOut(WireModel):
    """A version, which never changes."""

    number: int
    created_at: datetime
    created_by: str


class WorkflowOut(WorkflowLine):
    """A workflow. Of an own one, `definition` is the draft at `revision`, with its faults; else what is published."""

    definition: Definition
    revision: int | None
    faults: list[WorkflowFault]
    versions: list[WorkflowVersionOut]


class WorkflowCheck(WireModel):
    """Whether a definition can be published, and if not, why."""

    valid: bool
    faults: list[WorkflowFault]


class WorkflowPublished(WireModel):
    """The version that was made."""

    id: str
    version: int


class WorkflowTemplate(WireModel):
    """A workflow that comes along and can be run by its id."""

    id: str
    name: str
    description: str
    examples: list[str]
    definition: Definition


class WorkflowTemplates(WireModel):
    """All templates."""

    items: list[WorkflowTemplate]


class WorkflowRunAccepted(WireModel):
    """The run that was started, in which conversation."""

    run_id: str
    conversation_id: str


class SharedChoices(WireModel):
    """What holds for all of a tenant, or of the system, where nobody below says otherwise; null leaves it open.

    `default`: who answers when no workflow fits: the id of a public workflow or a template, `builtin`, or `none`."""

    default: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    enabled: bool | None = None


class WorkflowSettingsChange(WireModel):
    """What is to be chosen; what is left out stays, null leaves it open. `fallback` and `enabled` are the caller's."""

    fallback: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    enabled: bool | None = None
    tenant: SharedChoices | None = None
    system: SharedChoices | None = None


class EffectiveChoices(WireModel):
    """What follows for the caller: whether messages go to workflows, who answers when none fits (null: nobody), and
    which level has said so."""

    enabled: bool
    workflow: str | None
    level: Literal["user", "tenant", "system", "builtin"] | None


class WorkflowSettingsOut(WireModel):
    """The choices that concern the caller, and what follows from them; `own` are the levels that the caller may change:
    `tenant` and `system` are operators'."""

    own: list[Literal["user", "tenant", "system"]]
    fallback: str | None
    enabled: bool | None
    tenant: SharedChoices
    system: SharedChoices
    effective: EffectiveChoices


class NewWorkflowCorrection(WireModel):
    """What is said of a choice: for `message`, not `workflow` but `wanted`; null: no workflow."""

    message: Annotated[str, Field(min_length=1, max_length=4_000)]
    workflow: Id | None = None
    wanted: Id | None = None


class WorkflowCorrectionOut(WireModel):
    """A correction as it is kept; null: no workflow."""

    id: str
    message: str
    workflow: str | None
    wanted: str | None
    created_at: datetime


class WorkflowCorrections(WireModel):
    """The caller's corrections, the oldest first."""

    items: list[WorkflowCorrectionOut]
