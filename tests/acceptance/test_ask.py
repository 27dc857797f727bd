"""`tablewright ask`, with the built-in analyst and the real sandbox."""

from __future__ import annotations

import asyncio
import csv
import json
import signal
import sys
from pathlib import Path

import pytest
from tests.support.commands import STARTER, Commands
from tests.support.fake_openai import FakeOpenAI
from tests.support.patience import PATIENCE_S, slow
from tests.support.scripted_http import Hang
from tests.support.wire import Say

from tablewright.samples import sample_files

STOPPED_S = slow(2.0)
"""A second is what is wanted; the machine may be busy with other tests."""
STEP = "<|begin_code|>\n# @step: {name}\n{code}\n<|end_code|>"


def orders() -> Path:
    return next(path for path in sample_files() if path.suffix == ".csv")


def revenue_by_category() -> dict[str, float]:
    totals: dict[str, float] = {}
    with orders().open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            totals[row["Category"]] = totals.get(row["Category"], 0.0) + float(row["Revenue"] or 0)
    return totals


@pytest.mark.requirement("cli-ask-shows-steps")
async def test_a_question_is_answered_with_its_steps_its_table_and_a_chart(commands: Commands) -> None:
    said = await commands.run("ask", str(orders()), "What is the total revenue by category? Draw a bar chart.")
    assert said.code == 0, said.err
    assert "✓ " in said.out
    assert "█" in said.out
    for category, total in revenue_by_category().items():
        assert category in said.out
        assert f"{total:,.2f}".rstrip("0").rstrip(".") in said.out
    assert "\x1b" not in said.out


@pytest.mark.requirement("cli-ask-json")
async def test_json_is_the_result_and_nothing_else(commands: Commands) -> None:
    said = await commands.run("ask", str(orders()), "What is the total revenue by category?", "--json")
    assert said.code == 0, said.err
    result = json.loads(said.out)
    assert set(result) == {"id", "answer", "result", "charts", "files", "declined", "seconds"}
    rows = {row[0]: pytest.approx(row[1]) for row in result["result"]["rows"]}
    assert rows == revenue_by_category()
    assert not result["declined"]


@pytest.mark.requirement("cli-ask-chinese")
async def test_a_chinese_question_is_answered_in_chinese(commands: Commands) -> None:
    path = commands.folder / "销售.csv"
    path.write_text("城市,销售额\n北京,100\n上海,50\n北京,25\n", encoding="utf-8")
    said = await commands.run("ask", str(path), "各城市的销售额合计是多少？")
    assert said.code == 0, said.err
    assert "正在读取 销售.csv" in said.out
    assert "北京" in said.out
    assert "125" in said.out


async def test_a_conversation_goes_on_with_its_files(commands: Commands, sales: Path) -> None:
    async with commands.serving() as (url, _process):
        first = await commands.run("ask", str(sales), "How many rows are there?", "--server", url)
        assert first.code == 0, first.err
    listed = await commands.run("files", "list", "--json")
    assert [file["name"] for file in json.loads(listed.out)] == ["sales.csv"]
    conversation = json.loads((await commands.run("ask", str(sales), "How many rows are there?", "--json")).out)
    assert conversation["result"]["rows"] == [[4]]


async def test_what_is_not_understood_is_said_and_ends_with_3(commands: Commands, sales: Path) -> None:
    said = await commands.run("ask", str(sales), "please compose a sonnet about zebras", "--json")
    assert said.code == 3
    assert json.loads(said.out)["declined"]


@pytest.mark.requirement("analyst-no-model-library")
async def test_without_a_model_no_model_library_is_imported(commands: Commands, sales: Path) -> None:
    listing = STARTER.replace("main()", "run(__import__('sys').argv[1:])").replace("import main;", "import run;")
    script = f"{listing}; import sys; print(*sys.modules, sep='\\n', file=sys.stderr)"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", script, "ask", str(sales), "how many rows are there?",
        "--data-dir", str(commands.folder / "data"),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    async with asyncio.timeout(PATIENCE_S):
        _, err = await process.communicate()
    loaded = set(err.decode().split())
    assert "tablewright.analyst.model" in loaded
    assert not {"pydantic_ai", "openai", "anthropic", "fastapi", "uvicorn", "fastmcp", "polars", "duckdb"} & loaded
    assert not {"docx", "httpx2", "jinja2", "markdown_it", "xlsxwriter"} & loaded
    assert not {"tablewright.agent.react.agent", "tablewright.agent.structured.agent"} & loaded


async def test_a_model_writes_steps_that_run_and_files_land_beside_the_person(commands: Commands, sales: Path) -> None:
    code = "import pandas as pd\ndf = pd.read_csv('/data/shared/sales.csv')\nprint('rows', len(df))\n"
    code += "df.head(2).to_csv('first.csv', index=False)\ntw.file('first.csv')\nresult = len(df)"
    async with FakeOpenAI() as model:
        model.says(Say(text=STEP.format(name="count", code=code)))
        model.says(Say(text="There are 4 rows."))
        commands.environ = {
            "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": model.base_url,
            "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
        }
        said = await commands.run("ask", str(sales), "how many?", "--model", "openai:fake")
    assert said.code == 0, said.out + said.err
    assert "    rows 4" in said.out
    assert "There are 4 rows." in said.out
    assert (commands.folder / "first.csv").read_text(encoding="utf-8").startswith("city,product,amount")


@pytest.mark.requirement("stopped-run-hands-over")
async def test_what_was_finished_before_ctrl_c_lands_beside_the_person(commands: Commands, sales: Path) -> None:
    written = "import os\nos.makedirs('output', exist_ok=True)\nopen('output/whole.txt', 'w').write('whole');"
    steps = (
        STEP.format(name="write", code=written),
        STEP.format(name="wait", code="print('begun', flush=True)\nwhile 1: pass"),
    )
    async with FakeOpenAI() as model:
        for step in steps:
            model.says(Say(text=step))
        commands.environ = {
            "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": model.base_url,
            "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
        }
        process = await commands.start("ask", str(sales), "how much is it?", "--model", "openai:fake")
        assert process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            while b"begun" not in (line := await process.stdout.readline()):
                assert line, (await process.communicate())[1].decode()
            process.send_signal(signal.SIGINT)
            said, _ = await process.communicate()
    assert process.returncode == 130
    assert b"whole.txt" in said
    assert (commands.folder / "whole.txt").read_text(encoding="utf-8") == "whole"


@pytest.mark.requirement("run-cancel-within-a-second")
async def test_ctrl_c_stops_the_run_within_a_second_and_ends_with_130(commands: Commands, sales: Path) -> None:
    code = "import time\nprint('begun', flush=True)\ntime.sleep(3600)"
    async with FakeOpenAI() as model:
        model.says(Say(text=STEP.format(name="wait", code=code)), Hang())
        commands.environ = {
            "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": model.base_url,
            "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
        }
        process = await commands.start("ask", str(sales), "wait", "--model", "openai:fake")
        assert process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            while b"begun" not in (line := await process.stdout.readline()):
                assert line, (await process.communicate())[1].decode()
        assert process.stderr is not None
        began = asyncio.get_running_loop().time()
        process.send_signal(signal.SIGINT)
        async with asyncio.timeout(PATIENCE_S):
            while (said := await process.stderr.readline()).startswith(b"Stopping"):
                pass  # the machine is slow
            took = asyncio.get_running_loop().time() - began
            await process.communicate()
    assert process.returncode == 130
    assert said.decode().strip() == "Stopped."
    assert took < STOPPED_S
