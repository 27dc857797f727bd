"""The final answer of a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import Field

from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.cells import SheetChanges
from tablewright.domain.chart import Chart
from tablewright.domain.offer import OfferedReading
from tablewright.domain.table import Cell, Table

Outcome = Literal["completed", "failed", "cancelled", "declined", "limit", "superseded"]
"""How a run ended; `superseded`: while it waited, a new run was begun instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberSource:
    """A number in the answer's text, and the step whose output contains it.

    `start` and `end` are character offsets into the text; without a `step_id` the number is unverified.
    """

    value: Cell
    start: int
    end: int
    step_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer of a run.

    `result` is exactly what was asked for, without helper columns; `table` is what a person is shown. `stopped_by`
    names the limit that ended the work early, with a conclusion from what there was.
    """

    text: str
    outcome: Outcome
    result: Table | None = None
    table: Table | None = None
    charts: tuple[Chart, ...] = ()
    files: tuple[ArtifactRef, ...] = ()
    changes: tuple[SheetChanges, ...] = ()
    sources: tuple[NumberSource, ...] = ()
    suggestions: tuple[str, ...] = ()
    stopped_by: str | None = None
    outputs: Annotated[dict[str, Any], Field(exclude_if=lambda outputs: not outputs)] = field(
        default_factory=dict[str, Any]
    )
    """What a workflow put out, by name."""
    readings: Annotated[tuple[OfferedReading, ...], Field(exclude_if=lambda readings: not readings)] = ()
    """What the question may have meant, where it was declined because nobody was there to choose."""

    @property
    def unverified(self) -> tuple[str, ...]:
        """The numbers of the text that no step has put out, as written, each once. Whoever shows the text says so."""
        written = (self.text[source.start : source.end] for source in self.sources if source.step_id is None)
        return tuple(dict.fromkeys(" ".join(number.split()) for number in written))
