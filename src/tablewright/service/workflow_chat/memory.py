"""A fake of what the chat needs to know: a workflow is for those messages that are its examples, and no others."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tablewright.domain.conversation import Conversation
from tablewright.domain.scope import Scope
from tablewright.domain.workflow import Workflow
from tablewright.service.workflow_chat.base import ChosenWorkflow


class MemoryDesk:
    """Implements `WorkflowDesk`. `default` answers where nothing fits."""

    def __init__(self, workflows: Sequence[Workflow], *, default: Workflow | None = None, enabled: bool = True) -> None:
        self.workflows = list(workflows)
        self.default = default
        self.on = enabled

    async def enabled(self, scope: Scope) -> bool:
        return self.on

    async def choose(
        self,
        scope: Scope,
        conversation: Conversation,
        message: str,
        *,
        otherwise: bool,
        without: Collection[str] = (),
    ) -> ChosenWorkflow | None:
        found = self._fitting(message, without) or (self.default if otherwise else None)
        return None if found is None or found.id in without else ChosenWorkflow(definition=found)

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
        found = self._fitting(message, without)
        if valid or found is None or found.id == workflow_id:
            return None
        return ChosenWorkflow(definition=found)

    def _fitting(self, message: str, without: Collection[str]) -> Workflow | None:
        fitting = (each for each in self.workflows if message in each.examples)
        return next((each for each in fitting if each.id not in without), None)
