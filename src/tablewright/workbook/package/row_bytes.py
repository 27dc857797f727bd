"""The bytes of a sheet's rows in order.

Rows that nobody changed are places in the part's own bytes, so that a large sheet is in memory once; they are cut out
when they are asked for, and written as long runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

_SHIFT = 40
_MASK = (1 << _SHIFT) - 1


class RowBytes:
    """A list of the bytes of rows; `add` appends one that lies within `data`."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._entries: list[bytes | int] = []

    def add(self, start: int, end: int) -> None:
        """Append the row that lies there in the data."""
        self._entries.append(start << _SHIFT | end)

    def extend(self, starts: Sequence[int]) -> None:
        """Append rows that follow each other in the data: each ends where the next starts, the last at the last."""
        self._entries += [here << _SHIFT | following for here, following in pairwise(starts)]

    def heads(self) -> Iterator[bytes]:
        """Yield the bytes of each row up to the end of its first tag."""
        find = self._data.find
        for entry in self._entries:
            if isinstance(entry, int):
                start = entry >> _SHIFT
                yield self._data[start : find(b">", start) + 1]
            else:
                yield entry[: entry.find(b">") + 1]

    def append(self, raw: bytes) -> None:
        self._entries.append(raw)

    def insert(self, at: int, raw: bytes) -> None:
        self._entries.insert(at, raw)

    def pieces(self) -> Iterator[bytes | memoryview]:
        """Yield the bytes of all rows, neighbours in the data as one piece."""
        data, start, end = memoryview(self._data), 0, 0
        for entry in self._entries:
            if isinstance(entry, int) and entry >> _SHIFT == end:
                end = entry & _MASK
                continue
            if end > start:
                yield data[start:end]
            if isinstance(entry, int):
                start, end = entry >> _SHIFT, entry & _MASK
            else:
                start = end = 0
                yield entry
        if end > start:
            yield data[start:end]

    def take(self, other: RowBytes, at: int) -> None:
        """Append a row of another list over the same data as it is."""
        self._entries.append(other._entries[at])

    def empty(self) -> RowBytes:
        """Return an empty list over the same data."""
        return RowBytes(self._data)

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, at: int) -> bytes:
        entry = self._entries[at]
        return self._data[entry >> _SHIFT : entry & _MASK] if isinstance(entry, int) else entry

    def __setitem__(self, at: int, raw: bytes) -> None:
        self._entries[at] = raw

    def __delitem__(self, at: int) -> None:
        del self._entries[at]

    def __iter__(self) -> Iterator[bytes]:
        return (self[at] for at in range(len(self._entries)))
