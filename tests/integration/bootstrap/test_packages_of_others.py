"""A package of somebody's own adds an agent and a tool, without touching ours."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.agent_bench import Bench
from tests.support.patience import PATIENCE_S
from tests.support.work_bench import called

from tablewright.agent.react.agent import React
from tablewright.bootstrap.agents import agents
from tablewright.bootstrap.registry import RegisteredTools, registered_agents, registered_kinds
from tablewright.domain.events import ToolFinished
from tablewright.domain.run import RunLimits
from tablewright.models.scripted import Reply, ScriptedModel
from tablewright.settings.tree import ReactSettings

EXAMPLE = Path(__file__).parents[3] / "examples" / "word_counting"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the example is installed in."""
    folder = tmp_path_factory.mktemp("packages")
    options = ("--no-deps", "--no-index", "--no-build-isolation", "--quiet", "--target", str(folder))
    subprocess.run([sys.executable, "-m", "pip", "install", *options, str(EXAMPLE)], check=True, timeout=PATIENCE_S)
    return folder


@pytest.fixture
def others(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(installed))


@pytest.mark.usefixtures("others")
@pytest.mark.requirement("packages-add-agents-and-tools")
async def test_an_installed_agent_takes_the_runs_that_name_it() -> None:
    registered = registered_agents(None)
    assert [*registered] == ["word_counter"]
    kind = registered_kinds(registered, RunLimits(steps=3))["word_counter"]
    assert (kind.takeover, kind.limits.steps) == (True, 3)
    told = Bench(agent=registered["word_counter"].agent, model=ScriptedModel([]))
    assert (await told.ask("how many are these")).answer.text == "4 words."
    assert callable(agents(ReactSettings(), registered=registered))


@pytest.mark.usefixtures("others")
@pytest.mark.requirement("packages-add-agents-and-tools")
async def test_agents_with_tools_call_an_installed_tool() -> None:
    script: list[Reply | str] = [Reply.of(called("count_words", text="one two three")), "Three."]
    told = Bench(agent=React(tools=RegisteredTools()), model=ScriptedModel(script))
    took = await told.ask()
    assert took.only(ToolFinished).text == "3"


async def test_without_such_packages_there_is_nothing_of_others() -> None:
    assert registered_agents(None) == {}
    assert not RegisteredTools()
