"""Detect a table's header from its first rows."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tablewright.data.files.cells import NARROW, CellClass, RawCell, Row, classify, filled, is_alone, is_empty, repeats

LOOKED_AT = 200
_MOST_TITLE_ROWS = 30
_MOST_HEADER_ROWS = 4
_TYPED = frozenset({"number", "moment", "truth"})
_STATEMENT = re.compile(r"[^:：]*[^\W\d][^:：]*[:：]\s*\S.*", re.DOTALL)
"""What a form says of itself above its table, such as who filled it in and when: a label and what it is."""


Spans = Mapping[int, Sequence[tuple[int, int]]]
"""The first and last column of each horizontally merged cell, by row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The header rows and the first data row, as indexes of the given rows. Rows above the header are titles."""

    header_rows: tuple[int, ...]
    first_row: int
    width: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyColumn:
    """The predominant content of a column below the header."""

    kind: CellClass
    values: frozenset[RawCell]
    pattern: str | None = None
    """The shape shared by nearly all texts of the column, if they contain digits."""


def find_layout(rows: Sequence[Row], *, width: int | None = None, spans: Spans | None = None) -> Layout:
    """Find the header in the first rows of a table.

    `spans` are the horizontally merged cells by row, which name groups of columns; text files have gaps instead.
    """
    rows = rows[:LOOKED_AT]
    spans = spans or {}
    width = width or usual_width(rows)
    top = _below_titles(rows, width, spans)
    body = body_columns([row for row in rows[top + 1 :] if not repeats(row, rows[top])], width)
    below = rows[top + 1] if top + 1 < len(rows) else ()
    upper = _upper_rows(rows, top, width, spans)
    if not is_header(rows[top], body, below):
        first = top if upper else _first_without_header(rows, top)
        return Layout(header_rows=upper, first_row=first, width=width)
    lower = _lower_rows(rows, top, width, spans)
    header = (*upper, top, *lower)
    return Layout(header_rows=header, first_row=header[-1] + 1, width=width)


def usual_width(rows: Sequence[Row]) -> int:
    """Return the usual number of columns of a text file's records.

    Trailing columns that are empty in every record are not counted.
    """
    lengths = Counter(len(row) for row in rows if row)
    if not lengths:
        return 0
    most = max(lengths.values())
    usual = max(length for length, count in lengths.items() if count >= max(2, most // 4) or count == most)
    return max((_reach(row[:usual]) for row in rows), default=0)


def is_header(row: Row, body: Sequence[BodyColumn], below: Row = ()) -> bool:
    """Decide whether `row` names the columns below it.

    Words above numbers speak for a header; numbers above numbers, and values that recur below, against it. Without any
    evidence it is a header. `below` is the next row: years or 1, 2, 3 name columns unless that row continues them.
    """
    counting = _is_sequence(row) and not (_is_sequence(below) and _are_years(row) == _are_years(below))
    typed = sum(1 for cell in row if classify(cell) in _TYPED)
    if not counting and typed * 2 > filled(row):
        return False
    yes = no = 0
    for cell, column in zip(row, body, strict=False):
        told = classify(cell)
        if told == "empty":
            continue
        if column.kind in _TYPED:
            yes += told == "text" or (counting and told in _TYPED)
            no += told == column.kind and not counting
        elif column.kind == "text":
            again = cell in column.values or (column.pattern is not None and column.pattern == pattern(cell))
            no += again
            yes += told == "text" and column.pattern is not None and not again
    return yes >= no


def pattern(cell: RawCell) -> str | None:
    """Return the shape of a text with digits (`A-17` and `B-04` have the same one); None for other cells."""
    if not isinstance(cell, str) or not re.search(r"\d", cell) or not re.search(r"[^\W\d]", cell):
        return None
    return re.sub(r"[^\W\d]+", "a", re.sub(r"\d+", "9", cell.strip()))


def _first_without_header(rows: Sequence[Row], top: int) -> int:
    """Return the first data row of a table without a header: rows above the first full one are data too, except
    a title."""
    above = [row for row in rows[:top] if filled(row)]
    if not above or (len(above) == 1 and filled(above[0]) == 1):
        return top
    return next(number for number, row in enumerate(rows) if filled(row))


def _reach(row: Row) -> int:
    return next((position for position in range(len(row), 0, -1) if not is_empty(row[position - 1])), 0)


def _below_titles(rows: Sequence[Row], width: int, spans: Spans) -> int:
    """Return the first row that is filled like a header; the rows above are titles, notes and blanks."""
    enough = max(1, width * 0.6) if width > 2 else width
    for number, row in enumerate(rows[:_MOST_TITLE_ROWS]):
        spanning = number in spans and filled(row) > 1 and not _tells(row)
        cornered = width > 1 and is_empty(row[0]) and filled(row[:width]) == width - 1
        if filled(row[:width]) >= enough or cornered or (spanning and _gaps_filled_below(rows, number, width)):
            return number
    return next((number for number, row in enumerate(rows) if filled(row)), 0)


def body_columns(rows: Sequence[Row], width: int) -> list[BodyColumn]:
    """Return the predominant content of each of `width` columns."""
    columns = []
    for position in range(width):
        cells = [row[position] for row in rows if position < len(row) and not is_empty(row[position])]
        kind = _prevailing([classify(cell) for cell in cells])
        columns.append(BodyColumn(kind=kind, values=frozenset(cells), pattern=_shared_pattern(cells)))
    return columns


def _shared_pattern(cells: Sequence[RawCell]) -> str | None:
    patterns = Counter(pattern(cell) for cell in cells)
    shape, count = patterns.most_common(1)[0] if patterns else (None, 0)
    return shape if count > 1 and count >= 0.8 * len(cells) else None


def _prevailing(kinds: Sequence[CellClass]) -> CellClass:
    told = Counter(kind for kind in kinds if kind != "empty")
    if not told:
        return "empty"
    kind, count = told.most_common(1)[0]
    return kind if count >= 0.7 * told.total() else "text"


def _is_sequence(row: Row) -> bool:
    """Return whether a row holds years, months or a count in two or more adjacent cells: such numbers name columns."""
    numbers = _whole_numbers(row)
    if len(numbers) < 2:
        return False
    steps = [after - before for before, after in itertools.pairwise(numbers)]
    regular = max(steps.count(1), steps.count(-1)) >= 0.9 * len(steps)
    return _are_years(row) or (len(numbers) > 2 and regular)


def _are_years(row: Row) -> bool:
    numbers = _whole_numbers(row)
    return all(1900 <= number <= 2100 for number in numbers) and len(set(numbers)) == len(numbers)


def _whole_numbers(row: Row) -> list[int]:
    texts = [str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell).strip() for cell in row]
    return [int(text) for text in texts if text.isdecimal() and len(text) <= 6]


def _gaps_filled_below(rows: Sequence[Row], number: int, width: int) -> bool:
    """Return whether the next row complements this one: it consists of words and fills exactly the gaps."""
    if number + 1 >= len(rows):
        return False
    row, below = _padded(rows[number], width), _padded(rows[number + 1], width)
    gaps = [position for position in range(width) if is_empty(row[position])]
    if not gaps or gaps == [0]:
        return False
    named = all(not is_empty(below[position]) for position in gaps)
    alone = [position for position in range(width) if position not in gaps and position + 1 not in gaps]
    words = all(classify(cell) in {"text", "empty"} for cell in below) or _is_sequence(below)
    if not named or not words or any(not is_empty(below[position]) for position in alone):
        return False
    return is_header(below, body_columns(rows[number + 2 :], width))


def _upper_rows(rows: Sequence[Row], top: int, width: int, spans: Spans) -> tuple[int, ...]:
    """Return the rows of group names directly above the header: merged cells, or names that distinguish equal
    names below."""
    found: list[int] = []
    names = [cell for cell in rows[top][:width] if not is_empty(cell)]
    repeated = len(set(names)) < len(names)
    number = top - 1
    while number >= 0 and len(found) < _MOST_HEADER_ROWS - 1:
        row = rows[number][:width]
        words = _is_sequence(row) or all(classify(cell) in {"text", "empty"} for cell in row)
        if not words or _tells(row) or not (_groups(row, spans.get(number, ())) or (repeated and filled(row) > 1)):
            break
        found.insert(0, number)
        number -= 1
    return tuple(found)


def _tells(row: Row) -> bool:
    """Return whether every cell of a row is a statement: such a row names no columns."""
    cells = [cell for cell in row if not is_empty(cell)]
    return bool(cells) and all(isinstance(cell, str) and _STATEMENT.fullmatch(cell.strip()) for cell in cells)


def _groups(row: Row, spans: Sequence[tuple[int, int]]) -> bool:
    """Return whether a row's merged cells group columns: several of them, or a single one that is not at the left."""
    return len(spans) > 1 or (len(spans) == 1 and filled(row) == 1 and spans[0][0] > 0)


def _lower_rows(rows: Sequence[Row], top: int, width: int, spans: Spans) -> tuple[int, ...]:
    found: list[int] = []
    number = top
    while len(found) < _MOST_HEADER_ROWS - 1 and _gaps_filled_below(rows, number, width):
        sparse = filled(rows[number][:width]) < width
        merged = number in spans
        typed = any(column.kind in _TYPED for column in body_columns(rows[number + 2 :], width))
        if not sparse or not (merged or typed):
            break
        number += 1
        found.append(number)
    if not found and _is_units_row(rows, top + 1, width):
        found.append(top + 1)
    return tuple(found)


def _is_units_row(rows: Sequence[Row], number: int, width: int) -> bool:
    """Return whether a row gives units: short words above numbers, and nothing above words. One that stands alone at
    the left of a wide table heads the rows below."""
    if number + 1 >= len(rows) or (width > NARROW and is_alone(rows[number])):
        return False
    columns = body_columns(rows[number + 1 :], width)
    below = zip(_padded(rows[number], width), columns, strict=True)
    given = [(cell, column.kind) for cell, column in below if not is_empty(cell)]
    return bool(given) and all(
        isinstance(cell, str) and classify(cell) == "text" and kind in _TYPED and len(cell) <= 10
        for cell, kind in given
    )


def _padded(row: Row, width: int) -> list[RawCell]:
    return [*row[:width], *([None] * (width - len(row)))]
