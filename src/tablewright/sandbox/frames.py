"""The supervisor's end of the frames that a worker sends. Everything received was written by untrusted code."""

from __future__ import annotations

import asyncio
import json
import struct
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Literal

from pydantic import JsonValue, ValidationError

from tablewright.domain.chart import Chart
from tablewright.domain.codec import from_json
from tablewright.domain.naming import storable
from tablewright.domain.table import Cell, Table
from tablewright.sandbox.base import (
    ChartOutput,
    ErrorOutput,
    FileOutput,
    HtmlOutput,
    ImageOutput,
    Output,
    ProgressOutput,
    TableOutput,
    TextOutput,
)
from tablewright.sandbox.error_paths import without_libraries

PREFIX = struct.Struct(">II")
MAX_FRAME_BYTES = 16 * 1024**2
_JSON = json.JSONEncoder(ensure_ascii=False)
_STREAMS: dict[str, Literal["stderr", "value"]] = {"stderr": "stderr", "value": "value"}
_MESSAGE_CHARS = 200
_PNG = b"\x89PNG\r\n\x1a\n"
_LARGEST_FIGURE = 10**15
"""Limit on the figures that a worker reports about itself: bytes, seconds, characters."""
_LARGEST_WHOLE = 2**63
"""Limit on whole numbers in a table: a worker writes larger ones as text."""


class ProtocolViolation(Exception):
    """The worker sent something that no regular worker sends; it is killed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerFrame:
    """One message of a worker."""

    kind: str
    header: dict[str, Any]
    blob: bytes
    size_bytes: int

    def text(self, name: str) -> str:
        """Return a header field that must be text, with characters that cannot be stored removed or replaced."""
        value = self.header.get(name)
        if not isinstance(value, str):
            raise ProtocolViolation(f"{self.kind}.{name} is not text")
        return storable(value)

    def number(self, name: str) -> float:
        """Return a header field that must be a number: finite, not negative, and at most `_LARGEST_FIGURE`."""
        value = self.header.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _LARGEST_FIGURE:
            raise ProtocolViolation(f"{self.kind}.{name} is not a figure")
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class _ChartForm:
    chart: Chart
    option: dict[str, JsonValue] | None = None


def encode(kind: str, /, **fields: Any) -> bytes:
    """Return a frame without a blob."""
    header = _JSON.encode({"kind": kind, **fields}).encode(errors="replace")
    return PREFIX.pack(len(header), 0) + header


async def read(reader: asyncio.StreamReader, begin_s: float | None = None) -> WorkerFrame | None:
    """Return the next frame, or None at the end of the stream.

    Raises TimeoutError if no frame begins within `begin_s`; nothing is lost in that case.
    """
    try:
        async with asyncio.timeout(begin_s):
            prefix = await reader.readexactly(PREFIX.size)
        header_length, blob_length = PREFIX.unpack(prefix)
        if header_length + blob_length > MAX_FRAME_BYTES:
            raise ProtocolViolation(f"a frame of {header_length + blob_length} bytes")
        raw = await reader.readexactly(header_length)
        blob = await reader.readexactly(blob_length) if blob_length else b""
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    size = header_length + blob_length
    return WorkerFrame(kind=(header := _header(raw))["kind"], header=header, blob=blob, size_bytes=size)


def _header(raw: bytes) -> dict[str, Any]:
    try:
        header = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise ProtocolViolation("a header that is not JSON") from error
    if not isinstance(header, dict) or not isinstance(header.get("kind"), str):
        raise ProtocolViolation("a header without a kind")
    return header


def output(frame: WorkerFrame) -> Output:
    """Decode the output in a frame."""
    convert = _CONVERSIONS.get(frame.kind)
    if convert is None:
        raise ProtocolViolation(f"a frame of kind {frame.kind[:40]!r}")
    try:
        return convert(frame)
    except ValidationError as error:
        raise ProtocolViolation(f"{frame.kind}: {error.error_count()} faults") from error


def _text(frame: WorkerFrame) -> Output:
    return TextOutput(text=frame.text("text"), stream=_STREAMS.get(frame.text("stream"), "stdout"))


def _error(frame: WorkerFrame) -> Output:
    message, traceback = without_libraries(frame.text("message")), without_libraries(frame.text("traceback"))
    return ErrorOutput(name=frame.text("name"), message=message, traceback=traceback)


def _image(frame: WorkerFrame) -> Output:
    if not frame.blob.startswith(_PNG):
        raise ProtocolViolation("an image that is not PNG")
    return ImageOutput(mime="image/png", content=frame.blob)


def _table(frame: WorkerFrame) -> Output:
    table = from_json(Table, frame.blob)
    if any(len(row) != len(table.columns) for row in table.rows) or table.total_rows < len(table.rows):
        raise ProtocolViolation("a table with ragged rows")
    if not _fits(table.total_rows) or not all(_fits(value) for row in table.rows for value in row):
        raise ProtocolViolation("a table with a number that no worker sends")
    return TableOutput(table=table, role="result" if frame.text("role") == "result" else "shown")


def _chart(frame: WorkerFrame) -> Output:
    form = from_json(_ChartForm, frame.blob)
    lengths = {len(form.chart.x), len(form.chart.y), len(form.chart.series or form.chart.x)}
    if len(lengths) != 1:
        raise ProtocolViolation("a chart whose parts differ in length")
    if not all(map(_fits, (*form.chart.x, *form.chart.y))):
        raise ProtocolViolation("a chart with a number that no worker sends")
    return ChartOutput(chart=form.chart, option=form.option)


def _fits(value: Cell) -> bool:
    return not isinstance(value, int) or -_LARGEST_WHOLE <= value < _LARGEST_WHOLE


def _file(frame: WorkerFrame) -> Output:
    path = PurePosixPath(frame.text("path"))
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise ProtocolViolation("a file outside the working folder")
    return FileOutput(path=str(path))


def _progress(frame: WorkerFrame) -> Output:
    fraction = frame.number("fraction") if frame.header.get("fraction") is not None else None
    return ProgressOutput(
        elapsed_s=frame.number("elapsed_s"),
        message=frame.text("text")[:_MESSAGE_CHARS],
        fraction=None if fraction is None else min(1.0, fraction),
    )


_CONVERSIONS = {
    "text": _text,
    "error": _error,
    "image": _image,
    "html": lambda frame: HtmlOutput(html=frame.text("text")),
    "table": _table,
    "chart": _chart,
    "file": _file,
    "progress": _progress,
}
