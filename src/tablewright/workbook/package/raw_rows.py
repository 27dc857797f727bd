"""The XML of rows and cells, taken apart and put together."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from tablewright.workbook.areas import column_number, letters

_ROW = re.compile(rb"<row\b([^>]*?)(/?)>")
_CELL = re.compile(rb"<c\b([^>]*?)(?:/>|>(.*?)</c>)", re.DOTALL)
_PLACE = re.compile(rb'\br="([A-Z]+)\d*"')
_REST = re.compile(rb'\s*\b(?:r|spans)="[^"]*"')
_ATTRIBUTE = re.compile(rb'\s*\b(r|s|t)="([^"]*)"')
_END = b"</row>"


@dataclass(slots=True)
class RawCell:
    """The XML of a cell: its style, its type (`t`), its other attributes, and its inner XML."""

    style: int
    type: bytes
    rest: bytes
    body: bytes

    def xml(self, row: int, column: int) -> bytes:
        head = b'<c r="%s%d"' % (letters(column).encode(), row)
        if self.style:
            head += b' s="%d"' % self.style
        if self.type:
            head += b' t="%s"' % self.type
        head += self.rest
        return head + (b">" + self.body + b"</c>" if self.body else b"/>")

    @property
    def blank(self) -> bool:
        return not self.body


@dataclass(slots=True)
class RawRow:
    """A parsed row: its cells by column, and its attributes except number and spans."""

    attributes: bytes = b""
    cells: dict[int, RawCell] = field(default_factory=dict)

    def xml(self, number: int) -> bytes:
        head = b'<row r="%d"%s' % (number, self.attributes)
        if not self.cells:
            return head + b"/>"
        return head + b">" + b"".join(self.cells[at].xml(number, at) for at in sorted(self.cells)) + _END


def taken_apart(raw: bytes) -> RawRow:
    """Parse a row's bytes."""
    head = _ROW.match(raw)
    if head is None:
        return RawRow()
    row = RawRow(_REST.sub(b"", head[1]).rstrip())
    if row.attributes and not row.attributes.startswith(b" "):
        row.attributes = b" " + row.attributes
    column = 0
    for match in _CELL.finditer(raw, head.end()):
        place = _PLACE.search(match[1])
        column = column_number(place[1].decode()) if place else column + 1
        row.cells[column] = cell_of(match[1], match[2] or b"")
    return row


@lru_cache(maxsize=512)
def looked_at(raw: bytes) -> RawRow:
    """Parse a row for reading only, cached: tables side by side read the same rows again and again."""
    return taken_apart(raw)


def cell_of(attributes: bytes, body: bytes) -> RawCell:
    """Return the cell with these attributes and this content."""
    found = dict(_ATTRIBUTE.findall(attributes))
    rest = _ATTRIBUTE.sub(b"", attributes).rstrip() if len(found) < attributes.count(b"=") else b""
    return RawCell(int(found.get(b"s", b"0") or b"0"), found.get(b"t", b""), rest, body)
