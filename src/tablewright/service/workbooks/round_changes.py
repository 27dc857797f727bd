"""Lists of the cells that a batch changed: merged over its portions, and cut to what an event can carry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tablewright.domain.cells import CellChange, SheetChanges
from tablewright.workbook.areas import parse_area

CELLS_SHOWN = 200
"""The number of changed cells listed per sheet."""
CHARS_SHOWN = 30_000
"""The number of characters listed in a round, which travels in an event; its version keeps the full list."""
CHARS_OF_CELL = 40


def joined(changes: Sequence[tuple[SheetChanges, ...]]) -> tuple[SheetChanges, ...]:
    """Merge the changes of several portions: for each cell, its first content before and its last content after."""
    if len(changes) == 1:
        return changes[0]
    sheets: dict[str, list[SheetChanges]] = {}
    for portion in changes:
        for sheet in portion:
            sheets.setdefault(sheet.sheet, []).append(sheet)
    return tuple(_joined_sheet(name, found) for name, found in sheets.items())


def _joined_sheet(name: str, found: Sequence[SheetChanges]) -> SheetChanges:
    cells: dict[str, CellChange] = {}
    for sheet in found:
        for cell in sheet.cells:
            earlier = cells.get(cell.ref)
            cells[cell.ref] = cell if earlier is None else replace(cell, before=earlier.before)
    changed = [cell for cell in cells.values() if cell.before != cell.after]
    areas = [parse_area(sheet.range)[1] for sheet in found if sheet.range]
    whole = areas[0] if areas else None
    for area in areas[1:]:
        whole = area if whole is None else whole.joined(area)
    cut = any(sheet.truncated for sheet in found)
    # Of two portions the cells that are not listed may be the same.
    told = (found[0].changed if len(found) == 1 else None) if cut else len(changed)
    return SheetChanges(
        sheet=name,
        range=whole.text if whole else "",
        cells=tuple(changed[:CELLS_SHOWN]),
        truncated=cut or len(changed) > CELLS_SHOWN,
        changed=told,
    )


def changed_of(sheet: SheetChanges) -> int | None:
    """Return how many cells of a sheet changed; None where that was not counted."""
    return len(sheet.cells) if sheet.changed is None and not sheet.truncated else sheet.changed


def shortened(changes: Sequence[SheetChanges], chars: int = CHARS_SHOWN) -> tuple[SheetChanges, ...]:
    """Keep only the first cells of `changes`, up to about `chars` characters in total."""
    left = chars
    kept: list[SheetChanges] = []
    for sheet in changes:
        cells: list[CellChange] = []
        for cell in sheet.cells:
            left -= CHARS_OF_CELL + len(str(cell.before)) + len(str(cell.after))
            if left < 0:
                break
            cells.append(cell)
        cut = len(cells) < len(sheet.cells)
        kept.append(replace(sheet, cells=tuple(cells), truncated=True, changed=changed_of(sheet)) if cut else sheet)
    return tuple(kept)
