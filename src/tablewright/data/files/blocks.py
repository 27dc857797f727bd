"""Find the rectangles of a sheet that are tables, separated by empty rows and columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tablewright.data.files.cells import Row, classify, filled, is_blank, is_empty
from tablewright.data.files.headers import LOOKED_AT, body_columns, is_header

_MOST_BLOCKS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A rectangle of a sheet, counted from 0, both ends included."""

    top: int
    bottom: int
    left: int
    right: int

    @property
    def width(self) -> int:
        return self.right - self.left + 1

    @property
    def height(self) -> int:
        return self.bottom - self.top + 1

    @property
    def a1(self) -> str:
        return f"{column_letters(self.left)}{self.top + 1}:{column_letters(self.right)}{self.bottom + 1}"


def is_prose(rows: Sequence[Row], block: Block) -> bool:
    """Return whether a block is a column of sentences: remarks rather than data."""
    if block.width > 1:
        return False
    cells = [row[0] for row in _inside(rows, block) if not is_empty(row[0])]
    return all(isinstance(cell, str) for cell in cells) and sum(len(str(cell)) for cell in cells) > 40 * len(cells)


def column_letters(column: int) -> str:
    """Return the letters of a column (counted from 0)."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def find_blocks(rows: Sequence[Row]) -> list[Block]:
    """Return the tables of a sheet, from top to bottom and left to right.

    Empty rows and columns divide the sheet into rectangles. A rectangle that continues the one above is the same table
    with a gap; a single line above a table is its title; remaining single cells and lines next to real tables are not
    tables.
    """
    pieces = _cut(rows, Block(top=0, bottom=len(rows) - 1, left=0, right=_width(rows) - 1)) if rows else []
    joined = _joined(rows, pieces)
    tables = [piece for piece in joined if _is_table(rows, piece)]
    if not tables and joined:
        tables = [max(joined, key=lambda piece: piece.height * piece.width)]
    return sorted(tables, key=lambda piece: (piece.top, piece.left))[:_MOST_BLOCKS]


def _width(rows: Sequence[Row]) -> int:
    return max(len(row) for row in rows)


def _cut(rows: Sequence[Row], block: Block) -> list[Block]:
    """Cut at empty rows and columns until nothing can be cut."""
    spans = _runs([not is_blank(row[block.left : block.right + 1]) for row in rows[block.top : block.bottom + 1]])
    bands = [
        Block(top=block.top + first, bottom=block.top + last, left=block.left, right=block.right)
        for first, last in spans
    ]
    return [piece for band in _with_headers(rows, bands) for piece in _cut_columns(rows, band)]


def _with_headers(rows: Sequence[Row], bands: list[Block]) -> list[Block]:
    """Join a header line to the data below one or two empty rows, if the data has no header of its own."""
    joined: list[Block] = []
    for band in bands:
        above = joined[-1] if joined else None
        if above is not None and _heads(rows, above, band):
            joined[-1] = Block(top=above.top, bottom=band.bottom, left=band.left, right=band.right)
        else:
            joined.append(band)
    return joined


def _heads(rows: Sequence[Row], line: Block, band: Block) -> bool:
    if line.height > 1 or band.top - line.bottom > 3:
        return False
    names = rows[line.top][line.left : line.right + 1]
    body = _inside(rows, band)[:LOOKED_AT]
    if filled(names) < 3 or any(classify(cell) not in {"text", "empty"} for cell in names):
        return False
    within = all(is_empty(cell) or not is_empty(name) for row in body for cell, name in zip(row, names, strict=False))
    return within and (band.height == 1 or not is_header(body[0], body_columns(body[1:], band.width)))


def _cut_columns(rows: Sequence[Row], block: Block) -> list[Block]:
    empty = set(range(block.left, block.right + 1))
    for row in rows[block.top : block.bottom + 1]:
        empty -= {position for position in empty if not is_empty(row[position])}
        if not empty:
            break
    parts = [
        Block(top=block.top, bottom=block.bottom, left=block.left + first, right=block.left + last)
        for first, last in _runs([position not in empty for position in range(block.left, block.right + 1)])
    ]
    if len(parts) <= 1:
        return parts
    return _spaced(rows, [piece for part in parts for piece in _cut(rows, part)])


def _spaced(rows: Sequence[Row], pieces: list[Block]) -> list[Block]:
    """Join horizontal neighbours across one or two empty columns, if their headers name different things.

    That is one table with a spacer.
    """
    joined: list[Block] = []
    for piece in pieces:
        left = joined[-1] if joined else None
        if left is not None and _is_spacer(rows, left, piece):
            joined[-1] = Block(top=left.top, bottom=left.bottom, left=left.left, right=piece.right)
        else:
            joined.append(piece)
    return joined


def _is_spacer(rows: Sequence[Row], left: Block, right: Block) -> bool:
    if (left.top, left.bottom) != (right.top, right.bottom) or left.height < 3 or right.left - left.right > 3:
        return False
    heads = [rows[left.top][block.left : block.right + 1] for block in (left, right)]
    named = all(filled(head) == len(head) and {classify(cell) for cell in head} == {"text"} for head in heads)
    return named and not set(heads[0]) & set(heads[1])


def _runs(flags: Sequence[bool]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for position, flag in enumerate(flags):
        if flag and runs and runs[-1][1] == position - 1:
            runs[-1] = (runs[-1][0], position)
        elif flag:
            runs.append((position, position))
    return runs


def _joined(rows: Sequence[Row], pieces: list[Block]) -> list[Block]:
    """Join a piece to the one above if it is within its columns, one or two rows below, and does not start a table."""
    joined: list[Block] = []
    for piece in pieces:
        above = next((other for other in reversed(joined) if _continues(rows, other, piece)), None)
        if above is None:
            joined.append(piece)
        else:
            joined[joined.index(above)] = Block(
                top=above.top,
                bottom=piece.bottom,
                left=min(above.left, piece.left),
                right=max(above.right, piece.right),
            )
    return joined


def _continues(rows: Sequence[Row], above: Block, piece: Block) -> bool:
    apart = piece.top - above.bottom - 1
    within = above.left <= piece.left and piece.right <= above.right
    if not (1 <= apart <= 2 and within and above.height >= 3 and above.width >= 2):
        return False
    if piece.left > above.left or piece.width * 2 < above.width:
        return False
    upper = _inside(rows, above)[1 : LOOKED_AT + 1]
    lower = [
        row[above.left : above.right + 1] for row in rows[piece.top : min(piece.bottom, piece.top + LOOKED_AT) + 1]
    ]
    typed = [column.kind for column in body_columns(upper, above.width)]
    first = [classify(cell) for cell in lower[0]]
    alike = sum(1 for told, kind in zip(first, typed, strict=False) if told == kind and told != "text")
    unlike = sum(1 for told, kind in zip(first, typed, strict=False) if "empty" not in {told, kind} and told != kind)
    return (
        alike > 0 and alike >= unlike and not is_header(lower[0], body_columns(lower[1:], above.width)[: above.width])
    )


def _is_table(rows: Sequence[Row], piece: Block) -> bool:
    if piece.height < 2 or piece.width < 2:
        return piece.height >= 4 and piece.width == 1
    looked = _inside(rows, piece)[:LOOKED_AT]
    return sum(filled(row) for row in looked) >= 0.25 * len(looked) * piece.width


def _inside(rows: Sequence[Row], block: Block) -> list[Row]:
    return [row[block.left : block.right + 1] for row in rows[block.top : block.bottom + 1]]
