from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tablewright.sandbox import frames
from tablewright.sandbox.base import ChartOutput, ErrorOutput, FileOutput, ImageOutput, TableOutput, TextOutput

PNG = b"\x89PNG\r\n\x1a\n"
TABLE: dict[str, Any] = {"columns": ["a"], "rows": [[1], [None]], "total_rows": 2}
CHART: dict[str, Any] = {"kind": "bar", "x": ["a"], "y": [1], "series": None, "labels": {}, "title": None}


def raw(header: object, blob: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return frames.PREFIX.pack(len(text), len(blob)) + text + blob


async def read(data: bytes) -> frames.WorkerFrame | None:
    reader = asyncio.StreamReader()
    reader.feed_data(data)
    reader.feed_eof()
    return await frames.read(reader)


def frame(kind: str, blob: object = b"", **fields: Any) -> frames.WorkerFrame:
    content = blob if isinstance(blob, bytes) else json.dumps(blob).encode()
    return frames.WorkerFrame(kind=kind, header={"kind": kind, **fields}, blob=content, size_bytes=len(content))


async def test_a_frame_comes_back_as_it_was_sent() -> None:
    found = await read(raw({"kind": "text", "text": "数"}, b"blob"))
    assert found is not None
    assert (found.kind, found.text("text"), found.blob) == ("text", "数", b"blob")
    assert found.size_bytes == len(raw({"kind": "text", "text": "数"}, b"blob")) - frames.PREFIX.size


def test_words_that_cannot_be_kept_are_left_out() -> None:
    assert frames.output(frame("text", stream="stdout", text="a\0b\ud800")) == TextOutput(text="ab?")
    assert frames.output(frame("file", path="output/\0\udcff.csv")) == FileOutput(path="output/?.csv")


@pytest.mark.parametrize("figure", [float("nan"), float("inf"), -1, -0.5, 10**400, True, "1", None])
def test_a_figure_is_finite_and_within_all_measure(figure: object) -> None:
    with pytest.raises(frames.ProtocolViolation):
        frame("done", threads=figure).number("threads")


async def test_a_stream_that_ends_is_no_frame() -> None:
    whole = raw({"kind": "text"}, b"blob")
    for length in range(len(whole)):
        assert await read(whole[:length]) is None


@pytest.mark.parametrize(
    "data",
    [
        frames.PREFIX.pack(2**31, 2**31),
        raw(b"\xff\xfe"),
        raw(b"[" * 50_000),
        raw(b'{"kind":' * 5_000),
        raw([1]),
        raw({"kind": 5}),
        raw({}),
    ],
)
async def test_what_no_worker_sends_is_a_violation(data: bytes) -> None:
    with pytest.raises(frames.ProtocolViolation):
        await read(data)


def test_each_kind_becomes_its_output() -> None:
    assert frames.output(frame("text", stream="stdout", text="x")) == TextOutput(text="x")
    assert frames.output(frame("text", stream="anything", text="x")) == TextOutput(text="x")
    assert frames.output(frame("image", PNG)) == ImageOutput(mime="image/png", content=PNG)
    assert frames.output(frame("file", path="a/b.txt")) == FileOutput(path="a/b.txt")
    table = frames.output(frame("table", TABLE, role="result"))
    assert isinstance(table, TableOutput)
    assert (table.role, table.table.rows) == ("result", ((1,), (None,)))
    chart = frames.output(frame("chart", {"chart": CHART, "option": {"a": [1]}}))
    assert isinstance(chart, ChartOutput)
    assert (chart.chart.kind, chart.option) == ("bar", {"a": [1]})
    assert isinstance(frames.output(frame("error", name="E", message="m", traceback="t")), ErrorOutput)


@pytest.mark.parametrize(
    "bad",
    [
        frame("nothing"),
        frame("text", stream="stdout"),
        frame("text", stream="stdout", text=5),
        frame("image", b"<svg>"),
        frame("file", path="/etc/passwd"),
        frame("file", path="a/../../b"),
        frame("file", path=""),
        frame("table", b"{", role="result"),
        frame("table", {**TABLE, "rows": [[1, 2]]}, role="result"),
        frame("table", {**TABLE, "rows": [[{"a": 1}]]}, role="result"),
        frame("table", {**TABLE, "rows": [[10**30], [1]]}, role="result"),
        frame("table", {**TABLE, "total_rows": 1}, role="result"),
        frame("table", {**TABLE, "rows": [], "total_rows": 10**30}, role="result"),
        frame("progress", text="", elapsed_s=float("nan")),
        frame("chart", {"chart": {**CHART, "y": [-(10**30)]}}),
        frame("table", b"[" * 100_000, role="result"),
        frame("chart", {"chart": {**CHART, "kind": "tower"}}),
        frame("chart", {"chart": {**CHART, "y": [1, 2]}}),
    ],
    ids=lambda bad: bad.kind,
)
def test_an_output_that_does_not_fit_is_a_violation(bad: frames.WorkerFrame) -> None:
    with pytest.raises(frames.ProtocolViolation):
        frames.output(bad)
