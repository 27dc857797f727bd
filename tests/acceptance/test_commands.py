"""The other commands, as processes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.support.commands import Commands


@pytest.mark.requirement("cli-config-shows-sources")
async def test_the_configuration_is_shown_with_its_sources_and_without_secrets(commands: Commands) -> None:
    (commands.folder / "tablewright.yaml").write_text("react:\n  max_steps: 4\n", encoding="utf-8")
    commands.environ = {"OPENAI_API_KEY": "sk-very-secret"}
    said = await commands.run("config", "show", "--json", "--set", "server.port=9001")
    shown = json.loads(said.out)
    assert shown["react.max_steps"] == {"value": 4, "source": str(commands.folder / "tablewright.yaml")}
    assert shown["server.port"] == {"value": 9001, "source": "command line"}
    assert shown["data_dir"]["source"] == "environment"
    assert shown["model"]["source"] == "default"
    assert shown["providers.openai.api_key"] == {"value": "***", "source": "environment (OPENAI_API_KEY)"}
    assert "sk-very-secret" not in (await commands.run("config", "show")).out


async def test_a_first_configuration_file_is_written_once(commands: Commands) -> None:
    first = await commands.run("config", "init")
    assert first.code == 0
    file = commands.folder / "tablewright.yaml"
    written = file.read_text(encoding="utf-8")
    second = await commands.run("config", "init")
    assert second.code == 1
    assert file.read_text(encoding="utf-8") == written


async def test_a_database_is_made_and_upgraded_again_without_harm(commands: Commands) -> None:
    for _ in range(2):
        said = await commands.run("db", "upgrade")
        assert said.code == 0, said.err
        assert "tablewright.db" in said.out


async def test_keys_are_created_listed_and_deleted(commands: Commands) -> None:
    made = await commands.run("key", "create", "--name", "laptop", "--owner", "anna")
    assert "tw_" in made.out
    assert (await commands.run("key", "create", "--name", "laptop")).code == 2
    listed = await commands.run("key", "list")
    assert listed.out.startswith("laptop\tanna\t")
    assert "tw_" not in listed.out
    assert (await commands.run("key", "delete", "--name", "laptop")).code == 0
    assert (await commands.run("key", "delete", "--name", "laptop")).code == 2


async def test_files_are_listed_and_deleted(commands: Commands, sales: Path) -> None:
    asked = await commands.run("ask", str(sales), "how many rows are there?")
    assert asked.code == 0, asked.err
    (file,) = json.loads((await commands.run("files", "list", "--json")).out)
    assert file["name"] == "sales.csv"
    assert "sales.csv" in (await commands.run("files", "list")).out
    assert (await commands.run("files", "delete", file["id"])).code == 0
    assert json.loads((await commands.run("files", "list", "--json")).out) == []
    assert (await commands.run("files", "delete", file["id"])).code == 2
    assert (await commands.run("files", "delete")).code == 2


@pytest.mark.requirement("cli-doctor")
async def test_the_doctor_finds_everything_well(commands: Commands) -> None:
    said = await commands.run("doctor", "--json")
    found = {finding["topic"]: finding for finding in json.loads(said.out)}
    assert found.keys() >= {"environment", "sandbox", "sessions", "fonts", "model", "database", "disk", "page"}
    assert {finding["state"] for topic, finding in found.items() if topic != "fonts"} <= {"ok", "note"}
    assert all(finding["message"] for finding in found.values())


async def test_the_models_are_listed_the_built_in_analyst_first(commands: Commands) -> None:
    said = await commands.run("models", "--json", "--set", "model=nobody:x")
    assert said.code == 1
    builtin, chosen = json.loads(said.out)
    assert (builtin["state"], builtin["code"]) == ("ok", "builtin")
    assert "built-in analyst" in builtin["message"]
    assert (chosen["state"], chosen["code"]) == ("bad", "unknown")


async def test_the_doctor_says_when_the_memory_holds_fewer_sessions_than_are_set(commands: Commands) -> None:
    said = await commands.run("doctor", "--set", "sandbox.pool.max_size=100000", "--set", "sandbox.pool.min_size=1")
    assert "the memory of this machine holds no more (sandbox.pool.max_size is 100000)" in said.out


@pytest.mark.requirement("cli-eval-continues")
async def test_a_suite_is_answered_and_continued_where_it_stopped(commands: Commands, sales: Path) -> None:
    suite = commands.folder / "suite"
    suite.mkdir()
    shutil.copy(sales, suite)
    cases = [
        {"id": "rows", "lang": "en", "files": ["sales.csv"], "prompt": "How many rows are there?"},
        {"id": "sum", "lang": "en", "files": ["sales.csv"], "prompt": "What is the total amount?"},
        {"id": "gone", "lang": "en", "files": ["gone.csv"], "prompt": "How many rows are there?"},
    ]
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    (suite / "suite.jsonl").write_text(lines, encoding="utf-8")
    out = commands.folder / "results.jsonl"
    first = await commands.run("eval", str(suite), "--out", str(out), "--limit", "1")
    assert first.code == 0, first.err
    second = await commands.run("eval", str(suite), "--out", str(out))
    assert second.code == 0, second.err
    results = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert results[0]["id"] == "rows"
    by_id = {result["id"]: result for result in results}
    assert len(results) == len(by_id) == len(cases)
    assert by_id["rows"]["result"]["rows"] == [[4]]
    assert by_id["sum"]["result"]["rows"] == [[230.5]]
    assert by_id["gone"]["declined"]
    assert "gone.csv" in by_id["gone"]["answer"]
    listed = await commands.run("files", "list", "--json")
    assert json.loads(listed.out) == []
