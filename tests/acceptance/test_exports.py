"""A run that was taken away does the same again on the same files, in the sandbox's own interpreter."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.support.commands import Commands
from tests.support.fake_openai import FakeOpenAI
from tests.support.patience import PATIENCE_S
from tests.support.wire import Say

from tablewright.samples import sample_files
from tablewright.sandbox.environment import find

CELLS = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
shell.display_pub.publish = lambda *words, **more: None
shell.displayhook.write_output_prompt = lambda: None
for cell in json.load(open(sys.argv[1], encoding="utf-8"))["cells"]:
    if cell["cell_type"] == "code":
        shell.run_cell(cell["source"], store_history=False).raise_error()
"""
CODE = """I look.
<|begin_code|>
# @step: Load
import pandas as pd
orders = pd.read_csv("/data/shared/orders.csv")
print(len(orders), "rows")
# @step: Fails first
print(orders["No such column"])
<|end_code|>"""
REPAIRED = """<|begin_code|>
# @step: Group
grouped = orders.groupby("Region")["Quantity"].sum()
grouped
# @step: Finish
print(grouped.max())
tw.table(grouped)
open("kept.txt", "w").write("kept")
<|end_code|>
The largest is North."""


def sample(language: str) -> Path:
    named = {"en": "orders.csv", "zh": "门店销售.xlsx"}
    return next(path for path in sample_files() if path.name == named[language])


async def asked(
    url: str, path: Path, question: str, **more: str
) -> tuple[dict[str, Any], list[dict[str, Any]], str, str]:
    """Ask over the API; returns the run, its events, the script and the notebook."""
    async with httpx2.AsyncClient(base_url=f"{url}/api/v1", timeout=PATIENCE_S) as http:
        made = (await http.post("/conversations", json={})).json()["id"]
        with path.open("rb") as file:
            await http.post("/files", params={"conversation_id": made}, files={"file": (path.name, file)})
        message = {"text": question, "mode": "analyze", **more}
        run_id = (await http.post(f"/conversations/{made}/messages", json=message)).json()["run_id"]
        lines = (await http.get(f"/runs/{run_id}/events")).text.splitlines()
        events = [json.loads(line.removeprefix("data: "))["body"] for line in lines if line.startswith("data: ")]
        script, notebook = await http.get(f"/runs/{run_id}/export.py"), await http.get(f"/runs/{run_id}/export.ipynb")
        assert script.headers["content-disposition"].startswith('attachment; filename="analysis.py"')
        assert (await http.get("/runs/none/export.py")).status_code == 404
        return (await http.get(f"/runs/{run_id}")).json(), events, script.text, notebook.text


def printed(events: list[dict[str, Any]]) -> str:
    """What the steps that ended well printed, values of last expressions included."""
    well = {event["step_id"] for event in events if event["type"] == "step.finished" and event["status"] == "ok"}
    parts = [
        event["text"] if event["text"].endswith("\n") else event["text"] + "\n"
        for event in events
        if event["type"] == "output.text" and event["step_id"] in well and event["stream"] != "stderr"
    ]
    return "".join(parts)


async def run_again(folder: Path, *words: str) -> str:
    """Run the sandbox's Python in `folder`; returns what it printed."""
    process = await asyncio.create_subprocess_exec(
        str(find()), "-W", "ignore", *words, cwd=folder, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(PATIENCE_S):
        out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    return out.decode()


def laid_out(folder: Path, path: Path, script: str, notebook: str) -> None:
    shutil.copy(path, folder)
    (folder / "analysis.py").write_text(script, encoding="utf-8")
    (folder / "analysis.ipynb").write_text(notebook, encoding="utf-8")
    (folder / "cells.py").write_text(CELLS, encoding="utf-8")


@pytest.mark.requirement("export-same-output")
@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "What is the total Revenue for each Region?"),
        ("zh", "各城市的销售额合计"),
        ("en", "Draw a bar chart of the total revenue by category"),
    ],
)
async def test_script_and_notebook_print_what_the_run_printed(
    commands: Commands, tmp_path: Path, language: str, question: str
) -> None:
    path = sample(language)
    async with commands.serving() as (url, _):
        run, events, script, notebook = await asked(url, path, question)
    assert run["outcome"] == "completed"
    wanted = printed(events)
    assert wanted.count("\n") > 1
    folder = tmp_path / "taken"
    folder.mkdir()
    laid_out(folder, path, script, notebook)
    assert await run_again(folder, "analysis.py") == wanted
    assert await run_again(folder, "cells.py", "analysis.ipynb") == wanted
    assert run["question"] in script
    assert run["answer"]["text"].splitlines()[0] in notebook


async def test_what_failed_is_left_out_and_values_and_files_are_made_again(commands: Commands, tmp_path: Path) -> None:
    async with FakeOpenAI() as model:
        model.says(Say(text=CODE))
        model.says(Say(text=REPAIRED))
        commands.environ = {
            "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": model.base_url,
            "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
        }
        async with commands.serving() as (url, _):
            run, events, script, notebook = await asked(url, sample("en"), "quantity?", model="openai:fake")
    assert run["outcome"] == "completed"
    assert "No such column" not in script + notebook
    folder = tmp_path / "taken"
    folder.mkdir()
    laid_out(folder, sample("en"), script, notebook)
    wanted = printed(events)
    assert "Region" in wanted
    again = await run_again(folder, "analysis.py")
    assert again == wanted
    assert (folder / "kept.txt").read_text(encoding="utf-8") == "kept"
    cells = await run_again(folder, "cells.py", "analysis.ipynb")
    assert [line for line in cells.splitlines() if line] == [line for line in wanted.splitlines() if line]
    outputs = [cell["outputs"] for cell in json.loads(notebook)["cells"] if cell["cell_type"] == "code"]
    assert sum(map(len, outputs)) >= 3


@pytest.mark.requirement("analyst-unverified-numbers-told")
async def test_numbers_that_no_step_put_out_are_told_as_unverified(commands: Commands) -> None:
    async with FakeOpenAI() as model:
        steps = "<|begin_code|>\n# @step: Count\nprint(6000 + 1234)\n<|end_code|>\n"
        model.says(Say(text=steps + "It is 7,234, which is 98765 less than last year."))
        commands.environ = {
            "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": model.base_url,
            "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
        }
        async with commands.serving() as (url, _):
            run, events, *_ = await asked(url, sample("en"), "how many?", model="openai:fake")
    sources = {source["value"]: source["step_id"] for source in run["answer"]["sources"]}
    (counted,) = [event["step_id"] for event in events if event["type"] == "step.announced"]
    assert sources == {7234: counted, 98765: None}


@pytest.mark.requirement("export-from-the-command-line")
async def test_an_analysis_is_exported_from_the_command_line_and_nothing_is_overwritten(commands: Commands) -> None:
    shutil.copy(sample("en"), commands.folder / "orders.csv")
    asked = await commands.run("ask", "orders.csv", "How many orders were cancelled?", "--json")
    run_id = json.loads(asked.out)["id"]
    made = await commands.run("export", run_id, "--out", "cancelled.py")
    assert (made.code, made.out) == (0, "Saved: cancelled.py\n")
    script = (commands.folder / "cancelled.py").read_text(encoding="utf-8")
    assert script.startswith("# How many orders were cancelled?")
    assert "read_csv" in script
    again = await commands.run("export", run_id, "--out", "cancelled.py")
    assert (again.code, "not overwritten" in again.err) == (2, True)
    made = await commands.run("export", run_id, "--out", "report.html")
    assert (made.code, made.out) == (0, "Saved: report.html\n")
    page = (commands.folder / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "<h1>How many orders were cancelled?</h1>" in page
    assert "<script" not in page
    assert (await commands.run("export", run_id, "--out", "a.txt")).code == 2
    assert (await commands.run("export", "no-such-id")).code != 0
    assert not (commands.folder / "analysis.ipynb").exists()
