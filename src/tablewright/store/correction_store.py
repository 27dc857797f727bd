"""The port to what users said of the choice of workflows."""

from __future__ import annotations

from typing import Protocol

from tablewright.domain.scope import Scope
from tablewright.domain.workflow.stored import WorkflowCorrection

MOST = 100
"""Corrections of one owner that are kept; the oldest give way."""


class CorrectionStore(Protocol):
    """The corrections of one owner; those of others are not seen."""

    async def add(self, scope: Scope, correction: WorkflowCorrection) -> None:
        """Store a correction of the caller, in the place of the oldest where there are `MOST`."""
        ...

    async def all(self, scope: Scope) -> tuple[WorkflowCorrection, ...]:
        """Return the caller's corrections, the oldest first."""
        ...

    async def remove(self, scope: Scope, correction_id: str) -> None:
        """Remove a correction of the caller's, or raise `NotFound`."""
        ...
