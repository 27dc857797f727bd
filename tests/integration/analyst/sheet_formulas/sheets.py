"""Tables written as sheets with formulas beside them, and the values that an office program gives these."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

import openpyxl
import xlsxwriter
from tests.integration.analyst.evaluating.agreement import stored
from tests.integration.analyst.sql.engines import facts_of
from tests.integration.analyst.sql.random_tables import SALES, Row

from tablewright.analyst.evaluating.memory import evaluate
from tablewright.analyst.plan import Part, Plan, Relation
from tablewright.analyst.sheet_formulas import SheetColumn, SheetTable
from tablewright.workbook.areas import letters

FIRST_ROW = 2
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_EPOCH = datetime(1899, 12, 30)  # noqa: DTZ001  # the days of a sheet have no zone


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A table, formulas (one for each row, or one of all), and the values that the plan gives."""

    rows: Sequence[Row]
    formulas: tuple[str, ...]
    wanted: tuple[Any, ...]
    of: object


def table(rows: Sequence[Row], sheet: str | None = None) -> SheetTable:
    """Return where the table of the sales is."""
    columns = {
        name: SheetColumn(
            letters=letters(place + 1),
            kind=kind if any(row[place] is not None for row in rows) else "empty",  # type: ignore[arg-type]
            missing=any(row[place] is None for row in rows),
            blanks=kind == "text" and any(row[place] != row[place].strip() for row in rows if row[place] is not None),
        )
        for place, (name, kind) in enumerate(SALES)
    }
    return SheetTable(columns=columns, first_row=FIRST_ROW, last_row=FIRST_ROW + len(rows) - 1, sheet=sheet)


def plan_gives(relation: Relation, rows: Sequence[Row], folder: Path) -> tuple[Any, ...] | None:
    """Return the last column of what a relation gives; None if it gives nothing or a number without end."""
    plan = Plan(parts=(Part(relation=relation),))
    found = evaluate(plan, {"sales": stored(rows, len(SALES))}, [facts_of("sales", rows, "duckdb", folder)])
    if found.failure is not None:
        return None
    cells = tuple(row[-1] for row in found.tables[0].rows)
    return None if any(isinstance(cell, float) and math.isinf(cell) for cell in cells) else cells


def write(path: Path, cases: Sequence[Case]) -> None:
    """Write a sheet for each case: the table, and its formulas in the column after it."""
    with xlsxwriter.Workbook(str(path), {"strings_to_formulas": False}) as book:
        day = book.add_format({"num_format": "yyyy-mm-dd"})
        for number, case in enumerate(cases):
            sheet = book.add_worksheet(f"it's {number}")
            sheet.write_row(0, 0, [name for name, _ in SALES])
            for at, row in enumerate(case.rows):
                for place, cell in enumerate(row):
                    if isinstance(cell, date):
                        sheet.write_datetime(at + 1, place, cell, day)
                    elif cell is not None:
                        sheet.write(at + 1, place, cell)
            for at, formula in enumerate(case.formulas):
                sheet.write_formula(at + 1, len(SALES), formula, None, "")


def values(path: Path, cases: Sequence[Case]) -> list[tuple[Any, ...]]:
    """Return the stored values of the formulas of each case."""
    book = openpyxl.load_workbook(path, data_only=True)
    sheets = [book.worksheets[number] for number in range(len(cases))]
    return [
        tuple(sheet.cell(at + 2, len(SALES) + 1).value for at in range(len(case.formulas)))
        for sheet, case in zip(sheets, cases, strict=True)
    ]


def same(wanted: Any, found: Any) -> bool:
    """Return whether a formula has the value of the plan: missing is the empty text, or the error of what is divided by
    a total of 0, and a day is its number."""
    if wanted is None or wanted == "":
        return found in {None, "", "#DIV/0!"}
    if isinstance(found, datetime):
        found = (found - _EPOCH).total_seconds() / 86_400
    if isinstance(wanted, str) and isinstance(found, int | float) and _DAY.match(wanted):
        wanted = (datetime.fromisoformat(wanted) - _EPOCH).total_seconds() / 86_400
    if isinstance(wanted, bool | str) or isinstance(found, str) or found is None:
        return type(wanted) is type(found) and wanted == found
    return math.isclose(wanted, found, rel_tol=1e-9, abs_tol=1e-7)
