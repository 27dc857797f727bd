"""What each operation does to a workbook, one family per file.

Each operation is checked and applied in one pass over an open book.
"""

from __future__ import annotations

from tablewright.workbook.operations import (
    analysis,
    cells,
    charts,
    code,
    column_order,
    columns,
    formats,
    rows,
    rules,
    sheet_settings,
    sheets,
    structure,
    summaries,
)
from tablewright.workbook.operations.context import Handler

HANDLERS: dict[str, Handler] = {
    **cells.HANDLERS, **columns.HANDLERS, **column_order.HANDLERS, **rows.HANDLERS,
    **structure.HANDLERS, **sheets.HANDLERS, **summaries.HANDLERS,
    **formats.HANDLERS, **rules.HANDLERS, **sheet_settings.HANDLERS,
    **charts.HANDLERS, **analysis.HANDLERS, **code.HANDLERS,
}  # fmt: skip
"""The handler of each function. A handler raises `CallerError` for what does not fit; the caller restores the book."""
READS_VALUES = frozenset({
    "sort_rows", "filter_rows", "remove_duplicates", "fill_missing", "summarize", "highlight_cells", "delete_rows",
    "transpose",
    "create_chart", "split_column", "find_replace", *analysis.HANDLERS,
})  # fmt: skip
"""Functions that depend on the results of formulas, which are therefore computed first."""
