"""Errors of workflows: definitions and expressions that cannot be used, and nodes that failed."""

from __future__ import annotations

from typing import ClassVar

from tablewright.errors.base import CallerError, RunError
from tablewright.errors.runs import RunLimit


class ExpressionInvalid(CallerError):
    """An expression or a template cannot be read. Params: `source`, `words` (what was expected), `what`."""

    code: ClassVar[str] = "expression_invalid"


class ExpressionFailed(RunError):
    """An expression has no value for the values that there are. Params: `source`, `words`, `limit`."""

    code: ClassVar[str] = "expression_failed"


class WorkflowInvalid(CallerError):
    """A definition of a workflow cannot be used. Params: `faults` (all, in words), `count`."""

    code: ClassVar[str] = "workflow_invalid"


class WorkflowUnknown(CallerError):
    """There is no workflow of that name. Params: `name`."""

    code: ClassVar[str] = "workflow_unknown"


class InputMissing(CallerError):
    """A workflow is not given what it needs, or something of another kind. Params: `name`, `kind`."""

    code: ClassVar[str] = "workflow_input_missing"


class NodeFailed(RunError):
    """A node of a workflow failed for good. Params: `node`, `words` (why)."""

    code: ClassVar[str] = "node_failed"


class WorkflowAbsent(CallerError):
    """No workflow fits what was said, and there is none for that case."""

    code: ClassVar[str] = "workflow_absent"


class ConversationUnusable(CallerError):
    """Nothing was done in a conversation that a workflow could do again. Params: `id`, `count` (left out)."""

    code: ClassVar[str] = "conversation_unusable"


class WorkflowSilent(RunLimit):
    """Nothing happened for too long while a node of a workflow worked. Params: as `RunLimit`."""

    code: ClassVar[str] = "workflow_silent"
