"""The outputs of one execution, within their limits."""

from __future__ import annotations

import io
import json
import threading
import time
from collections.abc import Callable
from typing import Any

from .aliases import Aliases
from .framing import FrameWriter, Hold
from .jail import limits
from .pace import Pace

FLUSH_AFTER_S = 0.02
TEXTS, TEXTS_PER_S = 200, 40.0
"""Pieces of text that are sent as they come, and the rate beyond; then each waits to be sent with those that follow."""
FLUSHER = "flusher"
VALUE_CHARS = 64 * 1024
HTML_CHARS = 256 * 1024
TRACEBACK_CHARS = 16 * 1024
MESSAGE_CHARS = 4 * 1024
IMAGE_BYTES = 5 * 1024**2
PROGRESS_CHARS = 200
PROGRESS_AFTER_S = 0.2
TABLES = 50
PAGES = 50
CHARTS = 50
VALUES = 200
FILES = 500
INLINE_BYTES = 1024**2
TABLE_BYTES = 8 * 1024**2


def clipped(text: str, limit: int) -> str:
    """Return the head and the tail of `text`, with the number of omitted characters between them."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n… {len(text) - 2 * half} characters left out …\n{text[-half:]}"


def _by_stream(parts: list[tuple[str, list[str]]]) -> list[tuple[str, list[str]]]:
    """Join the text of each stream, which gives up the order between them."""
    joined: dict[str, list[str]] = {}
    for stream, pieces in parts:
        joined.setdefault(stream, []).extend(pieces)
    return list(joined.items())


class Emitter:
    """Sends outputs in the order of their creation. Text is buffered briefly and counted against a budget."""

    def __init__(self, wire: FrameWriter, hold: Hold) -> None:
        self._wire = wire
        self._hold = hold
        self._lock = threading.RLock()
        self.aliases = Aliases()
        self._buffer: list[tuple[str, list[str]]] = []
        self._pace = Pace(at_once=TEXTS, per_s=TEXTS_PER_S)
        self._flushed_at = 0.0
        self._flusher: _Flusher | None = None
        self.begin(text_chars=0, images=0)

    def connect(self, wire: FrameWriter) -> None:
        """Send to `wire` from now on: each fork has its own."""
        self._wire = wire

    def begin(self, *, text_chars: int, images: int) -> None:
        """Start an execution with fresh budgets."""
        self._text_left = text_chars
        self._images_left = images
        self._tables_left = TABLES
        self._pages_left = PAGES
        self._charts_left = CHARTS
        self._values_left = VALUES
        self._files: set[str] = set()
        self._pace.begin()
        self._flushed_at = 0.0
        self._began_at = time.monotonic()
        self._progress_at = 0.0
        self._ended = False
        self.cut_chars = 0

    def write(self, stream: str, text: str) -> None:
        """Send printed text: a whole line at once if nothing was sent for 20 ms, anything else within 20 ms."""
        with self._hold, self._lock:
            allowed = text[: self._text_left]
            self.cut_chars += len(text) - len(allowed)
            self._text_left -= len(allowed)
            if not allowed:
                return
            if not self._buffer or self._buffer[-1][0] != stream:
                self._buffer.append((stream, []))
            self._buffer[-1][1].append(allowed)
            # A line is a unit: `print` writes its line end separately.
            if allowed.endswith("\n") and time.monotonic() - self._flushed_at > FLUSH_AFTER_S and self._pace.left() > 0:
                self.flush()
            else:
                self._flush_soon()

    def _flush_soon(self) -> None:
        if self._flusher is None:
            flusher = _Flusher(self._flush_in_time)
            try:
                # A thread that has no memory to begin with never reports that it has: `start` would wait for ever.
                with limits.widened():
                    flusher.start()
            except RuntimeError:
                # The process cannot start another thread: send text immediately.
                self.flush()
                return
            self._flusher = flusher
        self._flusher.due.set()

    def _flush_in_time(self) -> bool:
        """Send the buffered text, unless too much was sent already. Returns whether the buffer is empty."""
        with self._hold, self._lock:
            if self._pace.left() > 0:
                self.flush()
            return not self._buffer

    def flush(self) -> None:
        """Send the buffered text."""
        with self._hold, self._lock:
            parts, self._buffer = self._buffer, []
            if not parts:
                return
            self._flushed_at = time.monotonic()
            if len(parts) > max(1, self._pace.left()):
                parts = _by_stream(parts)
            self._pace.spend(len(parts))
            for stream, pieces in parts:
                self._wire.send("text", stream=stream, text=self.aliases.said("".join(pieces)))

    def value(self, text: str) -> None:
        """Send the representation of a last expression's value; beyond some, they are lines of text."""
        with self._hold, self._lock:
            if self._values_left <= 0:
                self.write("stdout", f"{clipped(text, VALUE_CHARS)}\n")
                return
            self._values_left -= 1
            self.flush()
            self.write("value", clipped(text, VALUE_CHARS))
            self.flush()

    def html(self, text: str) -> None:
        """Send HTML, or leave it out if it is too long, since a part of it would not display."""
        if len(text) > HTML_CHARS:
            self.write("stderr", f"HTML was left out: {len(text)} characters, at most {HTML_CHARS} are shown.\n")
            return
        if self._pages_left <= 0:
            self.write("stderr", f"HTML was left out: at most {PAGES} pieces are shown at a time.\n")
            return
        self._pages_left -= 1
        self._send("html", text=self.aliases.said(text))

    def image(self, content: bytes) -> None:
        """Send a PNG image."""
        if self._images_left <= 0 or len(content) > IMAGE_BYTES:
            self.write("stderr", "A figure was left out: too many or too large.\n")
            return
        self._images_left -= 1
        self._send("image", content, mime="image/png")

    def table(self, table: dict[str, Any], role: str) -> bool:
        """Send a table in plain form.

        Returns True if it was sent completely and is small enough to be read inline, or if it was dropped because too
        many tables were shown.
        """
        if self._tables_left <= 0:
            self.write("stderr", f"A table was left out: at most {TABLES} are shown at a time.\n")
            return True
        self._tables_left -= 1
        content = self._encoded(table)
        while len(content) > TABLE_BYTES and len(table["rows"]) > 1:
            table = {**table, "rows": table["rows"][: len(table["rows"]) // 2]}
            content = self._encoded(table)
        self._send("table", content, role=role)
        return len(content) <= INLINE_BYTES and len(table["rows"]) == table["total_rows"]

    def chart(self, chart: dict[str, Any], option: dict[str, Any] | None) -> None:
        """Send a chart as data."""
        if self._charts_left <= 0:
            self.write("stderr", f"A chart was left out: at most {CHARTS} are shown at a time.\n")
            return
        self._charts_left -= 1
        content = self._encoded({"chart": chart, "option": option})
        if len(content) > TABLE_BYTES:
            self.write("stderr", f"A chart was left out: its data has {len(content)} bytes, at most {TABLE_BYTES}.\n")
            return
        self._send("chart", content)

    def file(self, path: str) -> None:
        """Report a file of the working folder as a result, once in an execution."""
        if path in self._files:
            return
        if len(self._files) >= FILES:
            self.write("stderr", f"A file was left out: at most {FILES} are handed over at a time.\n")
            return
        self._files.add(path)
        self._send("file", path=path)

    def progress(self, text: str, fraction: float | None) -> None:
        """Report the progress of the code, at a limited rate; its end at once, but once."""
        now = time.monotonic()
        ends = fraction == 1.0 and not self._ended
        if now - self._progress_at < PROGRESS_AFTER_S and not ends:
            return
        self._progress_at, self._ended = now, fraction == 1.0
        self._send("progress", text=clipped(text, PROGRESS_CHARS), fraction=fraction, elapsed_s=now - self._began_at)

    def error(self, name: str, message: str, traceback: str) -> None:
        """Send the exception that ended the execution."""
        self._send(
            "error",
            name=clipped(name, 200),
            message=clipped(self.aliases.said(message), MESSAGE_CHARS),
            traceback=clipped(self.aliases.said(traceback), TRACEBACK_CHARS),
        )

    def _send(self, kind: str, blob: bytes = b"", /, **fields: Any) -> None:
        with self._hold, self._lock:
            self.flush()
            self._wire.send(kind, blob, **fields)

    def _encoded(self, value: object) -> bytes:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return self.aliases.said(text).encode(errors="replace")


class _Flusher(threading.Thread):
    """Sends buffered text after a moment. There is one per process, since starting a thread takes milliseconds."""

    def __init__(self, flush: Callable[[], bool]) -> None:
        super().__init__(name=FLUSHER, daemon=True)
        self.due = threading.Event()
        self._flush = flush

    def run(self) -> None:
        """Wait for text, then for a moment, then send it."""
        while True:
            self.due.wait()
            self.due.clear()
            time.sleep(FLUSH_AFTER_S)
            while not self._flush():
                time.sleep(FLUSH_AFTER_S)


class Stream(io.TextIOBase):
    """The `sys.stdout` or `sys.stderr` of user code."""

    def __init__(self, emitter: Emitter, name: str) -> None:
        super().__init__()
        self._emitter = emitter
        self._stream = name
        self.buffer = _Bytes(self)

    @property
    def encoding(self) -> str:  # type: ignore[override]  # the library's stub has an attribute where the class has none
        return "utf-8"

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        """Send `text`."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._emitter.write(self._stream, text)
        return len(text)

    def close(self) -> None:
        """Do nothing: the stream stays open."""


class _Bytes(io.RawIOBase):
    """The `buffer` of a stream: accepts bytes for the same destination."""

    def __init__(self, stream: Stream) -> None:
        super().__init__()
        self._stream = stream

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        """Send `data`, decoded as UTF-8."""
        raw = bytes(data)
        self._stream.write(raw.decode(errors="replace"))
        return len(raw)

    def close(self) -> None:
        """Do nothing: the stream stays open."""
