"""Parts of the worker's program that need no other library."""

from __future__ import annotations

import ast
import datetime
import decimal
import json
import os
import resource
import select
import signal
from collections.abc import Iterator

import pytest

from tablewright.sandbox.worker.aliases import Aliases
from tablewright.sandbox.worker.cells import plain
from tablewright.sandbox.worker.charts import chart_of
from tablewright.sandbox.worker.emitter import Emitter, Stream, clipped
from tablewright.sandbox.worker.framing import PREFIX, FrameWriter
from tablewright.sandbox.worker.interrupts import Interrupts
from tablewright.sandbox.worker.jail import limits, mounts
from tablewright.sandbox.worker.tables import table_of


@pytest.fixture
def ends() -> Iterator[tuple[FrameWriter, FrameWriter]]:
    first_reading, first_writing = os.pipe()
    second_reading, second_writing = os.pipe()
    yield (
        FrameWriter(first_reading, second_writing, Interrupts()),
        FrameWriter(second_reading, first_writing, Interrupts()),
    )
    for descriptor in (first_reading, first_writing, second_reading, second_writing):
        os.close(descriptor)


def received(wire: FrameWriter) -> tuple[dict[str, object], bytes]:
    found = wire.receive()
    assert found is not None
    return found


class TestWire:
    def test_frames_cross_any_pair_of_pipes(self, ends: tuple[FrameWriter, FrameWriter]) -> None:
        here, there = ends
        here.send("image", b"\x00\xff", mime="image/png", text="数\ud800")
        header, blob = received(there)
        assert (header["kind"], header["mime"], blob) == ("image", "image/png", b"\x00\xff")

    def test_a_frame_that_would_not_be_read_is_not_sent(self, ends: tuple[FrameWriter, FrameWriter]) -> None:
        here, there = ends
        here.send("image", bytes(17 * 1024**2))
        here.send("pong")
        assert received(there)[0]["kind"] == "pong"

    def test_frames_that_have_arrived_are_read_at_once(self) -> None:
        reading, writing = os.pipe()
        wire = FrameWriter(reading, writing, Interrupts())
        wire.send("one")
        wire.send("two", b"blob")
        assert received(wire)[0]["kind"] == "one"
        assert not select.select([reading], [], [], 0)[0]
        assert received(wire)[1] == b"blob"
        os.close(reading)
        os.close(writing)

    def test_the_end_of_the_stream_is_none(self) -> None:
        reading, writing = os.pipe()
        os.write(writing, PREFIX.pack(10, 0) + b"abc")
        os.close(writing)
        assert FrameWriter(reading, reading, Interrupts()).receive() is None
        os.close(reading)


class TestEmitter:
    def texts(self, ends: tuple[FrameWriter, FrameWriter], count: int) -> list[tuple[object, object]]:
        found = [received(ends[1])[0] for _ in range(count)]
        return [(header["stream"], header["text"]) for header in found]

    def emitter(self, ends: tuple[FrameWriter, FrameWriter], *, chars: int = 1000, images: int = 1) -> Emitter:
        made = Emitter(ends[0], Interrupts())
        made.begin(text_chars=chars, images=images)
        return made

    def test_streams_keep_their_order(self, ends: tuple[FrameWriter, FrameWriter]) -> None:
        emitter = self.emitter(ends)
        for stream, text in (("stdout", "a"), ("stdout", "b"), ("stderr", "c"), ("stdout", "d")):
            Stream(emitter, stream).write(text)
        emitter.flush()
        assert self.texts(ends, 3) == [("stdout", "ab"), ("stderr", "c"), ("stdout", "d")]

    def test_text_beyond_the_budget_is_counted(self, ends: tuple[FrameWriter, FrameWriter]) -> None:
        emitter = self.emitter(ends, chars=5)
        emitter.write("stdout", "12345678")
        emitter.write("stdout", "9")
        emitter.flush()
        assert self.texts(ends, 1) == [("stdout", "12345")]
        assert emitter.cut_chars == 4

    def test_text_goes_out_by_itself(self, ends: tuple[FrameWriter, FrameWriter]) -> None:
        emitter = self.emitter(ends)
        emitter.write("stdout", "line\n")
        emitter.write("stdout", "then")
        assert self.texts(ends, 2) == [("stdout", "line\n"), ("stdout", "then")]

    def test_figures_beyond_the_budget_are_said_to_be_left_out(self, ends: tuple[FrameWriter, FrameWriter]) -> None:
        emitter = self.emitter(ends)
        emitter.image(b"one")
        emitter.image(b"two")
        emitter.flush()
        assert received(ends[1])[1] == b"one"
        assert self.texts(ends, 1)[0][0] == "stderr"

    def test_a_table_that_is_too_large_for_a_frame_loses_rows_not_its_count(
        self, ends: tuple[FrameWriter, FrameWriter]
    ) -> None:
        emitter = Emitter(FrameWriter(0, os.open(os.devnull, os.O_WRONLY), Interrupts()), Interrupts())
        sent: list[bytes] = []
        emitter.connect(type("Kept", (), {"send": lambda _self, _kind, blob=b"", **_fields: sent.append(blob)})())
        emitter.begin(text_chars=0, images=0)
        emitter.table({"columns": ["a"], "rows": [["x" * 30_000]] * 1000, "total_rows": 1000}, "result")
        table = json.loads(sent[0])
        assert len(sent[0]) <= 8 * 1024**2
        assert 0 < len(table["rows"]) < 1000
        assert table["total_rows"] == 1000

    def test_clipping_keeps_both_ends(self) -> None:
        assert clipped("abc", 3) == "abc"
        assert clipped("a" * 50 + "z" * 50, 20).startswith("a" * 10)
        assert clipped("a" * 50 + "z" * 50, 20).endswith("z" * 10)


class TestInterrupts:
    @pytest.fixture
    def interrupts(self) -> Iterator[Interrupts]:
        before = signal.getsignal(signal.SIGINT)
        made = Interrupts()
        made.install()
        yield made
        signal.signal(signal.SIGINT, before)

    def test_a_signal_outside_user_code_does_nothing(self, interrupts: Interrupts) -> None:
        signal.raise_signal(signal.SIGINT)
        interrupts.begin()
        interrupts.end()
        signal.raise_signal(signal.SIGINT)

    def test_a_signal_interrupts_user_code(self, interrupts: Interrupts) -> None:
        interrupts.begin()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        interrupts.end()

    def test_a_held_section_is_finished_first(self, interrupts: Interrupts) -> None:
        done = []
        interrupts.begin()

        def section() -> None:
            with interrupts, interrupts:
                signal.raise_signal(signal.SIGINT)
                done.append("the section")

        with pytest.raises(KeyboardInterrupt):
            section()
        interrupts.end()
        assert done == ["the section"]


class TestAliases:
    def translated(self, code: str) -> str:
        aliases = Aliases()
        aliases.use([("/data/shared", "/real/shared"), ("/data/sessions/7", "/real/work")])
        return ast.unparse(aliases.visit(ast.parse(code)))

    @pytest.mark.parametrize(
        ("code", "real"),
        [
            ("open('/data/shared/a.csv')", "open('/real/shared/a.csv')"),
            ("base = '/data/shared'", "base = '/real/shared'"),
            ("f'/data/shared/{name}'", "f'/real/shared/{name}'"),
            ("sql(\"select * from '/data/shared/a.csv'\")", "sql(\"select * from '/real/shared/a.csv'\")"),
            ("open('/data/sessions/7/x')", "open('/real/work/x')"),
            ("x = '/data/sharedish'", "x = '/data/sharedish'"),
            ("x = '/other/data/shared'", "x = '/other/data/shared'"),
            ("data / shared", "data / shared"),
        ],
    )
    def test_literals_are_read_as_the_real_folders(self, code: str, real: str) -> None:
        assert self.translated(code) == real

    def test_what_comes_out_says_what_the_code_said(self) -> None:
        aliases = Aliases()
        aliases.use([("/data/shared", "/real/shared")])
        assert aliases.said("no such file: /real/shared/a.csv") == "no such file: /data/shared/a.csv"


class TestTables:
    def test_numbers_that_json_has_no_word_for_are_nothing(self) -> None:
        assert [plain(value) for value in (float("nan"), float("inf"), decimal.Decimal("NaN"))] == [None, None, None]

    def test_values_keep_their_kind(self) -> None:
        values = (True, 5, 2.5, "x", None, decimal.Decimal(2), datetime.time(1, 2), b"raw", 2**70)
        assert [plain(value) for value in values] == [True, 5, 2.5, "x", None, 2, "01:02:00", "raw", str(2**70)]

    def test_a_list_that_holds_itself_is_text(self) -> None:
        endless: list[object] = []
        endless.append(endless)
        assert isinstance(plain(endless), str)

    def test_what_is_no_table_is_none(self) -> None:
        for value in (None, print, ast):
            assert table_of(value) is None or value is ast

    def test_a_chart_needs_parts_of_one_length(self) -> None:
        chart = chart_of("bar", {"a": [1, 2], "b": [3, 4]}, "a", "b", series=None, title=None)
        assert (chart["x"], chart["y"]) == ([1, 2], [3, 4])
        with pytest.raises(ValueError, match="same length"):
            chart_of("bar", None, [1, 2], [1], series=None, title=None)


class TestMounts:
    def test_a_path_within_another_is_not_mounted_twice(self) -> None:
        paths = ["/usr/lib/python", "/usr", "/opt/env", "/opt/environment", "/usr"]
        assert mounts.outermost(paths) == ["/usr", "/opt/env", "/opt/environment"]

    def test_the_libraries_of_this_process_are_found(self) -> None:
        assert any("lib" in folder for folder in mounts.mapped_libraries())


class TestReserve:
    def test_limits_are_asked_for_once_and_again_after_code_has_lowered_them(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        hard, asked, left = 10 * 1024**3, list[int](), dict[int, tuple[int, int]]()

        def answer(kind: int) -> tuple[int, int]:
            asked.append(kind)
            return left.get(kind, (hard, hard))

        def accept(kind: int, pair: tuple[int, int]) -> None:
            if pair[1] > hard:
                raise ValueError("not allowed to raise maximum limit")
            left[kind] = pair

        monkeypatch.setattr(resource, "getrlimit", answer)
        monkeypatch.setattr(resource, "setrlimit", accept)
        reserve = limits.Reserve()
        for _ in range(3):
            reserve.narrow()
            assert set(left.values()) == {(hard - limits.HEADROOM_BYTES, hard)}
            reserve.widen()
            assert set(left.values()) == {(hard, hard)}
        assert len(asked) == len(left) == 2
        hard = 5 * 1024**3
        left = dict.fromkeys(left, (hard, hard))
        reserve.narrow()
        assert set(left.values()) == {(hard - limits.HEADROOM_BYTES, hard)}
