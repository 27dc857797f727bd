"""What each operation does to a workbook, one family per file: judged and applied in one pass over an open book."""

from __future__ import annotations

from tablewright.workbook.operations import cells, columns, rows, structure
from tablewright.workbook.operations.context import Handler

HANDLERS: dict[str, Handler] = {
    **cells.HANDLERS, **columns.HANDLERS, **rows.HANDLERS, **structure.HANDLERS,
}  # fmt: skip
"""What applies each function. A handler raises `CallerError` for what does not fit; the caller puts the book back."""
