"""Failed steps, changed according to the reason of their failure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rapidfuzz import fuzz, process

from tablewright.analyst.operating.op import Op
from tablewright.domain.outline import WorkbookOutline
from tablewright.domain.rounds.round import Round, StepResult
from tablewright.workbook.areas import cell_name, letters, parse_area

_NEAR = 60
Fix = Callable[[StepResult, WorkbookOutline], dict[str, Any] | None]


def retried(last: Round, outline: WorkbookOutline) -> list[Op]:
    """Return the failed steps, changed; those without a known remedy, and those already retried, are left out."""
    found: list[Op] = []
    for result in last.failed:
        fix = _FIXES.get(result.error.code) if result.error is not None else None
        if fix is None or result.step.retries is not None:
            continue
        parameters = fix(result, outline)
        if parameters is not None and parameters != result.step.parameters:
            found.append(Op(function=result.step.function, parameters=parameters))
    return found


def _replaced(parameters: Any, old: str, new: str) -> Any:
    """Return the parameters with a name replaced wherever it occurs, including in formulas."""
    if isinstance(parameters, Mapping):
        return {key: _replaced(value, old, new) for key, value in parameters.items()}
    if isinstance(parameters, list | tuple):
        return [_replaced(value, old, new) for value in parameters]
    if isinstance(parameters, str):
        return new if parameters == old else parameters.replace(f"[{old}]", f"[{new}]")
    return parameters


def _params(result: StepResult) -> Mapping[str, Any]:
    return result.error.params if result.error is not None else {}


def _column(result: StepResult, outline: WorkbookOutline) -> dict[str, Any] | None:
    del outline
    params = _params(result)
    fixed: dict[str, Any] = _replaced(result.step.parameters, str(params["column"]), str(params["near"]))
    return fixed


def _sheet(result: StepResult, outline: WorkbookOutline) -> dict[str, Any] | None:
    wanted = str(_params(result).get("id") or "")
    names = [sheet.name for sheet in outline.sheets]
    near = process.extractOne(wanted, names, scorer=fuzz.WRatio, score_cutoff=_NEAR, processor=str.casefold)
    if near is None:
        return None
    fixed: dict[str, Any] = _replaced(result.step.parameters, wanted, near[0])
    return fixed


def _other_header(result: StepResult, outline: WorkbookOutline) -> dict[str, Any] | None:
    taken = {column.header for sheet in outline.sheets for region in sheet.regions for column in region.columns}
    header = str(result.step.parameters.get("header", ""))
    number = 2
    while f"{header} {number}" in taken:
        number += 1
    return {**result.step.parameters, "header": f"{header} {number}"} if header else None


def _other_sheet(result: StepResult, outline: WorkbookOutline) -> dict[str, Any] | None:
    taken = {sheet.name.casefold() for sheet in outline.sheets}
    field = "target_sheet" if "target_sheet" in result.step.parameters else "name"
    name = str(result.step.parameters.get(field, ""))
    number = 2
    while f"{name} ({number})".casefold() in taken:
        number += 1
    return {**result.step.parameters, field: f"{name} ({number})"} if name else None


def _free_place(result: StepResult, outline: WorkbookOutline) -> dict[str, Any] | None:
    """Return the step's parameters with its cells moved right of everything used, one column apart and in the same
    rows; None if the step has no cells to move."""
    given = result.step.parameters
    field = next((name for name in ("target", "range") if name in given), None)
    sheet = next((one for one in outline.sheets if one.name == _params(result).get("sheet")), None)
    if (
        field is None
        or sheet is None
        or sheet.used is None
        or result.step.function not in {"set_values", "transpose", "run_python"}
    ):
        return None
    area = parse_area(str(given[field]))[1]
    free = parse_area(sheet.used)[1].last_column + 2
    place = cell_name(area.first_row, free)
    end = f":{letters(free + area.width - 1)}{area.last_row}" if not area.one_cell else ""
    return {**given, field: f"{place}{end}"}


_FIXES: dict[str, Fix] = {
    "column_unknown_near": _column, "sheet_missing": _sheet, "header_taken": _other_header,
    "sheet_name_taken": _other_sheet,
    "cell_not_empty": _free_place,
}  # fmt: skip
