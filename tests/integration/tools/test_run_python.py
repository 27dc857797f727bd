"""The tool `run_python` on a real sandbox."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from tests.support.agent_bench import MemoryArtifacts

from tablewright.domain.events import (
    ArtifactCreated,
    CodeFinished,
    EventBody,
    OutputError,
    OutputImage,
    OutputTable,
    OutputText,
    StepAnnounced,
    StepFinished,
    StepStarted,
)
from tablewright.domain.ids import CountingIds, SystemClock
from tablewright.domain.language import Language
from tablewright.sandbox.base import Input, Sandbox
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox
from tablewright.sandbox.pool import PoolSize
from tablewright.tools.base import ToolContext, ToolResult
from tablewright.tools.run_python import RunPython
from tablewright.tools.toolset import Toolset

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def sandbox(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Sandbox]:
    config = EmbeddedConfig(
        folder=tmp_path_factory.mktemp("state"), preload=(), size=PoolSize(minimum=1, maximum=1, wait_s=5)
    )
    running = EmbeddedSandbox(config)
    await running.start()
    yield running
    await running.stop()


class Bench:
    """The tool with a session, and what has happened."""

    def __init__(self, sandbox: Sandbox, inputs: tuple[Input, ...] = (), language: Language = "en") -> None:
        self.tool = RunPython()
        self.tools = Toolset([self.tool])
        self.artifacts = MemoryArtifacts()
        self.events: list[EventBody] = []
        self.context = ToolContext(
            run_id="r",
            language=language,
            artifacts=self.artifacts,
            clock=SystemClock(),
            ids=CountingIds("step"),
            sandbox=sandbox,
            inputs=inputs,
        )

    async def run(self, code: str, **arguments: Any) -> ToolResult:
        return await self.tools.call("run_python", {"code": code, **arguments}, self.context, self.events.append)

    def of(self, kind: type[EventBody]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]


@pytest_asyncio.fixture(loop_scope="module")
async def bench(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[Bench]:
    (tmp_path / "stored").write_text("quarter,amount\nQ1,10\nQ1,5\nQ2,7\n")
    opened = Bench(sandbox, (Input(path=tmp_path / "stored", name="sales.csv"),))
    yield opened
    await opened.tool.close()


@pytest.mark.parametrize("name", ["sales.csv", "data/sales.csv"])
async def test_a_file_of_the_conversation_is_read_by_its_name(bench: Bench, name: str) -> None:
    result = await bench.run(
        f"import pandas as pd\ndf = pd.read_csv('{name}')\nprint(df.groupby('quarter').amount.sum().to_dict())",
        timeout=60,
        response_format="standard",
    )
    assert result == ToolResult(text="{'Q1': 15, 'Q2': 7}", shown="{'Q1': 15, 'Q2': 7}")
    assert [type(event) for event in bench.events] == [
        StepAnnounced, CodeFinished, StepStarted, OutputText, StepFinished
    ]  # fmt: skip
    assert {event.step_id for event in bench.events} == {"step-0001"}
    assert bench.events[-1] == StepFinished(
        status="ok", elapsed_s=bench.of(StepFinished)[0].elapsed_s, step_id="step-0001"
    )


async def test_calls_share_their_variables(bench: Bench) -> None:
    await bench.run("a = 2")
    assert (await bench.run("a * 21")).text == "42"


async def test_several_calls_at_once_run_in_their_order(bench: Bench) -> None:
    codes = ["seen = []", *(f"seen.append({n})" for n in range(4)), "print(seen)"]
    results = await asyncio.gather(*(bench.run(code) for code in codes))
    assert results[-1].text == "[0, 1, 2, 3]"


async def test_code_that_fails_is_told_and_leaves_the_session(bench: Bench) -> None:
    await bench.run("kept = 1")
    result = await bench.run("print('before')\n1/0")
    assert result.failed
    assert result.text.startswith("before\nZeroDivisionError: division by zero")
    assert len(bench.of(OutputError)) == 1
    assert bench.of(StepFinished)[-1].status == "error"
    assert (await bench.run("kept")).text == "1"


async def test_code_that_takes_too_long_is_stopped(bench: Bench) -> None:
    result = await bench.run("while True:\n    pass", timeout=5)
    assert result.failed
    assert "stopped after 5 seconds" in result.text
    assert (await bench.run("1")).text == "1"


async def test_a_session_that_is_lost_is_told_and_followed_by_another(bench: Bench) -> None:
    await bench.run("kept = 1")
    result = await bench.run("import os\nos._exit(3)")
    assert "os may not be imported" in result.text
    result = await bench.run("__import__('os')._exit(3)")
    assert result.failed
    assert "its variables are gone" in result.text
    assert "NameError" in (await bench.run("kept")).text


async def test_only_the_packages_of_the_list_may_be_imported(bench: Bench) -> None:
    result = await bench.run("import requests")
    assert result == ToolResult(
        text="requests may not be imported here. Importable: json, csv, datetime, math, statistics, random, pandas, "
        "numpy, scipy, statsmodels, openpyxl, xlrd, xlsxwriter, matplotlib, seaborn, plotly. Nothing was run.",
        failed=True,
    )
    assert bench.events == []
    every = "import json, csv, datetime, math, statistics, random, pandas, numpy, scipy, statsmodels, openpyxl, xlrd\n"
    every += "import xlsxwriter, matplotlib.pyplot as plt, seaborn, plotly\nfrom scipy import stats\nprint('all')"
    assert (await bench.run(every)).text == "all"


async def test_what_is_not_imported_beforehand_works_all_the_same(bench: Bench) -> None:
    result = await bench.run(
        "import statsmodels.api as sm\nfrom statsmodels.tsa.seasonal import seasonal_decompose\n"
        "found = seasonal_decompose([1.0, 3.0] * 6, period=2)\n"
        "print(round(sm.OLS([1.0, 2.0, 3.0], sm.add_constant([1.0, 2.0, 3.0])).fit().rsquared, 3), found.nobs)"
    )
    assert result.text == "1.0 12"


@pytest.mark.parametrize(("form", "chars"), [("brief", 500), ("standard", 4_000), ("full", 20_000)])
async def test_ten_megabytes_of_output_are_cut(bench: Bench, form: str, chars: int) -> None:
    result = await bench.run("print('x' * 10_000_000)", response_format=form)
    assert result.text.count("x") == chars
    assert "more characters)" in result.text
    assert sum(len(event.text) for event in bench.of(OutputText)) < 1_100_000


async def test_tables_figures_and_files_are_seen_and_handed_over(bench: Bench) -> None:
    result = await bench.run(
        "import pandas as pd, matplotlib.pyplot as plt\ndf = pd.read_csv('sales.csv')\n"
        "plt.plot(df.amount)\nplt.show()\n"
        "__import__('os').makedirs('output', exist_ok=True)\ndf.to_csv('output/made.csv')\ndf.head(1)"
    )
    assert not result.failed, result.text
    assert [event.artifact.name for event in bench.of(ArtifactCreated)] == ["made.csv"]
    assert len(bench.of(OutputImage)) == 1
    assert len(bench.of(OutputTable)) == 1
    assert "made.csv" in result.text


async def test_what_is_wrong_is_told_in_the_language_of_the_run(sandbox: Sandbox) -> None:
    bench = Bench(sandbox, language="zh")
    assert "这里不能导入 socket" in (await bench.run("import socket")).text
    assert "没有调用 run_python：参数 timeout 的值是 3；应为：5 到 300 的整数" in (await bench.run("1", timeout=3)).text


async def test_a_call_that_is_no_longer_wanted_is_stopped(bench: Bench) -> None:
    await bench.run("n = 0")
    begun = asyncio.Event()

    def seen(event: EventBody) -> None:
        if isinstance(event, OutputText):
            begun.set()

    given = {"code": "print('begun', flush=True)\nwhile True:\n    pass", "timeout": 300}
    call = asyncio.create_task(bench.tools.call("run_python", given, bench.context, seen))
    await begun.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert (await bench.run("print('goes on')")).text == "goes on"


async def test_without_a_sandbox_no_code_runs() -> None:
    bench = Bench(None)  # type: ignore[arg-type]  # as a run without one
    assert (await bench.run("1")).failed


async def test_the_folder_of_files_to_hand_over_exists(bench: Bench) -> None:
    result = await bench.run("import pandas as pd\npd.read_csv('sales.csv').to_csv('output/sums.csv', index=False)")
    assert not result.failed, result.text
    assert [event.artifact.name for event in bench.of(ArtifactCreated)] == ["sums.csv"]
