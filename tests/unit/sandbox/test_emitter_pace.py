"""A worker sends few frames however busy the code is, and loses none of what they say."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

from tablewright.sandbox.worker.emitter import FILES, TEXTS, TEXTS_PER_S, VALUES, Emitter
from tablewright.sandbox.worker.framing import FrameWriter
from tablewright.sandbox.worker.interrupts import Interrupts


class CountedWire:
    """Keeps what is sent."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, dict[str, Any]]] = []

    def send(self, kind: str, _blob: bytes = b"", /, **fields: Any) -> None:
        self.sent.append((kind, fields))

    def text(self, stream: str) -> str:
        return "".join(fields["text"] for kind, fields in self.sent if kind == "text" and fields["stream"] == stream)

    def count(self, kind: str) -> int:
        return Counter(kind for kind, _ in self.sent)[kind]


def emitter_on(wire: CountedWire) -> Emitter:
    made = Emitter(FrameWriter(0, 1, Interrupts()), Interrupts())
    made.connect(wire)  # type: ignore[arg-type]  # all that it needs of a wire
    made.begin(text_chars=10_000_000, images=1)
    return made


def test_streams_that_alternate_are_joined_once_they_have_done_so_often() -> None:
    wire = CountedWire()
    emitter = emitter_on(wire)
    started = time.monotonic()
    for number in range(20_000):
        emitter.write("stdout", f"{number}\n")
        emitter.write("stderr", f"-{number}\n")
    emitter.flush()
    assert wire.count("text") <= TEXTS + TEXTS_PER_S * (time.monotonic() - started) + 4
    assert wire.text("stdout") == "".join(f"{number}\n" for number in range(20_000))
    assert wire.text("stderr") == "".join(f"-{number}\n" for number in range(20_000))


def test_values_beyond_some_are_lines_of_text() -> None:
    wire = CountedWire()
    emitter = emitter_on(wire)
    started = time.monotonic()
    for number in range(5_000):
        emitter.value(str(number))
    emitter.flush()
    values = [fields["text"] for _, fields in wire.sent if fields["stream"] == "value"]
    assert values == [str(number) for number in range(VALUES)]
    assert wire.text("stdout") == "".join(f"{number}\n" for number in range(VALUES, 5_000))
    assert wire.count("text") <= TEXTS + VALUES + TEXTS_PER_S * (time.monotonic() - started) + 4


def test_a_file_is_handed_over_once_and_not_without_end() -> None:
    wire = CountedWire()
    emitter = emitter_on(wire)
    for number in range(FILES + 100):
        for _ in range(10):
            emitter.file(f"{number}.csv")
    emitter.flush()
    assert wire.count("file") == FILES
    assert "A file was left out" in wire.text("stderr")


def test_the_end_of_progress_is_told_at_once_and_once() -> None:
    wire = CountedWire()
    emitter = emitter_on(wire)
    emitter.progress("", 0.5)
    started = time.monotonic()
    for _ in range(10_000):
        emitter.progress("", 1.0)
        emitter.progress("", 0.5)
    fractions = [fields["fraction"] for _, fields in wire.sent]
    assert fractions[:2] == [0.5, 1.0]
    assert len(fractions) <= 2 + 2 * (time.monotonic() - started) / 0.2
