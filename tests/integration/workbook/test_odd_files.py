"""Files made to hurt are refused by name, before they cost time or room."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
import xlsxwriter

from tablewright.errors import FileUnreadable
from tablewright.workbook.package.opener import opened

MANY = 300
LONG = 1024**2
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def test_a_long_text_shared_by_many_cells_is_not_written_out(tmp_path: Path) -> None:
    plain, bomb = tmp_path / "plain.xlsx", tmp_path / "bomb.xlsx"
    with xlsxwriter.Workbook(plain) as book:
        book.add_worksheet().write("A1", "text")
    rows = "".join(f'<row r="{row}"><c r="A{row}" t="s"><v>0</v></c></row>' for row in range(MANY))
    parts = {
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>',
        "xl/sharedStrings.xml": f'<sst xmlns="{MAIN}"><si><t>{"x" * LONG}</t></si></sst>',
    }
    # A row 0 does not exist: only the second way in reads it.
    with ZipFile(plain) as source, ZipFile(bomb, "w", ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(name, parts.get(name) or source.read(name))
    with pytest.raises(FileUnreadable) as refused, opened(bomb, "bomb.xlsx"):
        pass
    assert refused.value.detail == "file_bomb"
