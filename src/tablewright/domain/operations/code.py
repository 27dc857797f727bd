"""The operation for what no other covers: sandboxed code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from tablewright.domain.operations.base import Effect, FilledRange, NewSheetName, Operation, RangeRef
from tablewright.domain.operations.roles import Role

WORKBOOK_PATH = "/data/shared/workbook.xlsx"
"""Where code finds the workbook as the steps before it have left it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPython(Operation):
    """Run code in the sandbox on `df`, the data frame of a range (or of the sheet's table); the frame it leaves in
    `result` is written at `target`, header included. Without `target` the result is only shown. The whole workbook is
    at `WORKBOOK_PATH`."""

    effect: ClassVar[Effect] = "values"
    code: Annotated[str, Field(min_length=1), Role.CODE]
    range: RangeRef | None = None
    target: FilledRange | None = None
    target_sheet: NewSheetName | None = None
    function: Literal["run_python"] = "run_python"


CodeOperation = RunPython
