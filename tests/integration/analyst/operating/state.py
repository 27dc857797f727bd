"""What a workbook is, compared kind by kind: each comparison returns what is there instead, or None."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import openpyxl
from tests.support.workbooks import read_parts

from tablewright.workbook.areas import letters, parse_area


class Book:
    """A workbook opened with its formulas, with its values, and as parts."""

    def __init__(self, path: Path) -> None:
        self.written = openpyxl.load_workbook(path)
        self.shown = openpyxl.load_workbook(path, data_only=True)
        self.parts = {name: part.decode("utf-8", "replace") for name, part in read_parts(path).items()}

    def cells(self, place: str, *, shown: bool = False) -> list[Any]:
        """Return the cells of a place such as `Sheet!A1:B2`."""
        sheet, area = parse_area(place)
        book = self.shown if shown else self.written
        return [
            book[sheet].cell(row, column)
            for row in range(area.first_row, area.last_row + 1)
            for column in range(area.first_column, area.last_column + 1)
        ]


def _each(expected: Mapping[str, Any], of: Callable[[str], Any]) -> str | None:
    for place, wanted in expected.items():
        got = of(place)
        if got != wanted:
            return f"{place}: {got}"
    return None


def _like(expected: Mapping[str, str], of: Callable[[str], Any]) -> str | None:
    for place, pattern in expected.items():
        got = of(place)
        if not re.search(pattern, str(got)):
            return f"{place}: {got}"
    return None


def _plain(value: Any) -> Any:
    return round(value, 6) if isinstance(value, float) else value


def _column(book: Book, place: str) -> list[Any]:
    sheet, _, header = place.partition("!")
    rows = list(book.shown[sheet].iter_rows(values_only=True))
    if header not in rows[0]:
        return list(rows[0])
    at = rows[0].index(header)
    return [_plain(row[at]) for row in rows[1:] if any(cell is not None for cell in row)]


def _filled(book: Book, sheet: str) -> list[int]:
    return sorted({cell.row for row in book.written[sheet] for cell in row if cell.fill.fill_type})


def _hidden_columns(book: Book, sheet: str) -> list[str]:
    found: list[str] = []
    for dimension in book.written[sheet].column_dimensions.values():
        if dimension.hidden:
            found += [letters(at) for at in range(dimension.min, dimension.max + 1)]
    return sorted(found)


def _new_cells(book: Book) -> list[Any]:
    sheet = book.shown[book.shown.sheetnames[-1]]
    return [_plain(cell) for row in sheet.iter_rows(values_only=True) for cell in row]


def _validation(book: Book, place: str) -> Any:
    sheet, area = parse_area(place)
    for rule in book.written[sheet].data_validations.dataValidation:
        if f"{letters(area.first_column)}{area.first_row}" in rule.sqref:
            return rule
    return None


def _conditional(book: Book, sheet: str) -> list[str]:
    return [rule.type for rules in book.written[sheet].conditional_formatting for rule in rules.rules]


def _width(book: Book, place: str) -> float:
    sheet, _, column = place.partition("!")
    for dimension in book.written[sheet].column_dimensions.values():
        if dimension.min <= openpyxl.utils.column_index_from_string(column) <= dimension.max:
            return float(round(dimension.width))
    return 0.0


def _charts(book: Book) -> list[str]:
    return [part for name, part in book.parts.items() if re.fullmatch(r"xl/charts/chart\d+\.xml", name)]


def _missing(wanted: Sequence[Any], cells: Sequence[Any]) -> str | None:
    lacking = [one for one in wanted if one not in cells]
    return f"lacks {lacking} in {cells[:40]}" if lacking else None


def _wide(book: Book, expected: Mapping[str, Sequence[float]]) -> str | None:
    for place, (low, high) in expected.items():
        if not low <= _width(book, place) <= high:
            return f"{place}: {_width(book, place)}"
    return None


def _height(book: Book, place: str) -> Any:
    sheet, _, row = place.partition("!")
    return book.written[sheet].row_dimensions[int(row)].height


def _same(got: Any, wanted: Any) -> str | None:
    return None if got == wanted else str(got)


def _reference(book: Book, name: str) -> str | None:
    return book.written.defined_names[name].attr_text if name in book.written.defined_names else None


def _font_color(book: Book, place: str) -> str | None:
    color = book.cells(place)[0].font.color
    return color.rgb[-6:] if color and color.type == "rgb" else None


def _bounds(book: Book, place: str) -> list[Any]:
    rule = _validation(book, place)
    return [rule.type, rule.formula1, rule.formula2] if rule else []


KINDS: dict[str, Callable[[Book, Any], str | None]] = {
    "values": lambda b, e: _each(e, lambda at: [_plain(cell.value) for cell in b.cells(at, shown=True)]),
    "column": lambda b, e: _each(e, lambda at: _column(b, at)),
    "last_column": lambda b, e: _each(e, lambda at: [row[-1] for row in b.shown[at].iter_rows(2, values_only=True)]),
    "headers": lambda b, e: _each(e, lambda at: [cell.value for cell in b.shown[at][1] if cell.value is not None]),
    "formula": lambda b, e: _like(e, lambda at: b.cells(at)[0].value),
    "number_format": lambda b, e: _like(e, lambda at: b.cells(at)[0].number_format),
    "names": lambda b, e: _like(e, lambda at: _reference(b, at)),
    "filled_rows": lambda b, e: _each(e, lambda at: _filled(b, at)),
    "fill": lambda b, e: _each(e, lambda at: b.cells(at)[0].fill.fgColor.rgb[-6:]),
    "bold": lambda b, e: _each(e, lambda at: [cell.coordinate for row in b.written[at] for cell in row if cell.font.b]),
    "font_color": lambda b, e: _each(e, lambda at: _font_color(b, at)),
    "chart_says": lambda b, e: None if any(e in chart for chart in _charts(b)) else "says something else",
    "align": lambda b, e: _each(e, lambda at: b.cells(at)[0].alignment.horizontal),
    "border": lambda b, e: _each(e, lambda at: b.cells(at)[0].border.left.style),
    "comment": lambda b, e: _each(e, lambda at: getattr(b.cells(at)[0].comment, "text", None)),
    "sheets": lambda b, e: _same(b.written.sheetnames, e),
    "sheet_count": lambda b, e: _same(len(b.written.sheetnames), e),
    "has_sheet": lambda b, e: None if e in b.written.sheetnames else str(b.written.sheetnames),
    "new_sheet_has": lambda b, e: _missing(e, _new_cells(b)),
    "charts": lambda b, e: _same(len(_charts(b)), e),
    "chart_kind": lambda b, e: None if any(f":{e}" in chart for chart in _charts(b)) else "another kind",
    "conditional": lambda b, e: _each(e, lambda at: _conditional(b, at)),
    "merged": lambda b, e: _each(e, lambda at: [str(one) for one in b.written[at].merged_cells.ranges]),
    "freeze": lambda b, e: _each(e, lambda at: b.written[at].freeze_panes),
    "hidden_columns": lambda b, e: _each(e, lambda at: _hidden_columns(b, at)),
    "hidden_rows": lambda b,
    e: _each(e, lambda at: [row for row, found in b.written[at].row_dimensions.items() if found.hidden]),
    "hidden_sheets": lambda b, e: _same([s.title for s in b.written if s.sheet_state == "hidden"], e),
    "width": lambda b, e: _each(e, lambda at: _width(b, at)),
    "wide": _wide,
    "height": lambda b, e: _each(e, lambda at: _height(b, at)),
    "tables": lambda b, e: _each(e, lambda at: len(b.written[at].tables)),
    "autofilter": lambda b, e: None if all(b.written[at].auto_filter.ref for at in e) else "no buttons",
    "validation": lambda b, e: _each(e, lambda at: getattr(_validation(b, at), "formula1", "").strip('"')),
    "validation_kind": lambda b, e: _each(e, lambda at: _bounds(b, at)),
}  # fmt: skip
