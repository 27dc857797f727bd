"""One worksheet: its rows and cells, and the XML around them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Literal

from lxml import etree

from tablewright.domain.table import Cell
from tablewright.errors import FileUnreadable, InvalidInput
from tablewright.workbook.areas import MOST_COLUMNS, Area, areas_of, cell_name, parse_area
from tablewright.workbook.formulas import translated
from tablewright.workbook.package import cells
from tablewright.workbook.package.pieces import Pieces
from tablewright.workbook.package.raw_rows import RawCell, RawRow
from tablewright.workbook.package.rows import SheetRows
from tablewright.workbook.package.shared import Shared
from tablewright.workbook.package.spelling import respelled
from tablewright.workbook.package.styles import FormatChange
from tablewright.workbook.package.xml import Element, child, children, escaped, parse, unescaped
from tablewright.workbook.values import EMPTY, CellData

_DATA = re.compile(rb"<sheetData\b[^>]*?(/?)>")
_DATA_END = b"</sheetData>"
_MARK = b"<sheetData/>"
_PLACE = re.compile(rb'<c r="([A-Z]+)(\d+)"')
_ARRAY = re.compile(
    rb'<f\b[^>]*\bt="(?:array|dataTable)"[^>]*\bref="([^"]+)"|<f\b[^>]*\bref="([^"]+)"[^>]*\bt="(?:array|dataTable)"'
)
_DIMENSION = re.compile(rb'(<dimension\b[^>]*\bref=")([^"]+)(")')
_STYLE = re.compile(rb'\bs="(\d+)"')

ORDER = (
    "sheetPr", "dimension", "sheetViews", "sheetFormatPr", "cols", "sheetData", "sheetCalcPr", "sheetProtection",
    "protectedRanges", "scenarios", "autoFilter", "sortState", "dataConsolidate", "customSheetViews", "mergeCells",
    "phoneticPr", "conditionalFormatting", "dataValidations", "hyperlinks", "printOptions", "pageMargins", "pageSetup",
    "headerFooter", "rowBreaks", "colBreaks", "customProperties", "cellWatches", "ignoredErrors", "smartTags",
    "drawing",
    "legacyDrawing", "legacyDrawingHF", "drawingHF", "picture", "oleObjects", "controls", "webPublishItems",
    "tableParts",
    "extLst",
)  # fmt: skip
"""The schema's sequence of the worksheet element's children."""


_FEW_COLUMNS = 4
Reading = Literal["typed", "constant", "exact"]
"""How a text is interpreted: as typed by a person (formulas, ISO dates), without formulas, or literally."""


class WorkbookSheet:
    """A worksheet, parsed from the bytes of its `part`. Changes are kept in memory until the book is flushed.

    `formulas`: there may be some in it. Errors: `FileUnreadable`.
    """

    def __init__(self, shared: Shared, name: str, part: str, data: bytes, *, formulas: bool = True) -> None:
        self.shared, self.name, self.part = shared, name, part
        opening = _DATA.search(data)
        if opening is None:
            raise FileUnreadable("workbook_unusual", name=shared.workbook)
        end = opening.end() if opening[1] else data.rfind(_DATA_END, opening.end())
        if end < 0:
            raise FileUnreadable("file_damaged", name=shared.workbook)
        after = end if opening[1] else end + len(_DATA_END)
        self._head, self._tail = data[: opening.start()], data[after:]
        try:
            found = respelled(data, opening.end(), opening.end() if opening[1] else end)
            self.rows = SheetRows(found.part, found.start, found.end, uniform=found.uniform)
        except ValueError as error:
            raise FileUnreadable("workbook_unusual", name=shared.workbook) from error
        self._masters: cells.Masters = {}
        self.arrays: list[Area] = []
        if formulas and found.part.find(b"<f", found.start, found.end) >= 0:
            self._masters = cells.masters_of(found.part, _PLACE, found.start, found.end)
            arrays = _ARRAY.findall(found.part, found.start, found.end)
            self.arrays = [parse_area((one or other).decode())[1] for one, other in arrays]
        self._frame: Element | None = None
        self.changed = False
        self._written: Area | None = None

    @property
    def frame(self) -> Element:
        """The sheet's XML without its rows. Set `changed` after modifying it."""
        if self._frame is None:
            try:
                self._frame = parse(self._head + _MARK + self._tail)
            except etree.XMLSyntaxError as error:
                raise FileUnreadable("file_damaged", name=self.shared.workbook) from error
        return self._frame

    def pieces(self) -> Pieces:
        """Return the part's current bytes."""
        head, tail = self._head, self._tail
        if self._frame is not None:
            text = etree.tostring(self._frame, encoding="unicode").encode()
            head, _, tail = text.partition(_MARK)
            head = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' + head
        return Pieces((_dimensioned(head, self._written), b"<sheetData>", *self.rows.pieces(), _DATA_END, tail))

    def read(self, row: int, column: int) -> CellData:
        """Return a cell's content."""
        found = self.rows.peek(row)
        raw = found.cells.get(column) if found else None
        return EMPTY if raw is None else self.data_of(raw, row, column)

    def scan(self, area: Area) -> Iterator[tuple[int, dict[int, CellData]]]:
        """Yield the existing rows of an area, each with its non-empty cells."""
        if area.width <= _FEW_COLUMNS:
            rows = self.rows.columns_between(
                area.first_row, area.last_row, range(area.first_column, area.last_column + 1)
            )
        else:
            rows = ((number, row.cells) for number, row in self.rows.between(area.first_row, area.last_row))
        for number, found in rows:
            yield (
                number,
                {
                    column: self.data_of(raw, number, column)
                    for column, raw in found.items()
                    if raw.body and area.first_column <= column <= area.last_column
                },
            )

    def used(self) -> Area | None:
        """Return the smallest area that contains every non-empty cell."""
        filled = [(number, ends) for number in self.rows.numbers if (ends := self.rows.ends(number)) is not None]
        if not filled:
            return None
        left, right = min(ends[0] for _, ends in filled), max(ends[1] for _, ends in filled)
        return Area(filled[0][0], left, filled[-1][0], right)

    def write(self, row: int, column: int, content: Cell, style: int | None = None, reading: Reading = "typed") -> None:
        """Write a constant or a formula to a cell. Errors: `InvalidInput` when the cell is part of an array formula."""
        self._refuse_array(row, column)
        raw = self._raw(row, column)
        before = self.data_of(raw, row, column)
        if style is not None:
            raw.style = style
        if b"ref=" in raw.body and b'"shared"' in raw.body:
            self.unshare()
            raw = self._raw(row, column)
        number = cells.dated(content) if reading != "exact" else None
        if number is not None and self.shared.styles.number_format(raw.style) != "@":
            self._write_date(raw, number)
        else:
            cells.write(raw, content, constant=reading != "typed")
        after = self.data_of(raw, row, column)
        if before.content != after.content:
            self.shared.journal.note(self.name, row, column, before.content, after.content)
        self.shared.formulas_changed |= (before.formula is None) != (after.formula is None)
        self.changed = True

    def write_array(self, row: int, column: int, formula: str, style: int) -> None:
        """Write an array formula to one cell."""
        self.write(row, column, formula, style)
        raw = self._raw(row, column)
        place = b'<f t="array" ref="%s">' % cell_name(row, column).encode()
        raw.body = raw.body.replace(b"<f>", place, 1)

    def restyle(self, area: Area, change: FormatChange) -> None:
        """Change the format of every cell of an area, as far as the sheet's rows reach."""
        for row in range(area.first_row, area.last_row + 1):
            opened = self.rows.row(row)
            for column in range(area.first_column, area.last_column + 1):
                raw = opened.cells.get(column) or self._raw(row, column)
                raw.style = self.shared.styles.changed_by(raw.style, change)
        self.shared.journal.touch(self.name, area)
        self.changed = True

    def style(self, row: int, column: int) -> int:
        """Return a cell's style; for a cell that does not exist, the style of its row or column."""
        found = self.rows.peek(row)
        raw = found.cells.get(column) if found else None
        return raw.style if raw is not None else self._inherited(found, column)

    def set_style(self, row: int, column: int, style: int) -> None:
        """Set a cell's style."""
        self._raw(row, column).style = style
        self.changed = True

    def merges(self) -> list[Area]:
        """Return the merged areas."""
        found = child(self.frame, "mergeCells")
        return [areas_of(merge.get("ref"))[0] for merge in found] if found is not None else []

    def unshare(self) -> None:
        """Replace every shared formula by a formula in each of its cells."""
        if not self._masters:
            return
        for number in self.rows.numbers:
            if b'"shared"' not in self.rows.raw(number):
                continue
            for column, raw in self.rows.row(number).cells.items():
                match = cells.FORMULA.search(raw.body) if b'"shared"' in raw.body else None
                formula = self.data_of(raw, number, column).formula if match else None
                if match and formula:
                    text = escaped(self._own(match, number, column))
                    raw.body = raw.body[: match.start()] + b"<f>" + text + b"</f>" + raw.body[match.end() :]
        self._masters = {}
        self.changed = True

    def rewrite_masters(self, change: Callable[[str], str]) -> None:
        """Apply `change` to the texts of shared formulas, to match rows that were rewritten the same way."""
        self._masters = {key: (change(text), row, column) for key, (text, row, column) in self._masters.items()}

    def columns(self) -> Element | None:
        """Return the element with the column widths, if there is one."""
        return child(self.frame, "cols")

    def _own(self, match: re.Match[bytes], row: int, column: int) -> str:
        if match[2]:
            return unescaped(match[2])
        shared = re.search(rb'\bsi="(\d+)"', match[1])
        text, from_row, from_column = self._masters[int(shared[1])] if shared else ("", row, column)
        return translated(text, row - from_row, column - from_column)

    def _write_date(self, raw: RawCell, number: float) -> None:
        styles = self.shared.styles
        if not styles.is_date(raw.style):
            code = "yyyy-mm-dd" if isinstance(number, int) else "yyyy-mm-dd hh:mm:ss"
            raw.style = styles.changed_by(raw.style, FormatChange(number_format=code))
        cells.write(raw, self.shared.day(number))

    def _refuse_array(self, row: int, column: int) -> None:
        for area in self.arrays:
            if area.holds(row, column) and not area.one_cell:
                raise InvalidInput("part_of_array", sheet=self.name, cell=cell_name(row, column), range=area.text)

    def _raw(self, row: int, column: int) -> RawCell:
        opened = self.rows.row(row)
        here = Area(row, column, row, column)
        self._written = self._written.joined(here) if self._written else here
        if column not in opened.cells:
            opened.cells[column] = RawCell(self._inherited(opened, column), b"", b"", b"")
        return opened.cells[column]

    def _inherited(self, row: RawRow | None, column: int) -> int:
        if row is not None and b"customFormat" in row.attributes and (match := _STYLE.search(row.attributes)):
            return int(match[1])
        if b"<cols" not in self._head:
            return 0
        found = self.columns()
        for entry in children(found, "col") if found is not None else []:
            if int(entry.get("min", "1")) <= column <= int(entry.get("max", str(MOST_COLUMNS))):
                return int(entry.get("style", "0") or 0)
        return 0

    def data_of(self, raw: RawCell, row: int, column: int) -> CellData:
        """Return the content of a cell's XML, given its position on this sheet."""
        data = cells.read(raw, row, column, self.shared.strings, self.shared.styles, self._masters)
        return replace(data, from_1904=True) if self.shared.counts_from_1904 else data


def _dimensioned(head: bytes, written: Area | None) -> bytes:
    """Extend the sheet's declared dimension to include what was written."""
    match = _DIMENSION.search(head)
    if match is None or written is None:
        return head
    area = parse_area(match[2].decode())[1].joined(written)
    return head[: match.start()] + match[1] + area.text.encode() + match[3] + head[match.end() :]
