"""Files of code and statements, which have no tables and are read as texts."""

from __future__ import annotations

import codecs
from pathlib import Path, PurePath

SUFFIXES = frozenset({".sql", ".py"})
_PIECE_BYTES = 64 * 1024
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def is_text(path: Path, name: str) -> bool:
    """Return whether a file is called as such a text and begins as one; reads from the disk."""
    if PurePath(name).suffix.lower() not in SUFFIXES:
        return False
    with path.open("rb") as file:
        start = file.read(_PIECE_BYTES)
    return any(_reads_as(start, each) for each in (("utf-16",) if start.startswith(_WIDE) else ("utf-8", "gb18030")))


def _reads_as(start: bytes, encoding: str) -> bool:
    try:
        # What is cut off at the end of the piece may be half a character.
        text = codecs.getincrementaldecoder(encoding)().decode(start)
    except UnicodeError:
        return False
    return "\0" not in text and bool(text.strip("\ufeff \t\r\n"))
