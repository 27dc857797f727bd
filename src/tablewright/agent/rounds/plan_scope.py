"""How much of a workbook a plan will change: the narrowest of range, sheet and workbook that covers it."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.domain.operations import AnyOperation
from tablewright.domain.operations.structure import AddSheet, CopySheet, DeleteSheet, MoveSheet, RenameSheet
from tablewright.domain.operations.tables import CreateTable, DefineName, SummarizeRows
from tablewright.domain.outline import WorkbookOutline
from tablewright.domain.rounds.plan import DataScope, PlanStep
from tablewright.domain.sheet_names import sheet_named

_WHOLE = (AddSheet, CopySheet, DeleteSheet, MoveSheet, RenameSheet, DefineName, SummarizeRows)
_EFFECTS_OF_RANGES = frozenset({"values", "format"})


def plan_scope(steps: Sequence[PlanStep], outline: WorkbookOutline) -> DataScope:
    """Return the scope; a step that cannot be decoded counts as changing its whole sheet."""
    first = next((sheet.name for sheet in outline.sheets if sheet.state == "visible"), "")
    names = [sheet.name for sheet in outline.sheets]
    scopes = [_of(step, first) for step in steps]
    sheets = {(sheet_named(sheet, names) or sheet).casefold() for _, touched in scopes for sheet in touched}
    if any(scope == "workbook" for scope, _ in scopes) or len(sheets) > 1:
        return "workbook"
    return "sheet" if any(scope == "sheet" for scope, _ in scopes) else "range"


def _of(step: PlanStep, first: str) -> tuple[DataScope, frozenset[str]]:
    operation = step.operation
    if operation is None:
        sheet = step.parameters.get("sheet")
        return "sheet", frozenset({sheet if isinstance(sheet, str) else first})
    if operation.effect == "read":
        return "range", frozenset()
    if isinstance(operation, _WHOLE):
        return "workbook", frozenset()
    sheet = operation.sheet or first
    target = getattr(operation, "target_sheet", None)
    touched = frozenset({sheet} if target is None else {sheet, str(target)})
    return ("range" if _within_range(operation) else "sheet"), touched


def _within_range(operation: AnyOperation) -> bool:
    """Return whether all changes lie within the range that the operation names."""
    if operation.effect not in _EFFECTS_OF_RANGES or isinstance(operation, CreateTable):
        return False
    return bool(getattr(operation, "range", None) or getattr(operation, "cell", None)) and not hasattr(
        operation, "target"
    )
