"""The steps of a node that changes the workbook, fitted to the workbook that its run has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tablewright.domain.language import Language
from tablewright.domain.notice import Notice
from tablewright.domain.outline import WorkbookOutline
from tablewright.domain.plan_file import PlanFile, SheetShape
from tablewright.domain.rounds.plan import PlanStep
from tablewright.errors import NodeFailed
from tablewright.texts.errors import error_text
from tablewright.workbook.plan_fit import fitted
from tablewright.workbook.shapes import differences, homed, shape_of
from tablewright.workflows.planned_steps import planned_steps

WHOLE = 1_000_000
"""A token budget for outlines from which nothing is left out."""


def fitted_steps(
    steps: Sequence[Mapping[str, Any]], made_for: Sequence[SheetShape], outline: WorkbookOutline, language: Language
) -> tuple[PlanStep, ...]:
    """Return steps that were written for the sheets `made_for` as steps on the workbook of `outline`.

    Raises `NodeFailed`, naming what differs in form or which rows it lacks.
    """
    plan = homed(PlanFile(steps=planned_steps(steps), sheets=tuple(made_for)), outline)
    if found := differences(plan.sheets, outline):
        raise NodeFailed("workflow_workbook_differs", words=_words(found, language))
    fitting, lacking = fitted(plan, [shape_of(sheet) for sheet in outline.sheets])
    if rows := [notice for step in lacking for notice in step]:
        raise NodeFailed("workflow_workbook_differs", words=_words(rows, language))
    return fitting


def _words(notices: Sequence[Notice], language: Language) -> str:
    return " ".join(error_text(notice.code, language, dict(notice.params)) for notice in notices)[:500]
