"""Ends of runs without a completed answer."""

from __future__ import annotations

from typing import ClassVar

from tablewright.errors.base import RunError


class RunLimit(RunError):
    """The limit on steps, tokens or wall-clock time was reached. Params: `limit`, `value`."""

    code: ClassVar[str] = "run_limit"


class StepsFailed(RunError):
    """A step still failed after its repairs. Params: `step`, `attempts`, `words` (its last error)."""

    code: ClassVar[str] = "steps_failed"


class SuppliedCodeFailed(RunError):
    """Code that a person had executed raised an error. Params: `words` (the error)."""

    code: ClassVar[str] = "supplied_code_failed"


class StepExhausted(RunError):
    """A step exceeded its memory, time or disk limit. Params: `step`, `status` (that of the execution)."""

    code: ClassVar[str] = "step_exhausted"
