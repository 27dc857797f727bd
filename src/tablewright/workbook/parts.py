"""Split a zip file into byte ranges at its local headers.

Joining the ranges restores the file exactly. Versions of a workbook share the ranges of members that no edit touched.
"""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Iterable
from io import BytesIO
from itertools import pairwise
from pathlib import Path

_SMALLEST = 512
"""Shorter ranges are merged with the next one: storing an object of its own would cost more than sharing saves."""


def split(data: bytes) -> tuple[bytes, ...]:
    """Split a file at the local headers of its zip members and at its directory.

    A file that is not a zip stays whole.
    """
    cuts = (0, *_spaced(_starts(BytesIO(data), len(data))), len(data))
    return tuple(data[start:end] for start, end in pairwise(cuts))


def join(ranges: Iterable[bytes]) -> bytes:
    """Join the ranges of a file: `join(split(data)) == data` for all bytes."""
    return b"".join(ranges)


def cuts_of(path: Path) -> tuple[int, ...]:
    """Return the offsets at which `split` cuts the file, ascending and without both ends; members are not read."""
    return _spaced(_starts(path, path.stat().st_size))


def _spaced(starts: Iterable[int]) -> tuple[int, ...]:
    cuts = [0]
    for start in starts:
        if start - cuts[-1] >= _SMALLEST:
            cuts.append(start)
    return tuple(cuts[1:])


def _starts(source: Path | BytesIO, size: int) -> list[int]:
    try:
        with zipfile.ZipFile(source) as archive:
            starts = {member.header_offset for member in archive.infolist()}
            starts.add(archive.start_dir)
    except (zipfile.BadZipFile, ValueError, OverflowError, NotImplementedError, struct.error, OSError):
        return []
    return sorted(start for start in starts if 0 < start < size)
