"""A table as Markdown, for whoever reads text."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.domain.table import Cell, Table

SHOWN_ROWS = 20
CELL_CHARS = 200


def markdown(table: Table, rows: int = SHOWN_ROWS) -> str:
    """Return the first rows as a Markdown table."""
    lines = [_line(table.columns), _line(("---",) * len(table.columns))]
    lines.extend(_line(row) for row in table.rows[:rows])
    if (left := table.total_rows - min(rows, len(table.rows))) > 0:
        lines.append(_line((f"… +{left}", *("",) * (len(table.columns) - 1))))
    return "\n".join(lines)


def _line(cells: Sequence[Cell]) -> str:
    return f"| {' | '.join(_cell(cell) for cell in cells)} |"


def _cell(cell: Cell) -> str:
    said = "" if cell is None else str(cell).replace("\n", " ").replace("|", "\\|")
    return said if len(said) <= CELL_CHARS else said[:CELL_CHARS] + "…"
