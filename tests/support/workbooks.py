"""Workbooks made for tests, and the package editor without child processes."""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import xlsxwriter

from tablewright.domain.table import Cell


class InlineWorker:
    """`ChildWorker` that runs operations where it is."""

    async def call(self, operation: str, path: Path, arguments: Mapping[str, Any]) -> bytes:
        module, _, function = operation.partition(":")
        return bytes(getattr(import_module(module), function)(path, **arguments))


def write_xlsx(path: Path, sheets: Mapping[str, Sequence[Sequence[Cell]]]) -> Path:
    """Write rows of cells; a text that starts with `=` is a formula."""
    with xlsxwriter.Workbook(str(path)) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for row, cells in enumerate(rows):
                for column, value in enumerate(cells):
                    if value is not None:
                        sheet.write(row, column, value)
    return path


def write_prefixed(path: Path, sheets: Mapping[str, Sequence[Sequence[Cell]]]) -> Path:
    """Write the same with every element of the sheets under a prefix, as some programs do."""
    write_xlsx(path, sheets)
    parts = read_parts(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            if name.startswith("xl/worksheets/sheet"):
                part = re.sub(rb"<(/?)(?=[a-zA-Z])", rb"<\1x:", part).replace(b"xmlns=", b"xmlns:x=")
            archive.writestr(name, part)
    return path


def read_parts(path: Path) -> dict[str, bytes]:
    """Return every part of a package."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write_rich(path: Path) -> Path:
    """Write a workbook with one of nearly everything that refers to cells."""
    with xlsxwriter.Workbook(str(path)) as book:
        data, report = book.add_worksheet("Data"), book.add_worksheet("My Report")
        bold, day = book.add_format({"bold": True}), book.add_format({"num_format": "yyyy-mm-dd"})
        data.write_row(0, 0, ["Region", "Product", "Date", "Qty", "Price", "Total"], bold)
        for row in range(1, 11):
            data.write_row(row, 0, [["East", "West", "North"][row % 3], f"P{row % 4}"])
            data.write_number(row, 2, 45_290 + row, day)
            data.write_row(row, 3, [row * 2, row * 1.5])
            data.write_formula(row, 5, f"=D{row + 1}*E{row + 1}")
        data.write_formula("F13", "=SUM(F2:F11)")
        data.conditional_format("D2:D11", {"type": "data_bar", "data_bar_2010": True})
        data.conditional_format("A2:A11", {"type": "formula", "criteria": "=$D2>10", "format": bold})
        data.data_validation("B2:B11", {"validate": "list", "source": "='My Report'!$A$5:$A$8"})
        data.write_comment("B6", "a note")
        data.merge_range("H6:J7", "merged", bold)
        data.print_area("A1:F13")
        data.autofilter("A1:F11")
        data.freeze_panes(1, 0)
        data.add_sparkline("G6", {"range": "Data!D6:F6"})
        (path.parent / "dot.png").write_bytes(_png())
        data.insert_image("H9", str(path.parent / "dot.png"))
        data.insert_textbox("H12", "a box")
        data.write_url("A14", "https://example.org")
        data.write_url("A15", "internal:Data!A6")
        book.define_name("Totals", "=Data!$F$2:$F$11")
        rows = [["a", 1], ["b", 2], ["c", 3], ["d", 4]]
        columns = [{"header": "K"}, {"header": "V"}, {"header": "W", "formula": "=Tbl[[#This Row],[V]]*2"}]
        report.add_table("A4:C8", {"name": "Tbl", "columns": columns, "data": rows})
        report.write_formula("E1", "=SUM(Data!F2:F11)")
        report.write_formula("E2", "=SUM(Tbl[V])")
        for sheet, anchor in ((data, "L2"), (report, "E6")):
            chart = book.add_chart({"type": "column"})
            chart.add_series({"name": "=Data!$F$1", "categories": "=Data!$A$2:$A$11", "values": "=Data!$F$2:$F$11"})
            sheet.insert_chart(anchor, chart)
    return path


def _png() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0\xff\0\0")) + chunk(b"IEND", b"")
    )
