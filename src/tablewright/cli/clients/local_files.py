"""Opens local files for uploading."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import BinaryIO

from tablewright.errors import FileUnreadable

PIECE_BYTES = 1024 * 1024


async def opened(path: Path) -> BinaryIO:
    """Open the file at `path` without blocking the event loop. Raises `FileUnreadable`."""
    try:
        return await asyncio.to_thread(path.open, "rb")
    except FileNotFoundError as error:
        raise FileUnreadable("file_missing", name=path.name) from error
    except OSError as error:
        raise FileUnreadable("file_denied", name=path.name) from error


async def pieces(path: Path) -> AsyncIterator[bytes]:
    """Yield a file's bytes. Raises `FileUnreadable`."""
    with await opened(path) as file:
        while piece := await asyncio.to_thread(file.read, PIECE_BYTES):
            yield piece
