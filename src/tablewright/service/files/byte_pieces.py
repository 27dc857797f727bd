"""A file's bytes, piece by piece, read beside the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

PIECE_BYTES = 1024**2


async def pieces(path: Path, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
    """Yield the bytes of a file from `start` to `end`, or to where it ends."""
    with await asyncio.to_thread(path.open, "rb") as file:
        file.seek(start)
        while end is None or start < end:
            most = PIECE_BYTES if end is None else min(PIECE_BYTES, end - start)
            if not (piece := await asyncio.to_thread(file.read, most)):
                return
            start += len(piece)
            yield piece
