"""Plans: typed operations proposed for a workbook, as written, and what a client reports of earlier ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tablewright.domain.notice import Notice
from tablewright.domain.operations import AnyOperation, operations
from tablewright.domain.operations.aliases import function_of
from tablewright.domain.operations.base import Operation
from tablewright.domain.operations.decoding import decode

DataScope = Literal["range", "sheet", "workbook", "chart", "data_modification", "analysis"]
"""What a face has to refresh.

A plan has one of the first three values, an executed round one of the last three.
"""


class _Decoded:
    """What a step as written means: derived once, when the step is made, and not stored."""

    __slots__ = ("operation", "problems")

    operation: AnyOperation | None
    """The typed operation, or None if the step names none or its parameters do not fit."""
    problems: tuple[Notice, ...]
    """Why there is no operation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanStep(_Decoded):
    """One step of a plan as written, and the `operation` that it means."""

    step: int
    function: str
    parameters: Mapping[str, Any] = field(default_factory=dict[str, Any])
    description: str = ""
    retries: int | None = None
    """The step of an earlier round that this one retries."""

    def __post_init__(self) -> None:
        operation, problems = decode(self.function, self.parameters)
        object.__setattr__(self, "operation", operation)
        object.__setattr__(self, "problems", problems)


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
class ReportedStep:
    """A step of an earlier round as reported by a client, for a round that is not stored."""

    round: int
    step: int
    function: str
    parameters: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectedPlan:
    """A plan that the person rejected, and the reason."""

    plan: OperationPlan
    words: str


def kind_of(step: PlanStep) -> type[Operation] | None:
    """Return the class of the operation that a step names, also where its parameters do not fit; None if unknown."""
    return type(step.operation) if step.operation is not None else operations().get(function_of(step.function))
