"""A report as a workbook: its text on the first sheet, each table and each chart with its figures on its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, assert_never

import xlsxwriter

from tablewright.report.blocks import (
    Block,
    ChartBlock,
    CodeBlock,
    Figure,
    Heading,
    ImageRef,
    IsolatedHtml,
    ItemList,
    Paragraph,
    Quote,
    ReportMeta,
    ReportView,
    Rule,
    SavedCode,
    TableBlock,
    is_titled,
    origins_in,
    plain,
    writable,
)
from tablewright.report.chart_data import chart_data, chart_table, title_of
from tablewright.report.origins import step_title
from tablewright.report.xlsx_charts import native_chart
from tablewright.texts.catalogue import text

MOST_TEXT = 32_767
MOST_SHEETS = 100
"""The most tables and charts that have a sheet."""

_NUMBER = re.compile(r"[+-]?(?:0|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,14})(?:\.\d{1,14})?")
_PLAIN = {
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "nan_inf_to_errors": True,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A line of the first sheet; its numbers come from `origins`, to which it has links beside it."""

    words: str
    look: str = ""
    origins: tuple[int, ...] = ()


def write_xlsx(view: ReportView, meta: ReportMeta, path: Path) -> None:
    """Write the report. Texts stay texts, whatever they begin with; charts of the usual kinds are native."""
    with xlsxwriter.Workbook(str(path), _PLAIN) as book:
        book.set_properties({"title": writable(meta.title)[:250]})
        _Writer(book, meta).report(view)


class _Writer:
    """Writes sheets: the text first, then tables and charts in their order."""

    def __init__(self, book: Any, meta: ReportMeta) -> None:
        self._book, self._meta = book, meta
        self._tables = self._charts = 0
        self._bold = book.add_format({"bold": True, "font_size": 13})
        self._head = book.add_format({"bold": True, "bg_color": "#EEF2F7"})
        self._wrapped = book.add_format({"text_wrap": True, "valign": "top"})
        self._code = book.add_format({"text_wrap": True, "font_name": "Consolas", "font_size": 9, "valign": "top"})

    def report(self, view: ReportView) -> None:
        """Write all sheets."""
        sheet = self._book.add_worksheet(text("document.report", self._meta.language))
        sheet.set_column(0, 0, 110)
        lines = [] if is_titled(view) else [_Line(words=self._meta.title, look="heading")]
        lines += self._lines(view.blocks, "")
        if view.cut:
            lines.append(_Line(words=text("document.cut", self._meta.language)))
        looks = {"heading": self._bold, "code": self._code}
        for row, line in enumerate(lines):
            sheet.write_string(row, 0, writable(line.words)[:MOST_TEXT], looks.get(line.look, self._wrapped))
            self._link(sheet, row, line.origins)
        self._origins()

    def _link(self, sheet: Any, row: int, origins: Sequence[int]) -> None:
        name = text("document.origins_sheet", self._meta.language)
        places = {origin.number: at for at, origin in enumerate(self._meta.origins)}
        for column, number in enumerate((number for number in origins if number in places), 1):
            words = text("document.step", self._meta.language, number=number)
            sheet.write_url(row, column, f"internal:'{name}'!A{2 * places[number] + 1}", string=words)

    def _origins(self) -> None:
        """Write the steps that numbers come from: a row with the name, and one with the code."""
        if not self._meta.origins:
            return
        sheet = self._book.add_worksheet(text("document.origins_sheet", self._meta.language))
        sheet.set_column(0, 0, 110)
        for at, origin in enumerate(self._meta.origins):
            title = step_title(origin, self._meta.language)
            sheet.write_string(2 * at, 0, writable(title)[:MOST_TEXT], self._bold)
            sheet.write_string(2 * at + 1, 0, writable(origin.code)[:MOST_TEXT], self._code)

    def _lines(self, blocks: Sequence[Block], indent: str) -> Iterator[_Line]:
        for block in blocks:
            yield from self._block(block, indent)

    def _block(self, block: Block, indent: str) -> Iterator[_Line]:
        match block:
            case Heading():
                yield _Line(words=plain(block.content), look="heading", origins=origins_in([block.content]))
            case Paragraph():
                yield _Line(words=indent + plain(block.content), origins=origins_in([block.content]))
            case ItemList():
                yield from self._items(block, indent)
            case Quote():
                yield from self._lines(block.blocks, indent + "    ")
            case Rule():
                yield _Line(words="")
            case _:
                yield from self._figure(block)

    def _figure(self, block: Figure) -> Iterator[_Line]:
        language = self._meta.language
        match block:
            case CodeBlock():
                yield _Line(words=block.text, look="code")
            case SavedCode():
                yield _Line(
                    words=text("document.saved_code", language, id=block.code_id, description=block.description)
                )
                if block.code_id in self._meta.codes:
                    yield _Line(words=self._meta.codes[block.code_id], look="code")
            case TableBlock():
                cells = (cell for row in block.rows for cell in row)
                yield _Line(words=f"→ {self._table(block)}", origins=origins_in(cells))
            case ChartBlock():
                yield _Line(words=f"→ {self._chart(block)}")
            case IsolatedHtml():
                yield _Line(words=text("document.isolated", language))
            case ImageRef():
                yield _Line(words=text("document.image", language, name=block.alt or block.artifact_id))
            case _:
                assert_never(block)

    def _items(self, block: ItemList, indent: str) -> Iterator[_Line]:
        for number, item in enumerate(block.items, block.start):
            sign = f"{number}. " if block.ordered else "• "
            first, *rest = item
            if isinstance(first, Paragraph):
                words = indent + sign + plain(first.content)
                yield _Line(words=words, origins=origins_in([first.content]))
            else:
                rest = [first, *rest]
            yield from self._lines(rest, indent + "    ")

    def _table(self, block: TableBlock) -> str:
        self._tables += 1
        name = text("document.table", self._meta.language, number=self._tables)
        if self._tables + self._charts > MOST_SHEETS:
            return name
        sheet = self._book.add_worksheet(name)
        head = any(block.header)
        for column, content in enumerate(block.header if head else ()):
            sheet.write_string(0, column, writable(plain(content))[:MOST_TEXT], self._head)
        for row, cells in enumerate(block.rows, int(head)):
            for column, content in enumerate(cells):
                self._cell(sheet, row, column, plain(content))
        if block.total_rows > len(block.rows):
            name += " · " + text(
                "document.rows_cut", self._meta.language, shown=len(block.rows), total=block.total_rows
            )
        return name

    def _cell(self, sheet: Any, row: int, column: int, words: str) -> None:
        if _NUMBER.fullmatch(words):
            sheet.write_number(row, column, float(words.replace(",", "")))
        elif words:
            sheet.write_string(row, column, writable(words)[:MOST_TEXT])

    def _chart(self, block: ChartBlock) -> str:
        self._charts += 1
        name = text("document.chart", self._meta.language, number=self._charts)
        shown = f"{name}: {title_of(block.option)}" if title_of(block.option) else name
        if self._tables + self._charts > MOST_SHEETS:
            return shown
        sheet = self._book.add_worksheet(name)
        data = chart_data(block.option)
        if data is None or not data.categories:
            figures = chart_table(block.option)
            rows: list[Sequence[str | float | None]] = [figures.header, *figures.rows]
        else:
            columns = [series.values for series in data.series]
            rows = [("", *(series.name for series in data.series)), *zip(data.categories, *columns, strict=False)]
        for at, row in enumerate(rows):
            for column, cell in enumerate(row):
                if isinstance(cell, str):
                    sheet.write_string(at, column, writable(cell)[:MOST_TEXT], self._head if at == 0 else None)
                elif cell is not None:
                    sheet.write_number(at, column, cell)
        if data is not None:
            width = max(map(len, rows))
            sheet.insert_chart(1, width + 1, native_chart(self._book, name, data))
        return shown
