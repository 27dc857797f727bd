"""A zip as the byte ranges that its local headers cut it into.

Joining the ranges gives the file exactly; versions of one workbook share the ranges of the members that no edit touched.
"""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Iterable
from io import BytesIO

_SMALLEST = 512
"""Ranges shorter than this are kept with the next one: a stored object costs more than it saves."""


def split(data: bytes) -> tuple[bytes, ...]:
    """Cut a file at the local headers of its zip members and at its directory; what is no zip stays whole."""
    cuts = _cuts(data)
    ranges: list[bytes] = []
    start = 0
    for cut in [*cuts, len(data)]:
        if cut - start >= _SMALLEST or cut == len(data):
            ranges.append(data[start:cut])
            start = cut
    return tuple(ranges)


def join(ranges: Iterable[bytes]) -> bytes:
    """Put the ranges of a file together again: `join(split(data)) == data` for all bytes."""
    return b"".join(ranges)


def _cuts(data: bytes) -> list[int]:
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            starts = {member.header_offset for member in archive.infolist()}
            starts.add(archive.start_dir)
    except (zipfile.BadZipFile, ValueError, OverflowError, NotImplementedError, struct.error, OSError):
        return []
    return sorted(start for start in starts if 0 < start < len(data))
