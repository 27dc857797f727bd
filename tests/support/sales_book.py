"""A workbook as people have them: data with a chart, a conditional format and a formula, and a pivot on a second
sheet."""

from __future__ import annotations

import warnings
from io import BytesIO
from pathlib import Path

import openpyxl
import xlsxwriter
from openpyxl import Workbook
from tests.support.pivots import add_pivot

HEADERS = ("Region", "Amount", "Product", "Cost")
REGIONS = ("East", "West", "North")
PRODUCTS = ("Tea", "Coffee", "Cake", "Juice", "Bread")


def sales_rows(count: int) -> list[tuple[str, int, str, int]]:
    """Return rows whose amounts are all different and in no order."""
    return [
        (REGIONS[row % 3], (row * 37) % 101 + row, PRODUCTS[row % 5], (row * 13) % 29 + 1)
        for row in range(1, count + 1)
    ]


def write_sales(path: Path, count: int = 10, *, headers: tuple[str, ...] = HEADERS, sheet: str = "Data") -> Path:
    """Write the workbook with so many rows."""
    with xlsxwriter.Workbook(str(path)) as book:
        data, pivot = book.add_worksheet(sheet), book.add_worksheet("Pivot")
        data.write_row(0, 0, headers, book.add_format({"bold": True}))
        for row, values in enumerate(sales_rows(count), 1):
            data.write_row(row, 0, values)
        data.conditional_format(1, 1, count, 1, {"type": "data_bar", "data_bar_2010": True})
        chart = book.add_chart({"type": "line"})
        chart.add_series({"values": [sheet, 1, 3, count, 3]})
        data.insert_chart("G2", chart)
        pivot.write("D1", f"=SUM({sheet}!B2:B{count + 1})")
    return add_pivot(path, data=sheet, on="sheet2")


def loaded(path: Path) -> Workbook:
    """Open a workbook with openpyxl, which warns of every extension that it would lose."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return openpyxl.load_workbook(BytesIO(path.read_bytes()))
