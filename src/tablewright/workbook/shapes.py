"""The shape of a workbook: its sheets, and the headers and kinds of their tables. Saved plans record it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from tablewright.domain.notice import Notice
from tablewright.domain.operations.structure import AddSheet, CopySheet, RenameSheet
from tablewright.domain.outline import RegionOutline, SheetOutline, WorkbookOutline
from tablewright.domain.plan_file import ColumnShape, PlanFile, SheetShape, TableShape
from tablewright.domain.rounds.plan import PlanStep
from tablewright.domain.sheet_names import counterparts, sheet_named
from tablewright.workbook.formulas import references, renamed

REFERRING = frozenset({"range", "data_range", "target", "anchor", "cell", "rows", "formula"})
"""Parameters that contain references: ranges or formulas."""
SHEET_PARAMETERS = ("sheet", "from_sheet", "target_sheet")
PLAIN_KINDS = frozenset({"number", "text", "date", "boolean"})


def plan_file(steps: Sequence[PlanStep], outline: WorkbookOutline, *, request: str = "") -> PlanFile:
    """Return `steps` with the shape of the sheets they use.

    A step that names no sheet is assigned the first visible one.
    """
    first = next((sheet.name for sheet in outline.sheets if sheet.state == "visible"), None)
    named = tuple(_with_sheet(step, first) for step in steps)
    names = [sheet.name for sheet in outline.sheets]
    used = {sheet_named(name, names) for step in named for name in _sheets_of(step.parameters)}
    sheets = tuple(shape_of(sheet) for sheet in outline.sheets if sheet.name in used)
    return PlanFile(steps=named, sheets=sheets, request=request)


def shape_of(sheet: SheetOutline) -> SheetShape:
    """Return the shape of a sheet: its tables from top to bottom."""
    tables = sorted(map(_table, sheet.regions),
        key=lambda table: ((table.header_rows or table.data_rows or (0, 0))[0],
            [column.letters for column in table.columns[:1]]))  # fmt: skip
    return SheetShape(name=sheet.name, tables=tuple(tables))


def paired(was: SheetShape, now: SheetShape) -> tuple[tuple[TableShape, TableShape | None], ...]:
    """Pair each table of `was` with its counterpart in `now`: the one with the same headers, else at the same place."""
    left = list(now.tables)
    found: dict[int, TableShape | None] = {}
    for number, table in enumerate(was.tables):
        same = next((other for other in left if _headers(other) == _headers(table)), None)
        if same is not None:
            left.remove(same)
            found[number] = same
    for number in range(len(was.tables)):
        if number not in found:
            found[number] = left.pop(0) if left else None
    return tuple((table, found[number]) for number, table in enumerate(was.tables))


def homed(plan: PlanFile, now: WorkbookOutline) -> PlanFile:
    """Return the plan with its sheets named as this workbook spells them.

    The only sheet of a plan is the only one of a workbook, whatever its name: a csv file becomes a workbook whose sheet
    is named after the file, so this name differs from file to file.
    """
    was, here = [sheet.name for sheet in plan.sheets], [sheet.name for sheet in now.sheets]
    homes = {was[0]: here[0]} if len(was) == len(here) == 1 else counterparts(was, here)
    if all(old == new for old, new in homes.items()):
        return plan
    homes |= {name: name for name in (*was, *_created(plan.steps)) if name not in homes}
    steps = tuple(replace(step, parameters=_renamed(step.parameters, homes)) for step in plan.steps)
    return replace(plan, steps=steps, sheets=tuple(replace(sheet, name=homes[sheet.name]) for sheet in plan.sheets))


def differences(was: Sequence[SheetShape], now: WorkbookOutline) -> tuple[Notice, ...]:
    """Return the reasons why a plan made for `was` does not fit a workbook.

    These are missing sheets and tables, other headers, and other kinds. The number of rows does not matter, nor do
    additional sheets and tables.
    """
    sheets = {sheet.name: sheet for sheet in now.sheets}
    homes = counterparts([sheet.name for sheet in was], list(sheets))
    found: list[Notice] = []
    for sheet in was:
        if sheet.name not in homes:
            params = {"sheet": sheet.name, "known": ", ".join(sheets)}
            found.append(Notice(code="plan_sheet_missing", params=params))
            continue
        for old, new in paired(sheet, shape_of(sheets[homes[sheet.name]])):
            found += _table_differences(sheet.name, old, new)
    return tuple(found)


def _with_sheet(step: PlanStep, first: str | None) -> PlanStep:
    if step.parameters.get("sheet") is not None or first is None:
        return step
    return replace(step, parameters={"sheet": first, **{k: v for k, v in step.parameters.items() if k != "sheet"}})


def _sheets_of(parameters: Mapping[str, Any]) -> Iterator[str]:
    """Yield the sheets named in parameters, directly or within ranges and formulas."""
    for name, value in parameters.items():
        if isinstance(value, str):
            if name in SHEET_PARAMETERS:
                yield value
            if name in REFERRING:
                yield from (found.sheet for found in references(value) if found.sheet)


def _created(steps: Sequence[PlanStep]) -> Iterator[str]:
    """Yield the names that steps give to sheets."""
    for step in steps:
        if isinstance(step.operation, AddSheet | CopySheet | RenameSheet):
            yield step.operation.name


def _renamed(parameters: Mapping[str, Any], homes: Mapping[str, str]) -> dict[str, Any]:
    """Return parameters with the sheets that they name, directly or within ranges and formulas, under their names in
    `homes`."""
    found = dict(parameters)
    for name, value in parameters.items():
        if isinstance(value, str) and name in SHEET_PARAMETERS:
            found[name] = homes.get(sheet_named(value, homes) or value, value)
        elif isinstance(value, str) and name in REFERRING:
            spelled = (reference.sheet for reference in references(value) if reference.sheet)
            for old in dict.fromkeys((*homes, *spelled)):
                new = homes.get(sheet_named(old, homes) or old, old)
                found[name] = found[name] if new == old else renamed(found[name], old, new)
    return found


def _table(region: RegionOutline) -> TableShape:
    columns = tuple(ColumnShape(letters=c.letters, header=c.header, kind=c.kind) for c in region.columns)
    return TableShape(columns=columns, header_rows=region.header_rows, data_rows=region.data_rows)


def _headers(table: TableShape) -> list[tuple[str, str | None]]:
    return [(column.letters, column.header) for column in table.columns]


def _table_differences(sheet: str, was: TableShape, now: TableShape | None) -> Iterator[Notice]:
    if now is None:
        columns = ", ".join(column.header or column.letters for column in was.columns)
        yield Notice(code="plan_table_missing", params={"sheet": sheet, "columns": columns})
        return
    for old, new in zip_longest(was.columns, now.columns):
        if old is None:
            yield Notice(code="plan_column_new", params={"sheet": sheet, "column": new.header or new.letters})
        elif new is None:
            yield Notice(code="plan_column_missing", params={"sheet": sheet, "column": old.header or old.letters})
        else:
            yield from _column_differences(sheet, old, new)


def _column_differences(sheet: str, was: ColumnShape, now: ColumnShape) -> Iterator[Notice]:
    if (was.letters, was.header) != (now.letters, now.header):
        params = {"sheet": sheet, "letters": now.letters, "column": now.header or now.letters,
            "was": was.header or was.letters}  # fmt: skip
        yield Notice(code="plan_column_differs", params=params)
    elif was.kind != now.kind and {was.kind, now.kind} <= PLAIN_KINDS:
        name = was.header or was.letters
        params = {"sheet": sheet, "column": name, "kind": now.kind, "expected": f"kind_{was.kind}"}
        yield Notice(code="plan_kind_differs", params=params)
