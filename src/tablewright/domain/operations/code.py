"""The operation for what no other covers: sandboxed code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from tablewright.domain.operations.base import Effect, Operation, RangeRef, SheetName


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPython(Operation):
    """Run code in the sandbox on `df`, the data frame of a range (or of the sheet's table); the frame it leaves in `result` is
    written at `target`, header included. Without `target` the result is only shown."""

    effect: ClassVar[Effect] = "values"
    code: Annotated[str, Field(min_length=1)]
    range: RangeRef | None = None
    target: RangeRef | None = None
    target_sheet: SheetName | None = None
    function: Literal["run_python"] = "run_python"


CodeOperation = RunPython
