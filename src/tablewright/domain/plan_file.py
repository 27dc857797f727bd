"""A confirmed plan saved for other workbooks: its steps, and the shape of the workbook that they were made for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablewright.domain.notice import Notice
from tablewright.domain.outline import ContentKind, Rows
from tablewright.domain.rounds.plan import PlanStep


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnShape:
    """A column of a table: its position, its header, the kind of its contents."""

    letters: str
    header: str | None
    kind: ContentKind


@dataclass(frozen=True, slots=True, kw_only=True)
class TableShape:
    """A table on a sheet. Its rows are those of the original workbook; another one may have more or fewer."""

    columns: tuple[ColumnShape, ...]
    header_rows: Rows | None = None
    data_rows: Rows | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetShape:
    """A sheet and its tables, from top to bottom."""

    name: str
    tables: tuple[TableShape, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanFile:
    """The steps of a plan and the sheets that they use.

    Every step names its sheet; `request` is the person's request.
    """

    format: Literal[1] = 1
    request: str = ""
    steps: tuple[PlanStep, ...]
    sheets: tuple[SheetShape, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedPlan:
    """A plan's steps adapted to another workbook at `base_version`.

    `differences` are the reasons why it cannot be applied; `problems` are the known problems of each step; `losses` are
    what the first write would lose of its own accord.
    """

    steps: tuple[PlanStep, ...]
    base_version: int
    differences: tuple[Notice, ...] = ()
    problems: tuple[tuple[Notice, ...], ...] = ()
    losses: tuple[Notice, ...] = ()

    @property
    def faults(self) -> tuple[Notice, ...]:
        """Everything that speaks against applying it, in order."""
        return self.differences or tuple(problem for problems in self.problems for problem in problems)
