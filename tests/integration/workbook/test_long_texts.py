"""Workbooks that hold very much text: what is read of them for a model or a page is bounded."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from tests.support.workbooks import InlineWorker, read_parts, write_xlsx

from tablewright.domain.operations.cells import SetValues
from tablewright.workbook.areas import letters
from tablewright.workbook.package.editor import PackageEditor

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
LONG = 20 * 1024**2


def heavy(path: Path, rows: str, strings: str) -> Path:
    """Write a workbook of one sheet with these rows and shared strings, as XML."""
    parts = read_parts(write_xlsx(path, {"Sheet1": [["text"]]}))
    parts["xl/worksheets/sheet1.xml"] = f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'.encode()
    parts["xl/sharedStrings.xml"] = f'<sst xmlns="{MAIN}">{strings}</sst>'.encode()
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=1) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return path


def row(number: int, *items: int) -> str:
    cells = (f'<c r="{letters(at)}{number}" t="s"><v>{item}</v></c>' for at, item in enumerate(items, 1))
    return f'<row r="{number}">{"".join(cells)}</row>'


@pytest.fixture
def editor() -> PackageEditor:
    return PackageEditor(InlineWorker())


@pytest.mark.timeout(60)
async def test_a_text_of_millions_of_letters_is_cut_where_it_is_shown_and_kept_in_the_file(
    editor: PackageEditor, tmp_path: Path
) -> None:
    rows = "".join(row(number, 0, 1) for number in range(1, 400))
    strings = f"<si><t>{'&#x4e2d;' * (LONG // 8)}</t></si><si><t>{'ab ' * (LONG // 3)}</t></si>"
    source = heavy(tmp_path / "long.xlsx", rows, strings)
    (sheet,) = (await editor.outline(source)).sheets
    assert sheet.regions[0].columns[0].header == "中" * 1_000
    page = await editor.cells(source, None, "A1:B2")
    assert [len(str(cell.value)) for cell in page.cells] == [32_767] * 4
    applied = await editor.apply(source, tmp_path / "target.xlsx", [SetValues(range="D1", values=((1,),))])
    assert applied.written
    assert read_parts(tmp_path / "target.xlsx")["xl/sharedStrings.xml"] == read_parts(source)["xl/sharedStrings.xml"]


@pytest.mark.timeout(60)
async def test_an_outline_of_very_many_notes_apart_from_each_other_ends(editor: PackageEditor, tmp_path: Path) -> None:
    rows = "".join(row(2 * number + 1, 0) for number in range(60_000))
    (sheet,) = (await editor.outline(heavy(tmp_path / "notes.xlsx", rows, "<si><t>note</t></si>"))).sheets
    assert sheet.used == "A1:A119999"
    assert len(sheet.texts) == 20


@pytest.mark.timeout(60)
async def test_of_a_table_as_wide_as_a_sheet_fewer_rows_are_looked_at(editor: PackageEditor, tmp_path: Path) -> None:
    rows = row(1, *[0] * 16_384) + "".join(row(number, *[1] * 16_384) for number in range(2, 90))
    strings = "<si><t>head</t></si><si><t>value</t></si>"
    (sheet,) = (await editor.outline(heavy(tmp_path / "wide.xlsx", rows, strings), tokens=30_000)).sheets
    (region,) = sheet.regions
    assert (region.data_rows, region.columns_left_out) == ((2, 89), 16_384 - 200)
    assert {(column.kind, column.filled, column.samples) for column in region.columns} == {("text", 88, ("value",))}
