"""Every template runs as it is: here those that clean, approve and compare, with the real sandbox."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support.commands import Commands
from tests.support.terminal import in_terminal

from tablewright.workflows.library import template_named, templates
from tablewright.workflows.validate import faults_of

MESSY = "Name,City\n Ann ,Beijing\nBob,Shanghai\nBob,Shanghai\n,\n"
BEFORE = "No,Name,Price\n1,pen,2\n2,ink,5\n3,cap,9\n"
AFTER = "No,Name,Price,Stock\n1,pen,3,7\n3,cap,9,1\n4,box,1,2\n"


@pytest.mark.parametrize("name", sorted(templates()))
def test_a_template_has_no_faults_and_is_said_to_be_for_something(name: str) -> None:
    flow = templates()[name]
    assert faults_of(flow, template_named) == ()
    assert flow.name
    assert flow.description
    assert len(flow.examples) >= 4


async def test_a_table_is_cleaned_once_somebody_has_agreed(commands: Commands, tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text(MESSY, encoding="utf-8")
    out = tmp_path / "out"
    out.mkdir()
    async with in_terminal(commands, "workflow", "run", "data_cleaning", str(file), "--out", str(out)) as terminal:
        await terminal.until("Write a clean copy?")
        terminal.type("clean")
        await terminal.until("4 → 2")
        assert await terminal.end() == 0
    assert (out / "people_clean.csv").read_text(encoding="utf-8-sig") == "Name,City\nAnn,Beijing\nBob,Shanghai\n"
    assert file.read_text(encoding="utf-8") == MESSY


async def test_a_clean_table_is_left_alone_without_a_question(commands: Commands, tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text("Name,City\nAnn,Beijing\n", encoding="utf-8")
    said = await commands.run("workflow", "run", "data_cleaning", str(file))
    assert said.code == 0, said.err
    assert "nothing to clean" in said.out


async def test_two_files_are_compared_row_by_row(commands: Commands, tmp_path: Path) -> None:
    files = (tmp_path / "a_before.csv", tmp_path / "b_after.csv")
    for file, content in zip(files, (BEFORE, AFTER), strict=True):
        file.write_text(content, encoding="utf-8")
    out = ("--json", "--out", str(tmp_path))
    said = await commands.run("workflow", "run", "compare_files", *map(str, files), *out)
    assert said.code == 0, said.err
    told = json.loads(said.out)
    assert told["outputs"]["counts"] == {"removed": 1, "added": 1, "changed": 1}
    assert ["changed", "1", "Price", "2", "3"] in told["outputs"]["differences"]["rows"]
    assert (tmp_path / "differences.csv").is_file()
