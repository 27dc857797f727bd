"""Formula templates with headers in brackets, as models and people write them, turned into cell formulas."""

from __future__ import annotations

import re

from tablewright.workbook.areas import letters
from tablewright.workbook.package.table_view import TableView

_PART = re.compile(r'("(?:[^"]|"")*")|(?:([^\W\d][\w.]*)?)\[(@?)((?:[^\[\]])+)\]')


def row_formula(template: str, view: TableView) -> str:
    """Return the formula for the table's first data row.

    `[Header]` refers to the cell in that row; to refer to a whole column, as in `SUM([Header])`, write `[[Header]]`.
    Errors: `InvalidInput` for an unknown header.
    """
    first, last = view.rows

    def whole(match: re.Match[str]) -> str:
        column = letters(view.column(match[1], "formula"))
        return f"${column}${first}:${column}${last}"

    def cell(match: re.Match[str]) -> str:
        if match[1] or match[2]:
            return match[0]
        return f"{letters(view.column(match[4], 'formula'))}{first}"

    text = re.sub(r"(?<!\w)\[\[([^\[\]#@]+)\]\]", whole, template)
    return _PART.sub(cell, text)
