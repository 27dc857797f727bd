"""The changed cells of a round: joined over its portions, and short enough for an event."""

from __future__ import annotations

from dataclasses import replace

from tablewright.domain.cells import CellChange, SheetChanges
from tablewright.domain.codec import to_json
from tablewright.domain.table import Cell
from tablewright.service.workbooks.round_changes import CELLS_SHOWN, joined, shortened


def changes(sheet: str, area: str, **cells: tuple[Cell, Cell]) -> SheetChanges:
    listed = tuple(CellChange(ref=ref, before=before, after=after) for ref, (before, after) in cells.items())
    return SheetChanges(sheet=sheet, range=area, cells=listed, changed=len(listed))


def test_a_cell_is_told_as_it_was_first_and_is_last() -> None:
    first = (changes("S", "A1:B1", A1=(1, 2), B1=(None, "x")), changes("T", "C3", C3=(1, 5)))
    second = (changes("S", "A1:A2", A1=(2, 3), A2=("a", "b")), changes("S", "B1", B1=("x", None)))
    sheet, other = joined((first, second))
    assert [(cell.ref, cell.before, cell.after) for cell in sheet.cells] == [("A1", 1, 3), ("A2", "a", "b")]
    assert (sheet.sheet, sheet.range, sheet.truncated) == ("S", "A1:B2", False)
    assert other == first[1]


def test_what_joins_to_more_than_is_shown_is_cut() -> None:
    halves = [
        (changes("S", "A1", **{f"A{row}": (None, row) for row in range(start, start + CELLS_SHOWN)}),)
        for start in (1, CELLS_SHOWN + 1)
    ]
    (sheet,) = joined(halves)
    assert (len(sheet.cells), sheet.truncated, sheet.changed) == (CELLS_SHOWN, True, 2 * CELLS_SHOWN)
    (sheet,) = joined([(replace(sheet, changed=900),), ()])
    assert sheet.changed == 900
    (sheet,) = joined([(sheet,), halves[0]])
    assert sheet.changed is None


def test_long_texts_and_many_sheets_fit_into_an_event() -> None:
    long = changes("Long", "A1:A99", **{f"A{row}": ("x" * 1_000, "门" * 1_000) for row in range(1, 100)})
    small = changes("Small", "A1", A1=(1, 2))
    shown = shortened((small, long, *(changes(f"S{n}", "A1", A1=(n, 0)) for n in range(5))))
    assert len(to_json(tuple[SheetChanges, ...], shown)) < 64 * 1024
    assert shown[0] == small
    assert 0 < len(shown[1].cells) < 99
    assert shown[1].truncated
    assert shortened((small,)) == (small,)
