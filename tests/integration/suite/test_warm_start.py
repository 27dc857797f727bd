"""Commands that a server of the session starts are processes like any other."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest
from tests.support.commands import Commands
from tests.support.patience import found
from tests.support.processes import below
from tests.support.warm_start import WarmStart


@pytest.fixture
def commands(tmp_path: Path, warm_start: WarmStart) -> Commands:
    return Commands(folder=tmp_path, warm=warm_start)


async def test_a_command_has_its_own_folder_environment_output_and_exit_code(commands: Commands) -> None:
    commands.environ = {"TABLEWRIGHT_MODEL": "here:only"}
    (commands.folder / "tablewright.yaml").write_text("react:\n  max_steps: 4\n", encoding="utf-8")
    shown = await commands.run("config", "show")
    assert shown.code == 0
    assert "here:only" in shown.out
    assert str(commands.folder / "tablewright.yaml") in shown.out
    wrong = await commands.run("no-such-command")
    assert (wrong.code, wrong.out) == (2, "")
    assert "no-such-command" in wrong.err
    commands.environ = {}
    assert "here:only" not in (await commands.run("config", "show")).out


async def test_a_command_says_the_same_as_one_that_imports_what_it_needs(commands: Commands) -> None:
    cold = Commands(folder=commands.folder)
    for words in (("--help",), ("ask",), ("files", "list", "--json")):
        assert await commands.run(*words) == await cold.run(*words)


async def test_a_killed_command_has_the_signal_as_its_exit_code_and_leaves_nothing(commands: Commands) -> None:
    async with commands.serving() as (_, process):
        left = below(process.pid)
        process.kill()
        assert await process.wait() == process.returncode == -signal.SIGKILL

    async def gone() -> bool | None:
        there = await asyncio.to_thread(lambda: [pid for pid in left if Path(f"/proc/{pid}").exists()])
        return None if there else True

    assert await found(gone)
