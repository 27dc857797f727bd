"""The kinds of values in the columns of a table."""

from __future__ import annotations

from collections import Counter

from tablewright.domain.outline import ContentKind
from tablewright.workbook.areas import Area
from tablewright.workbook.package.table_view import TableView
from tablewright.workbook.values import CellData

_LOOKED_AT = 500
_LOOKED_AT_CELLS = 100_000
_FEWEST = 10
_MOSTLY = 0.8


def column_kinds(view: TableView) -> dict[int, ContentKind]:
    """Return the kind of each column by its number, inferred from the first rows."""
    columns = [column.index for column in view.region.columns]
    if view.region.data is None:
        return dict.fromkeys(columns, "empty")
    first, last = view.rows
    found: dict[int, Counter[ContentKind]] = {column: Counter() for column in columns}
    area = Area(first, columns[0], min(last, first + rows_looked_at(_LOOKED_AT, len(columns)) - 1), columns[-1])
    for _, cells in view.sheet.scan(area):
        for column, cell in cells.items():
            if column in found and (kind := kind_of(cell)) != "empty":
                found[column][kind] += 1
    return {column: most_common(kinds) for column, kinds in found.items()}


def rows_looked_at(most: int, columns: int) -> int:
    """Return how many of at most `most` rows are looked at to tell what a table holds: fewer of a very wide one."""
    return min(most, max(_FEWEST, _LOOKED_AT_CELLS // columns))


def kind_of(cell: CellData) -> ContentKind:
    """Return the kind of one cell's value."""
    if cell.value is None or cell.error:
        return "empty" if cell.formula is None or cell.error else "number"
    if isinstance(cell.value, bool):
        return "boolean"
    if isinstance(cell.value, str):
        return "text" if cell.value.strip() else "empty"
    return "date" if cell.date else "number"


def most_common(kinds: Counter[ContentKind]) -> ContentKind:
    """Return the kind that nearly all values have."""
    total = sum(kinds.values())
    if not total:
        return "empty"
    kind, count = kinds.most_common(1)[0]
    return kind if count >= total * _MOSTLY else "mixed"
