"""Formulas that were stored without their values are found; formulas with values, empty texts among them, are not."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tablewright.data.files.uncomputed import has_uncomputed

FORMULA = "<f>A1*2</f>"


def workbook(path: Path, cells: str, before: int = 0) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        filler = "".join(f'<c r="A{row}"><v>{row}</v></c>' for row in range(before))
        archive.writestr("xl/worksheets/sheet1.xml", f"<worksheet><sheetData>{filler}{cells}</sheetData></worksheet>")
    return path


@pytest.mark.parametrize(
    "cell",
    [
        f'<c r="B1">{FORMULA}</c>',
        f'<c r="B1" s="3">{FORMULA}<v/></c>',
        f'<c r="B1">{FORMULA}<v></v></c>',
        '<c r="B1"><f t="shared" si="0"/><v /></c>',
    ],
)
@pytest.mark.parametrize("before", [0, 60_000])
def test_a_formula_without_a_value_is_found(tmp_path: Path, cell: str, before: int) -> None:
    assert has_uncomputed(workbook(tmp_path / "a.xlsx", cell, before))


@pytest.mark.parametrize(
    "cell",
    [
        f'<c r="B1">{FORMULA}<v>2</v></c>',
        f'<c r="B1" t="str">{FORMULA}<v></v></c>',
        f'<c r="B1" t="e">{FORMULA}<v>#N/A</v></c>',
        '<c r="B1"/><c r="C1"><v>1</v></c>',
    ],
)
def test_a_formula_with_its_value_is_not_one(tmp_path: Path, cell: str) -> None:
    assert not has_uncomputed(workbook(tmp_path / "a.xlsx", cell))


@pytest.mark.parametrize("shift", range(0, 60, 7))
def test_one_that_two_blocks_share_is_found(tmp_path: Path, shift: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablewright.data.files.uncomputed._BLOCK_BYTES", 64 + shift)
    assert has_uncomputed(workbook(tmp_path / "a.xlsx", f'<c r="B1" s="11">{FORMULA}<v></v></c>', before=9))
