"""Conversion of other files to xlsx: values and merges from legacy and OpenDocument formats, rows from text."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import xlsxwriter
from python_calamine import CalamineError, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from tablewright.domain.notice import Notice
from tablewright.errors import FileEncrypted, FileTooLarge, FileUnreadable
from tablewright.workbook.package.delimited import DAY_FORMAT, DelimitedText, typed
from tablewright.workbook.package.fitted_columns import fitted_columns

_MOST_CELLS = 20_000_000
_SHEET_NAME = re.compile(r"[\[\]:*?/\\]")


def convert(path: Path, target: Path, kind: str, name: str) -> tuple[Notice, ...]:
    """Write to `target` what can be converted and report what cannot. Errors: `FileUnreadable` or a subclass."""
    if kind == "text":
        _from_text(path, target, name)
        return text_losses(name)
    _from_sheets(path, target, name)
    return (Notice(code="converted_sheets", params={"name": name, "format": kind}),)


def text_losses(name: str) -> tuple[Notice, ...]:
    """Return what a text file loses when it is converted."""
    return (Notice(code="converted_text", params={"name": name}),)


def _from_text(path: Path, target: Path, name: str) -> None:
    with _new(target) as made:
        sheet = made.add_worksheet(text_sheet_name(name))
        day = made.add_format({"num_format": DAY_FORMAT})
        text = DelimitedText(path, name)
        for span in fitted_columns(text):
            sheet.set_column_pixels(span.first - 1, span.last - 1, round(span.size_px or 0))
        for row, fields in text.rows():
            for column, field in enumerate(fields):
                _write_text(sheet, row - 1, column, field, day)


def text_sheet_name(name: str) -> str:
    """Return the name of the sheet that a text file becomes."""
    return _sheet_name(Path(name).stem, set())


def _from_sheets(path: Path, target: Path, name: str) -> None:
    try:
        source = CalamineWorkbook.from_path(str(path))
        tabs = [tab for tab in source.sheets_metadata if tab.typ == SheetTypeEnum.WorkSheet]
        with _new(target) as made:
            formats = {kind: made.add_format({"num_format": code}) for kind, code in _CODES.items()}
            taken: set[str] = set()
            cells = 0
            for tab in tabs:
                sheet = made.add_worksheet(_sheet_name(tab.name, taken))
                source_sheet = source.get_sheet_by_name(tab.name)
                cells += source_sheet.total_height * source_sheet.total_width
                if cells > _MOST_CELLS:
                    raise FileTooLarge("sheet_too_long", name=name)
                for row, values in enumerate(source_sheet.to_python(skip_empty_area=False)):
                    for column, value in enumerate(values):
                        _write(sheet, row, column, value, formats)
                if tab.visible != SheetVisibleEnum.Visible and len(tabs) > 1:
                    sheet.hide()
            if not tabs:
                made.add_worksheet()
    except CalamineError as error:
        if "password" in str(error).lower():
            raise FileEncrypted(name=name) from error
        raise FileUnreadable("file_damaged", name=name) from error


_CODES: dict[type, str] = {
    datetime: "yyyy-mm-dd hh:mm:ss", date: "yyyy-mm-dd", time: "hh:mm:ss", timedelta: "[h]:mm:ss",
}  # fmt: skip


def _write(sheet: Any, row: int, column: int, value: Any, formats: dict[type, Any]) -> None:
    if value == "" or value is None:
        return
    if isinstance(value, bool):
        sheet.write_boolean(row, column, value)
    elif isinstance(value, int | float):
        sheet.write_number(row, column, value)
    elif isinstance(value, str):
        sheet.write_string(row, column, value[:32_767])
    else:
        sheet.write_datetime(row, column, value, formats[type(value)])


def _write_text(sheet: Any, row: int, column: int, text: str, day: Any) -> None:
    value = typed(text)
    if isinstance(value, str):
        if value:
            sheet.write_string(row, column, value)
    elif isinstance(value, date):
        sheet.write_datetime(row, column, value, day)
    else:
        sheet.write_number(row, column, value)


def _sheet_name(wanted: str, taken: set[str]) -> str:
    base = _SHEET_NAME.sub("_", wanted).strip("'")[:28] or "Sheet"
    name, number = base, 1
    while name.casefold() in taken:
        number += 1
        name = f"{base} {number}"
    taken.add(name.casefold())
    return name


def _new(target: Path) -> Any:
    return xlsxwriter.Workbook(str(target), {"strings_to_formulas": False, "strings_to_urls": False})
