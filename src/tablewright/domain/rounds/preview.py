"""What the steps of a plan would change, found out on a copy before anybody agrees to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablewright.domain.cells import ShapeChange, SheetChanges
from tablewright.domain.notice import Notice


@dataclass(frozen=True, slots=True, kw_only=True)
class StepPreview:
    """What one step would change, after the steps before it.

    `cells_changed` counts all cells, `changes` lists the first of them with the area that is touched. `in_place` is
    False where an earlier step moves cells: then those that are listed are not yet where they are named. `error` says
    why the step would fail.
    """

    step: int
    function: str
    status: Literal["completed", "failed"]
    error: Notice | None = None
    cells_changed: int = 0
    changes: tuple[SheetChanges, ...] = ()
    shape: tuple[ShapeChange, ...] = ()
    notes: tuple[Notice, ...] = ()
    in_place: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanPreview:
    """What a plan would change of the workbook at `base_version`.

    `rolled_back`: formulas would newly give errors, which `warnings` name, so that nothing of it would stay.
    """

    base_version: int
    steps: tuple[StepPreview, ...]
    rolled_back: bool = False
    warnings: tuple[Notice, ...] = ()
