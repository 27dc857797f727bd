"""The agent on the embedded sandbox: what its doubles promise, the real one keeps."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from tests.support.agent_bench import Bench, code
from tests.support.patience import PATIENCE_S
from tests.support.sandboxes import running

from tablewright.agent.code.analyst import CodeAnalyst
from tablewright.agent.code.rules import LoopRules
from tablewright.domain.events import ArtifactCreated, OutputImage, OutputText, StepStarted
from tablewright.errors import SandboxLost, StepExhausted
from tablewright.models.scripted import ScriptedModel
from tablewright.sandbox.base import Input
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def sandbox() -> AsyncIterator[EmbeddedSandbox]:
    async with running(EmbeddedConfig(preload=("pandas", "numpy", "matplotlib"))) as embedded:
        yield embedded


@pytest.fixture
def bench(sandbox: EmbeddedSandbox, tmp_path: Path) -> Bench:
    path = tmp_path / "sales.csv"
    path.write_text("地区,金额\n华东,1200.5\n华北,800\n华东,300\n", encoding="utf-8")
    return Bench(
        agent=CodeAnalyst(LoopRules(step_timeout_s=PATIENCE_S)),
        model=ScriptedModel([]),
        real_sandbox=sandbox,
        inputs=(Input(path=path, name="sales.csv"),),
    )


async def test_a_repaired_step_finds_the_variables_of_those_that_succeeded(bench: Bench) -> None:
    bench.model = ScriptedModel(
        [
            code(
                ("读取", "import pandas as pd\ndf = pd.read_csv('/data/shared/sales.csv')\ndf"),
                ("汇总", "total = df.groupby('region')['金额'].sum()"),
                ("画图", "print('never')"),
            ),
            code(("汇总", "result = df.groupby('地区')['金额'].sum()")),
            "华东最高，为1,500.5。",
        ]
    )
    took = await bench.ask("各地区的金额", language="zh")
    assert took.statuses == [("读取", "ok"), ("汇总", "error"), ("画图", "dropped"), ("汇总", "ok")]
    assert took.answer.result is not None
    assert took.answer.result.rows == (("华东", 1500.5), ("华北", 800.0))
    assert took.answer.table is not None
    assert [source.step_id for source in took.answer.sources] == [took.of(StepStarted)[-1].step_id]


async def test_figures_and_files_come_out(bench: Bench) -> None:
    drawn = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()"
    written = (
        "import os\nos.makedirs('output', exist_ok=True)\nopen('output/a.txt', 'w').write('1')\nopen('b.txt', "
        "'w').write('22')\ntw.file('b.txt')"
    )
    bench.model = ScriptedModel([code(("Draw", drawn), ("Write", written)), "Done."])
    took = await bench.ask()
    assert took.only(OutputImage).image.mime == "image/png"
    assert sorted((file.name, file.size_bytes) for file in took.answer.files) == [("a.txt", 1), ("b.txt", 2)]


async def test_a_session_that_died_has_its_output_handed_over(bench: Bench) -> None:
    written = "import os\nos.makedirs('output', exist_ok=True)\nopen('output/kept.txt', 'w').write('kept')"
    planted = "os.symlink('/etc/passwd', 'output/link.txt')\nos._exit(3)"
    bench.model = ScriptedModel([code(("Write", written), ("Die", planted))])
    with pytest.raises(SandboxLost):
        await bench.ask()
    assert bench.took.only(ArtifactCreated).artifact.name == "kept.txt"
    assert list(bench.artifacts.kept.values()) == [b"kept"]


async def test_a_step_beyond_its_time_ends_the_run(bench: Bench) -> None:
    bench.agent = CodeAnalyst(LoopRules(step_timeout_s=0.5))
    bench.model = ScriptedModel([code(("Wait", "import time\ntime.sleep(60)"))])
    with pytest.raises(StepExhausted) as failure:
        await bench.ask()
    assert failure.value.params["step"] == "Wait"


@pytest.mark.requirement("stopped-run-hands-over")
@pytest.mark.parametrize("going_on", ["pass", "signal.signal(signal.SIGINT, signal.SIG_IGN)"], ids=["yields", "kills"])
async def test_a_stop_hands_over_the_files_of_finished_steps(
    bench: Bench, sandbox: EmbeddedSandbox, going_on: str
) -> None:
    written = "import os, signal\nos.makedirs('output', exist_ok=True)\nopen('output/a.txt', 'w').write('whole');"
    endless = f"""{going_on}
file = open('output/b.txt', 'w')
print('in', flush=True)
while True:
    file.write('part')
    file.flush()
    file.seek(0)"""
    bench.model = ScriptedModel([code(("Write", written), ("Go on", endless))])
    work = asyncio.create_task(bench.ask())
    await bench.until(OutputText)
    work.cancel()
    async with asyncio.timeout(PATIENCE_S):
        await asyncio.gather(work, return_exceptions=True)
    assert [late.artifact.name for late in bench.late if isinstance(late, ArtifactCreated)] == ["a.txt"]
    assert list(bench.artifacts.kept.values()) == [b"whole"]
    assert sandbox.stats().leased == 0


async def test_cancelling_ends_an_endless_loop_and_gives_the_session_back(
    bench: Bench, sandbox: EmbeddedSandbox
) -> None:
    bench.model = ScriptedModel([code(("Loop", "print('in', flush=True)\nwhile True: pass"))])
    work = asyncio.create_task(bench.ask())
    await bench.until(OutputText)
    work.cancel()
    async with asyncio.timeout(PATIENCE_S):
        with pytest.raises(asyncio.CancelledError):
            await work
    assert sandbox.stats().leased == 0
