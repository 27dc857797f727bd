"""Summarize a table by groups on another sheet, with formulas over the table."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.domain.operations.tables import Aggregation, SummarizeRows, SummaryMeasure
from tablewright.domain.sheet_names import sheet_named
from tablewright.domain.table import Cell
from tablewright.errors import InvalidInput
from tablewright.texts.catalogue import Language, text
from tablewright.workbook.areas import MOST_COLUMNS, Area, cell_name, letters
from tablewright.workbook.formulas import sheet_prefix
from tablewright.workbook.operations.context import Handler, OperationContext
from tablewright.workbook.operations.sheets import free_sheet_name
from tablewright.workbook.package import tabs
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.package.styles import FormatChange
from tablewright.workbook.package.table_view import TableView
from tablewright.workbook.values import EMPTY

_CONDITIONAL = {"sum": "SUMIFS", "mean": "AVERAGEIFS", "min": "MINIFS", "max": "MAXIFS"}
_OVER_ROWS = {"median": "MEDIAN(IF({test},{values}))", "std": "STDEV(IF({test},{values}))",
              "count_distinct": "ROWS(UNIQUE(FILTER({values},{test})))"}  # fmt: skip
_MOST_GROUPS = 100_000
_HEADER = FormatChange(bold=True, fill="DDEBF7")


@dataclass(frozen=True, slots=True)
class _Key:
    """One value of a grouping column: as stored, as shown, and the style if it is a date."""

    value: Cell
    shown: Cell
    style: int


def summarize(step: OperationContext, operation: SummarizeRows) -> None:
    """Write the groups and a formula over the table per measure.

    Each value of the column `across` becomes a column of the summary.
    """
    sheet = step.sheet(operation)
    wanted = [*operation.groups, *(measure.column for measure in operation.measures if measure.column)]
    view = step.table(sheet, [*wanted, *([operation.across] if operation.across else [])])
    for measure in operation.measures:
        if measure.column is None and measure.aggregation != "count":
            raise InvalidInput("measure_without_column", field="measures", aggregation=measure.aggregation)
    groups = [view.column(name, "groups") for name in operation.groups]
    across = view.column(operation.across, "across") if operation.across else None
    rows = _distinct(view, groups)
    spread = [key[0] for key in _distinct(view, [across])] if across is not None else []
    width = len(groups) + len(operation.measures) * max(len(spread), 1)
    if len(rows) > _MOST_GROUPS or width > MOST_COLUMNS:
        raise InvalidInput("too_many_groups", most=_MOST_GROUPS)
    target = _target(step, operation, view)
    _Writer(step, view, target, groups, across).write(operation.measures, rows, spread)


HANDLERS: dict[str, Handler] = {"summarize": summarize}


class _Writer:
    """Writes one summary."""

    def __init__(
        self, step: OperationContext, view: TableView, target: WorkbookSheet, groups: list[int], across: int | None
    ) -> None:
        self._step, self._view, self._target = step, view, target
        self._groups, self._across = groups, across
        self._prefix = sheet_prefix(view.sheet.name)

    def write(self, measures: tuple[SummaryMeasure, ...], rows: list[tuple[_Key, ...]], spread: list[_Key]) -> None:
        styles = self._step.book.shared.styles
        header = styles.changed_by(0, _HEADER)
        for at, column in enumerate(self._groups, 1):
            self._target.write(1, at, self._view.header(column), header, "exact")
        keys_across: list[_Key | None] = list(spread) or [None]
        titles = [(measure, key) for key in keys_across for measure in measures]
        for at, (measure, key) in enumerate(titles, len(self._groups) + 1):
            alone = len(measures) == 1
            dated = key.style if key is not None and alone else 0
            style = styles.changed_by(dated, _HEADER) if dated else header
            self._target.write(1, at, self._title(measure, key, alone=alone), style, "exact")
        for row, keys in enumerate(rows, 2):
            for at, found in enumerate(keys, 1):
                self._target.write(row, at, found.value, found.style, "exact")
            for at, (measure, key) in enumerate(titles, len(self._groups) + 1):
                self._measure(row, at, measure, keys, key)

    def _title(self, measure: SummaryMeasure, key: _Key | None, *, alone: bool) -> Cell:
        named = measure_title(self._view, measure)
        if key is None:
            return named
        return key.value if alone else f"{key.shown} {named}"

    def _measure(self, row: int, at: int, measure: SummaryMeasure, keys: tuple[_Key, ...], key: _Key | None) -> None:
        places = [f"${letters(column)}{row}" for column in range(1, len(keys) + 1)]
        tests = list(zip(self._groups, places, [found.value for found in keys], strict=True))
        if key is not None and self._across is not None:
            tests.append((self._across, _literal(key.value), key.value))
        column = self._view.column(measure.column) if measure.column else None
        style = self._style(column, measure.aggregation)
        formula = self._formula(measure.aggregation, column, tests)
        if measure.aggregation in _OVER_ROWS:
            self._target.write_array(row, at, formula, style)
        else:
            self._target.write(row, at, formula, style)

    def _formula(self, aggregation: Aggregation, column: int | None, tests: list[tuple[int, str, Cell]]) -> str:
        if aggregation in _OVER_ROWS and column is not None:
            test = "*".join(
                f"({self._span(at)}={place if value is not None else chr(34) * 2})" for at, place, value in tests
            )
            return "=IFERROR(" + _OVER_ROWS[aggregation].format(test=test or "TRUE", values=self._span(column)) + ',"")'
        pairs = [part for at, place, value in tests for part in (self._span(at), place if value is not None else '""')]
        if aggregation == "count":
            pairs += [self._span(column), '"<>"'] if column is not None else []
            whole = f"ROWS({self._span(self._view.region.area.first_column)})"
            return f"=COUNTIFS({','.join(pairs)})" if pairs else f"={whole}"
        assert column is not None
        if not pairs:
            return (
                f"={ {'sum': 'SUM', 'mean': 'AVERAGE', 'min': 'MIN', 'max': 'MAX'}[aggregation] }({self._span(column)})"
            )
        formula = f"{_CONDITIONAL[aggregation]}({self._span(column)},{','.join(pairs)})"
        return f'=IFERROR({formula},"")' if aggregation == "mean" else f"={formula}"

    def _span(self, column: int) -> str:
        return self._prefix + self._view.span(column)

    def _style(self, column: int | None, aggregation: Aggregation) -> int:
        if column is None or aggregation in {"count", "count_distinct"}:
            return 0
        styles = self._step.book.shared.styles
        code = styles.number_format(self._view.sheet.style(self._view.rows[0], column))
        return styles.changed_by(0, FormatChange(number_format=code)) if code not in {"General", "@"} else 0


def measure_title(view: TableView, measure: SummaryMeasure) -> str:
    """Return the header of a measure, in the language of the table's headers."""
    language = language_of_headers(" ".join(view.headers))
    if measure.column is None:
        return text("summary_rows", language)
    return text(f"summary_{measure.aggregation}", language, column=view.header(view.column(measure.column)))


def language_of_headers(headers: str) -> Language:
    """Return zh if the headers contain any Chinese character: codes and units are in Latin script in both languages."""
    return "zh" if any("\u4e00" <= sign <= "\u9fff" for sign in headers) else "en"


def _distinct(view: TableView, columns: list[int]) -> list[tuple[_Key, ...]]:
    """Return the distinct combinations of values in ascending order, empty cells last."""
    if not columns:
        return [()]
    first, last = view.rows
    found: dict[tuple[Cell, ...], tuple[_Key, ...]] = {}
    cells = dict(view.sheet.scan(Area(first, min(columns), last, max(columns))))
    for row in range(first, last + 1):
        here = [cells.get(row, {}).get(column, EMPTY) for column in columns]
        key = tuple(cell.value.strip().casefold() if isinstance(cell.value, str) else cell.value for cell in here)
        found.setdefault(key, tuple(_Key(cell.value, cell.shown, cell.style if cell.date else 0) for cell in here))
    return [found[key] for key in sorted(found, key=lambda key: tuple(_order(part) for part in key))]


def _order(value: Cell) -> tuple[int, float, str]:
    if value is None:
        return (2, 0, "")
    return (1, 0, value) if isinstance(value, str) else (0, float(value), "")


def _literal(value: Cell) -> str:
    if isinstance(value, str):
        return '"' + value.replace('"', '""') + '"'
    return "" if value is None else str(value)


def _target(step: OperationContext, operation: SummarizeRows, view: TableView) -> WorkbookSheet:
    """Return the sheet to write to: the named one, created if it does not exist, or a new one."""
    name = operation.target_sheet
    if name is None:
        base = text("summary_sheet", language_of_headers(" ".join(view.headers)))
        taken = {tab.name.casefold() for tab in step.book.tabs}
        name, number = base, 1
        while name.casefold() in taken:
            number += 1
            name = f"{base} {number}"
    known = sheet_named(name, [tab.name for tab in step.book.worksheets()])
    if known is None:
        tabs.add(step.book, free_sheet_name(step, name))
        return step.book.sheet(name)
    sheet = step.book.sheet(known)
    used = sheet.used()
    if used is not None:
        raise InvalidInput("cell_not_empty", sheet=sheet.name, cell=cell_name(used.first_row, used.first_column))
    return sheet
