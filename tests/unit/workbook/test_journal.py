"""How many cells a record of changes tells, listed or not."""

from __future__ import annotations

from tablewright.domain.cells import SheetChanges
from tablewright.workbook.package.journal import Journal, merged


def recorded(rows: int, *, most: int = 3) -> tuple[SheetChanges, ...]:
    journal = Journal(most)
    for row in range(1, rows + 1):
        journal.note("S", row, 1, None, row)
    return journal.changes


def test_cells_are_counted_that_are_not_listed() -> None:
    (sheet,) = recorded(1332)
    assert (len(sheet.cells), sheet.truncated, sheet.changed) == (3, True, 1332)
    journal = Journal(3)
    journal.note("S", 1, 1, "a", "b")
    journal.note("S", 1, 1, "b", "a")
    journal.count(7, "S")
    assert [sheet.changed for sheet in journal.changes] == [7]
    journal.count(None, "S")
    assert [(sheet.changed, sheet.truncated) for sheet in journal.changes] == [(None, True)]


def test_the_count_of_the_one_step_that_changes_a_sheet_stays_and_of_two_it_is_not_known() -> None:
    many, few, format_only = recorded(1332), recorded(2), (SheetChanges(sheet="S", range="A1:A9", cells=(), changed=0),)
    assert [sheet.changed for sheet in merged([many, format_only], 3)] == [1332]
    assert [sheet.changed for sheet in merged([few, few], 3)] == [2]
    assert [sheet.changed for sheet in merged([many, few], 3)] == [None]
