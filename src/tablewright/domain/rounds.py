"""Rounds on a workbook: a plan that is proposed, what became of its steps, and the versions that came of it."""

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
"""What a face has to refresh. A plan names one of the first three, an executed round one of the last three."""

Author = Literal["upload", "client", "person", "round"]
"""Who made a version: who uploaded the file, a client's own edits told with a request, a person in the page or through
the API, or a round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanStep:
    """One step of a plan as it was written: `function` and `parameters` are not checked yet."""

    step: int
    function: str
    parameters: Mapping[str, Any] = field(default_factory=dict[str, Any])
    description: str = ""
    retries: int | None = None
    """The step of an earlier round that this one tries again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationPlan:
    """What is proposed. `base_version` is the workbook's version it was made on; `number` the round that executes it,
    counted as the faces count: the first planning is round 1, so the first execution is round 2."""

    steps: tuple[PlanStep, ...]
    base_version: int
    number: int = 2
    data_scope: DataScope = "sheet"
    covers_request: bool = True
    """Whether nothing is left to do once these steps are done."""
    problems: tuple[tuple[Notice, ...], ...] = ()
    """Of each step, what is known to be wrong with it before anything is executed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """What became of a step. A failed one left the workbook as it was before it; `result` is what it read; `elapsed_s` is
    its own time, without what is done once for the whole batch."""

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
    """An executed round; its `id` is the request id under which it can be undone, as `plan_id` undoes all rounds of
    that plan. `version` is None when nothing was written; `rolled_back`: new formula errors undid the whole batch; `undone`:
    its version has been taken back since, which is known to who reads the workbook's rounds, and not kept."""

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
        """The steps that failed."""
        return tuple(result for result in self.steps if result.status == "failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldStep:
    """A step of an earlier round as a client tells of it, where there is no record of that round."""

    round: int
    step: int
    function: str
    parameters: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A state of a workbook. Numbers count from 1 without gaps; `parent` is the version it was made from.
    `request_id` is the round's id, or that of whatever else made it; `changes` is a stored list of `SheetChanges`.
    `manifest` lists the stored parts that give `blob` exactly; without one the blob itself is kept."""

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
    """A file with a head: the version that is its state now. Its id is the file's."""

    id: str
    head: int
    latest: int
    """The highest version number there is; `head` is lower after an undo."""


def scope_of(functions: Sequence[str], *, effects: Sequence[str], wrote: bool) -> DataScope:
    """Return what a face refreshes after a batch of `functions` with these `effects` (of functions we know)."""
    if any("chart" in function for function in functions) or "chart" in effects:
        return "chart"
    if wrote or any(word in function for function in functions for word in ("set", "insert", "delete")):
        return "data_modification"
    return "analysis"
