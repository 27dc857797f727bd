"""Corrections in memory."""

from __future__ import annotations

from tablewright.domain.scope import Scope
from tablewright.domain.workflow.stored import WorkflowCorrection
from tablewright.errors import NotFound
from tablewright.store.correction_store import MOST


class MemoryCorrections:
    """Implements `CorrectionStore`."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], tuple[WorkflowCorrection, ...]] = {}

    async def add(self, scope: Scope, correction: WorkflowCorrection) -> None:
        every = sorted((*await self.all(scope), correction), key=lambda one: (one.created_at, one.id))
        self._kept[scope.tenant, scope.owner] = tuple(every[-MOST:])

    async def all(self, scope: Scope) -> tuple[WorkflowCorrection, ...]:
        return self._kept.get((scope.tenant, scope.owner), ())

    async def remove(self, scope: Scope, correction_id: str) -> None:
        every = await self.all(scope)
        rest = tuple(one for one in every if one.id != correction_id)
        if len(rest) == len(every):
            raise NotFound(kind="correction", id=correction_id)
        self._kept[scope.tenant, scope.owner] = rest
