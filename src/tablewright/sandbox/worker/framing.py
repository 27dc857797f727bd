"""Frames over any pair of byte streams: u32 header length, u32 blob length, JSON header, blob."""

from __future__ import annotations

import json
import os
import struct
import threading
from typing import Any, Protocol

PREFIX = struct.Struct(">II")
MAX_FRAME_BYTES = 16 * 1024**2
_READ_BYTES = 64 * 1024
_JSON = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


class Hold(Protocol):
    """A section during which interrupts are deferred."""

    def __enter__(self) -> object: ...

    def __exit__(self, *exc: object) -> None: ...


class FrameWriter:
    """The worker's end of the connection.

    Frames of several threads do not interleave, and an interrupt never leaves half a frame behind.
    """

    def __init__(self, reading: int, writing: int, hold: Hold) -> None:
        self._reading = reading
        self._writing = writing
        self._hold = hold
        self._lock = threading.Lock()
        self._received = b""

    def descriptors(self) -> set[int]:
        """Return the descriptors that must stay open."""
        return {self._reading, self._writing}

    def send(self, kind: str, blob: bytes = b"", /, **fields: Any) -> None:
        """Send one frame. A frame longer than the maximum is dropped, since the other side would not accept it."""
        header = _JSON.encode({"kind": kind, **fields}).encode(errors="replace")
        if len(header) + len(blob) > MAX_FRAME_BYTES:
            return
        data = memoryview(PREFIX.pack(len(header), len(blob)) + header + blob)
        with self._hold, self._lock:
            while data:
                data = data[os.write(self._writing, data) :]

    def receive(self) -> tuple[dict[str, Any], bytes] | None:
        """Return the next frame, or None when the other side is gone."""
        prefix = self._exactly(PREFIX.size)
        if prefix is None:
            return None
        header_length, blob_length = PREFIX.unpack(prefix)
        header = self._exactly(header_length)
        blob = self._exactly(blob_length)
        if header is None or blob is None:
            return None
        return json.loads(header), blob

    def _exactly(self, count: int) -> bytes | None:
        """Return so many bytes; whatever else has arrived with them is kept, so that most frames take one call."""
        parts, there = [self._received], len(self._received)
        while there < count:
            part = os.read(self._reading, _READ_BYTES)
            if not part:
                return None
            parts.append(part)
            there += len(part)
        data = b"".join(parts)
        self._received = data[count:]
        return data[:count]
