"""Two ordered streams multiplexed into one: the agent's and its worker's, as `u8 channel | u32 length | bytes`."""

from __future__ import annotations

import struct

HEAD = struct.Struct(">BI")
WORKER, AGENT = 0, 1
MAX_CHUNK_BYTES = 64 * 1024


def chunk(channel: int, payload: bytes) -> bytes:
    """Return a chunk of at most MAX_CHUNK_BYTES."""
    return HEAD.pack(channel, len(payload)) + payload
