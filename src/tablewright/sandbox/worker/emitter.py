"""The outputs of one execution, within their limits."""

from __future__ import annotations

import io
import json
import threading
import time
from collections.abc import Callable
from typing import Any

from .aliases import Aliases
from .framing import Hold, Wire
from .jail import limits

FLUSH_AFTER_S = 0.02
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
INLINE_BYTES = 1024**2
TABLE_BYTES = 8 * 1024**2


def clipped(text: str, limit: int) -> str:
    """Return the head and the tail of `text`, with the number of omitted characters between them."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n… {len(text) - 2 * half} characters left out …\n{text[-half:]}"


class Emitter:
    """Sends outputs in the order of their creation. Text is buffered briefly and counted against a budget."""

    def __init__(self, wire: Wire, hold: Hold) -> None:
        self._wire = wire
        self._hold = hold
        self._lock = threading.RLock()
        self.aliases = Aliases()
        self._buffer: list[str] = []
        self._stream = "stdout"
        self._flushed_at = 0.0
        self._flusher: _Flusher | None = None
        self.begin(text_chars=0, images=0)

    def connect(self, wire: Wire) -> None:
        """Send to `wire` from now on: each fork has its own."""
        self._wire = wire

    def begin(self, *, text_chars: int, images: int) -> None:
        """Start an execution with fresh budgets."""
        self._text_left = text_chars
        self._images_left = images
        self._tables_left = TABLES
        self._pages_left = PAGES
        self._charts_left = CHARTS
        self._flushed_at = 0.0
        self._began_at = time.monotonic()
        self._progress_at = 0.0
        self.cut_chars = 0

    def write(self, stream: str, text: str) -> None:
        """Send printed text: a whole line at once if nothing was sent for 20 ms, anything else within 20 ms."""
        with self._hold, self._lock:
            allowed = text[: self._text_left]
            self.cut_chars += len(text) - len(allowed)
            self._text_left -= len(allowed)
            if not allowed:
                return
            if stream != self._stream:
                self.flush()
                self._stream = stream
            self._buffer.append(allowed)
            # A line is a unit: `print` writes its line end separately.
            if allowed.endswith("\n") and time.monotonic() - self._flushed_at > FLUSH_AFTER_S:
                self.flush()
            else:
                self._flush_soon()

    def _flush_soon(self) -> None:
        if self._flusher is None:
            flusher = _Flusher(self.flush)
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

    def flush(self) -> None:
        """Send the buffered text."""
        with self._hold, self._lock:
            text, self._buffer = "".join(self._buffer), []
            if text:
                self._flushed_at = time.monotonic()
                self._wire.send("text", stream=self._stream, text=self.aliases.said(text))

    def value(self, text: str) -> None:
        """Send the representation of a last expression's value."""
        with self._hold, self._lock:
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
        """Report a file of the working folder as a result."""
        self._send("file", path=path)

    def progress(self, text: str, fraction: float | None) -> None:
        """Report the progress of the code, at a limited rate."""
        now = time.monotonic()
        if now - self._progress_at < PROGRESS_AFTER_S and fraction != 1.0:
            return
        self._progress_at = now
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

    def __init__(self, flush: Callable[[], None]) -> None:
        super().__init__(name=FLUSHER, daemon=True)
        self.due = threading.Event()
        self._flush = flush

    def run(self) -> None:
        """Wait for text, then for a moment, then send it."""
        while True:
            self.due.wait()
            self.due.clear()
            time.sleep(FLUSH_AFTER_S)
            self._flush()


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
