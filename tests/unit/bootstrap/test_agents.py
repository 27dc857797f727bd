"""Which agent takes a run that names one."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from tests.support.agent_bench import Bench

from tablewright.bootstrap.agents import agents
from tablewright.domain.events import RouteChosen
from tablewright.domain.run import Mode, Run, RunLimits
from tablewright.models.scripted import ScriptedModel
from tablewright.settings.tree import ReactSettings
from tablewright.workflows.assistant import BUILTIN


def run(question: str, *, agent: str, mode: Mode = "react", workflow: str | None = None) -> Run:
    return Run(
        id="r-1",
        conversation_id="c-1",
        question=question,
        language="en",
        mode=mode,
        approvals="ask",
        model="m",
        file_ids=(),
        limits=RunLimits(),
        state="running",
        attempt=1,
        last_seq=0,
        agent=agent,
        workflow_id=workflow,
        parent_id=None if workflow is None else "r-0",
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


GREETED = [
    run("hello", agent="react"),
    run("你好", agent="plan_solve", mode="plan"),
    run("hello", agent="data_react"),
    run("你好", agent="code_analyst", mode="workflow", workflow=BUILTIN),
]


@pytest.mark.parametrize("greeted", GREETED, ids=lambda run: str(run.agent))
async def test_a_greeting_to_an_agent_that_stands_for_a_mode_is_greeted_back(greeted: Run) -> None:
    took = await Bench(agent=agents(ReactSettings())(greeted), model=ScriptedModel([])).ask(greeted.question)
    assert took.only(RouteChosen).agent == "chat"
    assert took.answer.text.startswith("Hello!")


async def test_what_a_workflow_of_somebodys_own_asks_its_agent_is_a_question() -> None:
    asked = run("hello", agent="code_analyst", mode="workflow", workflow="w-1")
    took = await Bench(agent=agents(ReactSettings())(asked), model=ScriptedModel(["Hi."])).ask(asked.question)
    assert took.answer.text == "Hi."
