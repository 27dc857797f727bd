"""Rounds on a workbook: proposed plans, the outcomes of their steps, and the resulting versions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from tablewright.domain.artifact import BlobRef
from tablewright.domain.cells import SheetChanges
from tablewright.domain.notice import Notice
from tablewright.domain.table import Table

DataScope = Literal["range", "sheet", "workbook", "chart", "data_modification", "analysis"]
"""What a face has to refresh.

A plan has one of the first three values, an executed round one of the last three.
"""

Author = Literal["upload", "client", "person", "round"]
"""The origin of a version: the upload, a client's own edits reported with a request, a person in the page or
through the API, or a round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanStep:
    """One step of a plan as written: `function` and `parameters` have not been validated."""

    step: int
    function: str
    parameters: Mapping[str, Any] = field(default_factory=dict[str, Any])
    description: str = ""
    retries: int | None = None
    """The step of an earlier round that this one retries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationPlan:
    """A proposed plan.

    `base_version` is the version of the workbook that it was made for. `number` is the round that executes it, as the
    faces count: the first planning is round 1, so the first execution is round 2.
    """

    steps: tuple[PlanStep, ...]
    base_version: int
    number: int = 2
    data_scope: DataScope = "sheet"
    covers_request: bool = True
    """Whether the request is complete once these steps are done."""
    problems: tuple[tuple[Notice, ...], ...] = ()
    """For each step, its problems known before execution."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """The outcome of a step.

    A failed step left the workbook as it was before. `result` is what a step read; `elapsed_s` is its own time, without
    work done once for the whole batch.
    """

    step: PlanStep
    status: Literal["completed", "failed"]
    error: Notice | None = None
    wrote: bool = False
    cells_changed: int = 0
    result: Table | None = None
    notes: tuple[Notice, ...] = ()
    elapsed_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """An executed round.

    Its `id` is the request id by which it can be undone; `plan_id` undoes all rounds of that plan. `version` is None if
    nothing was written; `rolled_back` means that new formula errors undid the whole batch. `undone` means that its
    version has been taken back since; this is not stored but derived when the rounds of the workbook are read.
    """

    id: str
    workbook_id: str
    run_id: str
    plan_id: str
    number: int
    steps: tuple[StepResult, ...]
    created_at: datetime
    version: int | None = None
    rolled_back: bool = False
    data_scope: DataScope = "analysis"
    changes: tuple[SheetChanges, ...] = ()
    warnings: tuple[Notice, ...] = ()
    undone: bool = False

    @property
    def failed(self) -> tuple[StepResult, ...]:
        """The failed steps."""
        return tuple(result for result in self.steps if result.status == "failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldStep:
    """A step of an earlier round as reported by a client, for a round that is not stored."""

    round: int
    step: int
    function: str
    parameters: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A state of a workbook.

    Versions are numbered from 1 without gaps; `parent` is the version that this one is based on. `request_id` is the id
    of the round, or of whatever else made it; `changes` is a stored list of `SheetChanges`. `manifest` lists the stored
    parts that together are `blob`; without one, the blob itself is stored.
    """

    workbook_id: str
    number: int
    parent: int | None
    blob: BlobRef
    name: str
    author: Author
    request_id: str
    created_at: datetime
    summary: str = ""
    changes: BlobRef | None = None
    manifest: BlobRef | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Workbook:
    """A file with a head: the version that is its current state. It has the file's id."""

    id: str
    head: int
    latest: int
    """The highest version number; `head` is lower after an undo."""


def scope_of(functions: Sequence[str], *, effects: Sequence[str], wrote: bool) -> DataScope:
    """Return what a face has to refresh after a batch of `functions` with `effects` (those of known functions)."""
    if any("chart" in function for function in functions) or "chart" in effects:
        return "chart"
    if wrote or any(word in function for function in functions for word in ("set", "insert", "delete")):
        return "data_modification"
    return "analysis"
