"""Values that formulas store are computed anew or kept, and what cannot be computed is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.stored_formulas import COMPUTABLE, UNCOMPUTABLE, write_stored
from tests.support.workbooks import InlineWorker, read_parts

from tablewright.domain.operations import AnyOperation
from tablewright.domain.operations.cells import SetValues
from tablewright.domain.operations.structure import DeleteRows, DeleteSheet, InsertRows
from tablewright.workbook.base import Applied, ApplyPolicy
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.by_cell import compute
from tablewright.workbook.package.editor import PackageEditor

INSERT = InsertRows(sheet="Data", row=4)


@pytest.fixture
def editor() -> PackageEditor:
    return PackageEditor(InlineWorker())


async def edited(editor: PackageEditor, source: Path, *steps: AnyOperation) -> tuple[Applied, Path]:
    target = source.with_name("target.xlsx")
    return await editor.apply(source, target, steps, policy=ApplyPolicy(roll_back_on_errors=False)), target


def cell(path: Path, name: str) -> bytes:
    """Return what a cell of the first sheet holds, as XML."""
    part = read_parts(path)["xl/worksheets/sheet1.xml"]
    return part.partition(b'<c r="' + name.encode() + b'"')[2].partition(b"</c>")[0]


@pytest.mark.parametrize("prefixed", [False, True])
@pytest.mark.parametrize("kind", UNCOMPUTABLE)
async def test_a_value_that_cannot_be_computed_stays_and_is_told(
    editor: PackageEditor, tmp_path: Path, kind: str, *, prefixed: bool
) -> None:
    source = write_stored(tmp_path / "source.xlsx", {"C5": ">" + UNCOMPUTABLE[kind]}, prefixed=prefixed)
    value = UNCOMPUTABLE[kind].rpartition("<v>")[2].partition("<")[0]
    applied, target = await edited(editor, source, INSERT)
    assert f"<v>{value}</v>".encode() in cell(target, "C6")
    assert b"<f" in cell(target, "C6")
    assert ("cells_not_recalculated", 1) in [(notice.code, notice.params.get("count")) for notice in applied.warnings]
    assert applied.new_errors == ()


@pytest.mark.parametrize("prefixed", [False, True])
@pytest.mark.parametrize("kind", COMPUTABLE)
async def test_a_value_that_can_be_computed_is_there_after_an_edit(
    editor: PackageEditor, tmp_path: Path, kind: str, *, prefixed: bool
) -> None:
    source = write_stored(tmp_path / "source.xlsx", {"C5": COMPUTABLE[kind]}, prefixed=prefixed)
    applied, target = await edited(editor, source, INSERT)
    assert COMPUTABLE[kind][COMPUTABLE[kind].index("<v>") :].encode() in cell(target, "C6")
    assert applied.warnings == ()


@pytest.mark.parametrize("kind", [*UNCOMPUTABLE, "circular"])
async def test_other_formulas_are_computed_beside_one_that_cannot_be(
    editor: PackageEditor, tmp_path: Path, kind: str
) -> None:
    kept = UNCOMPUTABLE.get(kind, "<f>C5+1</f><v>23</v>")
    value = int(kept.rpartition("<v>")[2].partition("<")[0])
    others = {"D5": "><f>C5+A1</f><v>0</v>", "E5": "><f>A1*10</f><v>0</v>"}
    source = write_stored(tmp_path / "source.xlsx", {"C5": ">" + kept} | others)
    _, target = await edited(editor, source, SetValues(sheet="Data", range="A1", values=((100,),)))
    assert [b"<v>%d</v>" % (value + 100) in cell(target, "D5"), b"<v>1000</v>" in cell(target, "E5")] == [True, True]
    assert b"<v>%d</v>" % value in cell(target, "C5")


async def test_many_formulas_of_all_kinds_lose_no_value(editor: PackageEditor, tmp_path: Path) -> None:
    kinds = {f"D{row}": ">" + text for row, text in enumerate(UNCOMPUTABLE.values(), 10) if "ref=" not in text}
    source = write_stored(tmp_path / "source.xlsx", kinds | {"E10": "><f>D10+1</f><v>12</v>"})
    for step, down in ((INSERT, 1), (DeleteRows(sheet="Data", row=4), -1)):
        applied, target = await edited(editor, source, step)
        for name, text in kinds.items():
            moved = f"D{int(name[1:]) + down}"
            assert text[text.rindex("<v>") :].encode() in cell(target, moved), name
        counts = [notice.params["count"] for notice in applied.warnings if notice.code == "cells_not_recalculated"]
        assert counts == [len(kinds)]


async def test_a_new_formula_with_an_unknown_function_is_an_error(editor: PackageEditor, tmp_path: Path) -> None:
    source = write_stored(tmp_path / "source.xlsx", {"C5": ">" + UNCOMPUTABLE["cube"]})
    applied, _ = await edited(editor, source, SetValues(sheet="Data", range="C7", values=(("=NOSUCH(A1)",),)))
    assert [(error.ref, error.error) for error in applied.new_errors] == [("C7", "#NAME?")]


async def test_a_formula_whose_sheet_is_deleted_shows_an_error_in_place_of_its_last_value(
    editor: PackageEditor, tmp_path: Path
) -> None:
    source = write_stored(tmp_path / "source.xlsx", {"C5": "><f>Other!A1</f><v>1</v>"})
    applied, _ = await edited(editor, source, DeleteSheet(sheet="Other"))
    assert [(error.ref, error.error) for error in applied.new_errors] == [("C5", "#REF!")]


def test_formulas_computed_one_by_one_store_empty_texts_and_zeros_too(tmp_path: Path) -> None:
    kinds = {f"C{row}": text for row, text in enumerate(COMPUTABLE.values(), 5) if "ref=" not in text}
    source = write_stored(tmp_path / "source.xlsx", kinds | {"C20": ">" + UNCOMPUTABLE["cube"]})
    book = Book(source, "source.xlsx")
    assert compute(book, source) == 1
    book.save(tmp_path / "target.xlsx")
    for name, text in (kinds | {"C20": UNCOMPUTABLE["cube"]}).items():
        assert text[text.index("<v>") :].encode() in cell(tmp_path / "target.xlsx", name), name
