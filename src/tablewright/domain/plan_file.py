"""A confirmed plan kept for other workbooks: its steps, and the shape of the workbook that they were made for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablewright.domain.notice import Notice
from tablewright.domain.outline import ContentKind, Rows
from tablewright.domain.rounds import PlanStep


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnShape:
    """A column of a table: where it is, what it is called, what it holds."""

    letters: str
    header: str | None
    kind: ContentKind


@dataclass(frozen=True, slots=True, kw_only=True)
class TableShape:
    """A table on a sheet. Its rows are where it was; another workbook may have more or fewer."""

    columns: tuple[ColumnShape, ...]
    header_rows: Rows | None = None
    data_rows: Rows | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetShape:
    """A sheet with its tables, from the top."""

    name: str
    tables: tuple[TableShape, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanFile:
    """Steps with the sheets that they use. Every step names its sheet; `request` is what a person had asked for."""

    format: Literal[1] = 1
    request: str = ""
    steps: tuple[PlanStep, ...]
    sheets: tuple[SheetShape, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedPlan:
    """A plan's steps as they stand for another workbook at `base_version`. `differences` say why it cannot be applied;
    `problems` what is known to be wrong with each step; `losses` what the first write loses by itself."""

    steps: tuple[PlanStep, ...]
    base_version: int
    differences: tuple[Notice, ...] = ()
    problems: tuple[tuple[Notice, ...], ...] = ()
    losses: tuple[Notice, ...] = ()

    @property
    def faults(self) -> tuple[Notice, ...]:
        """All that stands against it, the first first."""
        return self.differences or tuple(problem for problems in self.problems for problem in problems)
