"""Detect formulas stored without values, as written by libraries that cannot compute them."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

_BLOCK_BYTES = 1024**2
_LONGEST_CELL = 64 * 1024
_FORMULA = b"<f"
_UNCOMPUTED = re.compile(
    rb"""<c\b(?![^>]*\bt="str")[^>]*>\s*<f\b(?:[^>]*/>|[^>]*>[^<]*</f>)\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>"""
)
"""A cell with a formula but no value.

A formula whose value is the empty text is marked as text, so it does not match.
"""


def has_uncomputed(path: Path) -> bool:
    """Return whether any sheet of an xlsx file holds a formula without a stored value."""
    with zipfile.ZipFile(path) as archive:
        return any(
            _holds(archive, member) for member in archive.namelist() if member.lower().startswith("xl/worksheets/sheet")
        )


def _holds(archive: zipfile.ZipFile, member: str) -> bool:
    rest = b""
    with archive.open(member) as stream:
        while block := stream.read(_BLOCK_BYTES):
            text = rest + block
            if _FORMULA in text and _UNCOMPUTED.search(text):
                return True
            rest = text[text.rfind(b"<c ", -_LONGEST_CELL) :] if b"<c " in text[-_LONGEST_CELL:] else b""
    return False
