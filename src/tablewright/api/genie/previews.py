"""Files as Genie's page can look at them: it takes CSV apart at commas and ends of lines, and runs no model's HTML."""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator
from pathlib import PurePath

KINDS = {
    ".csv": "text/csv",
    ".html": "text/html",
    ".htm": "text/html",
    ".md": "text/markdown",
    ".txt": "text/plain",
    ".json": "application/json",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
}
CSV = "text/csv"
CSV_BYTES = 5_000_000
"""How much of a CSV file is looked at."""
SANDBOX = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data:; font-src data:"
)
"""HTML runs apart from the origin that shows it, and reaches nothing."""


def kind_of(name: str) -> str:
    """Return what a browser is told that a file is."""
    return KINDS.get(PurePath(name).suffix.lower(), "application/octet-stream")


async def beginning(content: AsyncIterator[bytes]) -> bytes:
    """Return the first bytes of a file, as many as are looked at."""
    read = bytearray()
    async for piece in content:
        read += piece
        if len(read) > CSV_BYTES:
            break
    return bytes(read)


def plain_csv(content: bytes) -> bytes:
    """Return CSV that can be taken apart at commas and ends of lines, and is never empty.

    Commas and ends of lines in cells become other characters; the file itself is what is saved.
    """
    if len(content) > CSV_BYTES:
        content = content[: content.rfind(b"\n", 0, CSV_BYTES) + 1] or content[:CSV_BYTES]
    rows = csv.reader(io.StringIO(_text(content), newline=""))
    lines = [",".join(_cell(cell) for cell in row) for row in rows if row]
    return ("\n".join(lines) or " ").encode()


def _cell(cell: str) -> str:
    return " ".join(cell.replace(",", "，").replace('"', "”").split())


def _text(content: bytes) -> str:
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return content.decode("utf-8", "replace")
