"""From rows of cells that may span several places to a table of one width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tablewright.report.blocks import Inline, TableBlock

MOST_ROWS = 5_000
MOST_COLUMNS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row as written: each cell with its attributes."""

    header: bool
    cells: tuple[tuple[Inline, dict[str, str]], ...]


def grid(rows: Sequence[Row]) -> TableBlock:
    """Return the table of `rows`, at most `MOST_ROWS` × `MOST_COLUMNS`; only its first row can be the header."""
    kept = rows[: MOST_ROWS + 1]
    below: dict[int, int] = {}
    placed = [_placed(row, below) for row in kept]
    width = max(map(len, placed), default=0)
    full = [tuple(cells) + ((),) * (width - len(cells)) for cells in placed]
    has_header = bool(kept) and kept[0].header
    body = tuple(full[1:] if has_header else full)[:MOST_ROWS]
    header = full[0] if has_header else ((),) * width
    return TableBlock(header=header, rows=body, total_rows=len(rows) - has_header)


def _placed(row: Row, below: dict[int, int]) -> list[Inline]:
    """Return the cells of a row at their columns; `below` counts the rows that cells above still cover."""
    made: list[Inline] = []
    for content, attributes in row.cells:
        _cover(made, below)
        if len(made) >= MOST_COLUMNS:
            break
        across, down = _count(attributes, "colspan"), _count(attributes, "rowspan")
        at = len(made)
        made.extend([content, *((),) * min(across - 1, MOST_COLUMNS - at - 1)])
        if down > 1:
            below.update(dict.fromkeys(range(at, len(made)), down - 1))
    _cover(made, below)
    return made


def _cover(made: list[Inline], below: dict[int, int]) -> None:
    while below.get(len(made), 0) > 0 and len(made) < MOST_COLUMNS:
        below[len(made)] -= 1
        made.append(())


def _count(attributes: dict[str, str], name: str) -> int:
    words = attributes.get(name, "")
    return max(1, min(int(words), MOST_COLUMNS)) if words.isascii() and words.isdigit() and len(words) < 6 else 1
