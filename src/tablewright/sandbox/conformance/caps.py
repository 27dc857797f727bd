"""Oversized output is truncated with a note, and long executions report progress."""

from __future__ import annotations

import pytest

from tablewright.sandbox.base import (
    ChartOutput,
    FileOutput,
    HtmlOutput,
    ImageOutput,
    Output,
    ProgressOutput,
    Session,
    TableOutput,
)
from tablewright.sandbox.conformance.examples import end, one, run, text

_PANDAS = "import pandas as pd, numpy as np, tw\n"
_PAGE = "class Page:\n    def _repr_html_(self):\n        return '<b>x</b>' * {count}\nPage()"


def _count(outputs: list[Output], kind: type[Output]) -> int:
    return sum(isinstance(output, kind) for output in outputs)


async def _content(session: Session, path: str) -> bytes:
    return b"".join([chunk async for chunk in session.read(path)])


class CapsConformance:
    """Needs the fixture `session`, with pandas and matplotlib in it."""

    async def test_a_page_that_is_too_long_is_left_out_and_said_to_be(self, session: Session) -> None:
        outputs = await run(session, _PAGE.format(count=100_000))
        assert _count(outputs, HtmlOutput) == 0
        assert "HTML was left out: 800000 characters" in text(outputs)

    async def test_a_styled_frame_is_shown_as_it_looks_and_told_as_it_is(self, session: Session) -> None:
        code = f"{_PANDAS}pd.DataFrame({{'city': ['北京'], 'n': [1]}}).style.highlight_max(color='red')"
        outputs = await run(session, code)
        assert "background-color: red" in one(outputs, HtmlOutput).html
        assert "北京" in text(outputs)
        assert "Styler" not in text(outputs)

    async def test_tables_beyond_the_cap_are_left_out_and_said_to_be(self, session: Session) -> None:
        outputs = await run(session, "import tw\nfor n in range(52):\n    tw.table([n])")
        assert _count(outputs, TableOutput) == 50
        assert text(outputs).count("A table was left out") == 2

    async def test_pages_and_charts_beyond_the_cap_are_left_out_and_said_to_be(self, session: Session) -> None:
        page = "class Page:\n    def _repr_html_(self):\n        return 'x'\n"
        outputs = await run(
            session, f"{page}for n in range(52):\n    display(Page())\n    tw.chart('bar', x=[1], y=[n])"
        )
        assert (_count(outputs, HtmlOutput), _count(outputs, ChartOutput)) == (50, 50)
        assert text(outputs).count("HTML was left out: at most 50") == 2
        assert text(outputs).count("A chart was left out: at most 50") == 2

    async def test_figures_beyond_the_cap_are_left_out_and_said_to_be(self, session: Session) -> None:
        # Garbage collected at once, so that a new figure may reuse the address of an old one.
        shows = "plt.figure(figsize=(1, 1)); plt.show(); gc.collect()"
        code = f"import gc, matplotlib.pyplot as plt\nfor n in range(12):\n    {shows}"
        outputs = await run(session, code)
        assert _count(outputs, ImageOutput) == 10
        assert text(outputs).count("A figure was left out") == 2

    async def test_a_chart_of_too_much_data_is_left_out_and_said_to_be(self, session: Session) -> None:
        option = "{str(number): 'x' * 30_000 for number in range(400)}"
        outputs = await run(session, f"import tw\ntw.chart('bar', x=['a'], y=[1], option={option})")
        assert _count(outputs, ChartOutput) == 0
        assert "A chart was left out" in text(outputs)

    async def test_a_long_value_is_cut_in_its_middle_and_said_to_be(self, session: Session) -> None:
        said = text(await run(session, "'a' * 50_000 + 'b' * 50_000"))
        assert said.startswith("'a")
        assert said.endswith("b'")
        assert "34466 characters left out" in said

    async def test_a_result_that_fits_is_put_out_in_line_only(self, session: Session) -> None:
        outputs = await run(session, f"{_PANDAS}result = pd.DataFrame({{'a': range(500)}})")
        assert len(one(outputs, TableOutput).table.rows) == 500
        assert _count(outputs, FileOutput) == 0

    @pytest.mark.parametrize("value", ["pd.DataFrame({'a': range(25_000)})", "list(range(25_000))"])
    async def test_a_result_that_is_cut_is_handed_over_whole_as_a_file(self, session: Session, value: str) -> None:
        outputs = await run(session, f"{_PANDAS}result = {value}")
        assert one(outputs, TableOutput).table.total_rows == 25_000
        path = one(outputs, FileOutput).path
        assert path == "output/result.csv"
        lines = (await _content(session, path)).decode("utf-8-sig").splitlines()
        assert (len(lines), lines[-1]) == (25_001, "24999")

    async def test_a_result_that_is_larger_than_a_megabyte_is_handed_over_too(self, session: Session) -> None:
        outputs = await run(session, f"{_PANDAS}result = pd.DataFrame({{'a': ['文' * 1000] * 500}})")
        assert len(one(outputs, TableOutput).table.rows) == 500
        assert len((await _content(session, one(outputs, FileOutput).path)).decode()) > 500_000

    async def test_a_result_of_very_many_cells_is_a_parquet_file(self, session: Session) -> None:
        outputs = await run(session, f"{_PANDAS}result = pd.DataFrame({{'a': range(600_000), 'b': 1.5}})", timeout_s=60)
        path = one(outputs, FileOutput).path
        assert path == "output/result.parquet"
        assert (await _content(session, path)).startswith(b"PAR1")

    async def test_a_result_that_cannot_be_written_says_so_and_is_still_a_result(self, session: Session) -> None:
        spoil = "import os, shutil\nshutil.rmtree('output', ignore_errors=True)\nopen('output', 'w').close()\n"
        outputs = await run(session, f"{_PANDAS}{spoil}result = list(range(25_000))")
        assert one(outputs, TableOutput).table.total_rows == 25_000
        assert "could not be written whole" in text(outputs)
        assert end(await run(session, "os.unlink('output')")).status == "ok"

    async def test_code_tells_how_far_it_has_come(self, session: Session) -> None:
        code = "import time, tw\nfor n in range(4):\n    tw.progress(n + 1, 4, f'part {n + 1}')\n    time.sleep(0.25)"
        told = [output for output in await run(session, code) if isinstance(output, ProgressOutput)]
        assert [(output.message, output.fraction) for output in told] == [
            (f"part {n}", n / 4) for n in (1, 2, 3, 4)
        ]  # none is dropped: they are a quarter of a second apart
        assert told[-1].elapsed_s >= 0.75

    async def test_progress_that_nobody_could_read_is_thinned_out(self, session: Session) -> None:
        outputs = await run(session, "import tw\nfor n in range(10_000):\n    tw.progress(n, 10_000)\ntw.progress(1)")
        told = [output for output in outputs if isinstance(output, ProgressOutput)]
        assert 2 <= len(told) < 50
        assert told[-1].fraction == 1.0

    @pytest.mark.parametrize(
        "code",
        [
            "import sys\nfor n in range(60_000):\n    print(n)\n    print(n, file=sys.stderr)",
            "for n in range(3_000):\n    display(n)",
            "import tw\nfor n in range(30_000):\n    tw.progress(1)",
            "import tw\nopen('a.csv', 'w').close()\nfor n in range(30_000):\n    tw.file('a.csv')",
            "import tw\nfor n in range(3_000):\n    print(n)\n    tw.table([n])",
        ],
        ids=["both_streams", "values", "progress", "files", "tables"],
    )
    async def test_code_that_puts_out_without_pause_is_no_flood(self, session: Session, code: str) -> None:
        outputs = await run(session, code, timeout_s=60.0)
        assert end(outputs).status == "ok", outputs[-2:]
        assert len(outputs) < 2_000
