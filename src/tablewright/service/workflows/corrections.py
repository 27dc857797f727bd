"""What a user says of the workflow that was chosen for a message: "not this one"."""

from __future__ import annotations

from tablewright.domain.ids import Clock, Ids
from tablewright.domain.scope import Scope
from tablewright.domain.workflow.stored import WorkflowCorrection
from tablewright.errors import InvalidInput
from tablewright.service.workflows.library import WorkflowLibrary
from tablewright.store.correction_store import CorrectionStore


class WorkflowCorrections:
    """The use cases of corrections; each is the user's own and changes nobody else's choices."""

    def __init__(self, store: CorrectionStore, library: WorkflowLibrary, clock: Clock, ids: Ids) -> None:
        self._store = store
        self._library = library
        self._clock = clock
        self._ids = ids

    async def add(self, scope: Scope, message: str, *, workflow: str | None, wanted: str | None) -> WorkflowCorrection:
        """Keep that `message` is not for `workflow` but for `wanted`; None: for none.

        Raises `InvalidInput` if both are the same, or for a workflow that the caller does not see.
        """
        if workflow == wanted:
            raise InvalidInput("workflow_correction_same", field="wanted")
        for name, field in ((workflow, "workflow"), (wanted, "wanted")):
            if name is not None and await self._library.find(scope, name) is None:
                raise InvalidInput("workflow_choice_unknown", name=name, field=field)
        said = WorkflowCorrection(
            id=self._ids.new(),
            message=message,
            workflow_id=workflow,
            wanted_id=wanted,
            created_at=self._clock.now(),
        )
        await self._store.add(scope, said)
        return said

    async def all(self, scope: Scope) -> tuple[WorkflowCorrection, ...]:
        """Return the caller's corrections, the oldest first."""
        return await self._store.all(scope)

    async def remove(self, scope: Scope, correction_id: str) -> None:
        """Take a correction back, or raise `NotFound`."""
        await self._store.remove(scope, correction_id)
